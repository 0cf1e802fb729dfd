// Prometheus metrics of one service, in the text exposition format. Node; knows no service.

/** The window of the quantiles: short, so that a fault and its end are visible within seconds. */
const windowMs = 5_000;
const quantiles = [0.5, 0.95, 0.99];

type Series = { help: string; type: 'counter' | 'gauge' | 'summary'; lines: () => string[] };

/** A service's registry: counters by label, gauges read when asked, summaries over the last seconds. */
export function createMetrics() {
  const series = new Map<string, Series>();
  return {
    counter(name: string, help: string): (labels?: string) => unknown {
      const values = new Map<string, number>();
      const lines = (): string[] =>
        values.size === 0 ? [`${name} 0`] : [...values].map(([labels, value]) => `${name}${labels} ${value}`);
      series.set(name, { help, type: 'counter', lines });
      return (labels = '') => values.set(labels, (values.get(labels) ?? 0) + 1);
    },
    gauge(name: string, help: string, read: () => number): void {
      series.set(name, { help, type: 'gauge', lines: () => [`${name} ${read()}`] });
    },
    summary(name: string, help: string): (seconds: number) => void {
      const summary = createSummary(name);
      series.set(name, {
        help: `${help} Quantiles over the last ${windowMs / 1_000} s.`,
        type: 'summary',
        lines: summary.lines,
      });
      return summary.observe;
    },
    render(): string {
      const blocks = [...series].map(([name, { help, type, lines }]) =>
        [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines()].join('\n'),
      );
      return `${blocks.join('\n')}\n`;
    },
  };
}

function createSummary(name: string): { observe: (seconds: number) => void; lines: () => string[] } {
  let recent: { at: number; seconds: number }[] = [];
  let sum = 0;
  let count = 0;
  return {
    observe(seconds: number): void {
      recent.push({ at: Date.now(), seconds });
      sum += seconds;
      count += 1;
      if (recent.length > 10_000) recent = recent.slice(-5_000);
    },
    lines(): string[] {
      const oldest = Date.now() - windowMs;
      recent = recent.filter((one) => one.at >= oldest);
      const sorted = recent.map((one) => one.seconds).sort((left, right) => left - right);
      return [
        ...quantiles.map((quantile) => `${name}{quantile="${quantile}"} ${valueAt(sorted, quantile)}`),
        `${name}_sum ${sum.toFixed(3)}`,
        `${name}_count ${count}`,
      ];
    },
  };
}

/** NaN for no observations, as Prometheus clients print it. */
function valueAt(sorted: number[], quantile: number): string {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))];
  return value === undefined ? 'NaN' : value.toFixed(3);
}
