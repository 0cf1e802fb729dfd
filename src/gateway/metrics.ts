// The metrics of the gateway in Prometheus' text format. Labels are route patterns, names of callers and codes: never
// an id, a path or a word of a request. Runs in Node.

/** Upper bounds of the buckets of the histogram, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Labels = Record<string, string | number>;
type Histogram = { labels: Labels; counts: number[]; sum: number };

const help: Record<string, string> = {
  holdfast_gateway_requests_total: 'Requests by method, route, status and caller.',
  holdfast_gateway_refused_total: 'Requests that were refused or failed, by code.',
  holdfast_gateway_alerts_total: 'Alerts that Temporal has taken, by receiver.',
};

export class Metrics {
  readonly #counters = new Map<string, number>();
  readonly #durations = new Map<string, Histogram>();
  /** Event streams that are open now. */
  streams = 0;

  count(name: keyof typeof help, labels: Labels, more = 1): void {
    const series = toSeries(name, labels);
    this.#counters.set(series, (this.#counters.get(series) ?? 0) + more);
  }

  observeSeconds(labels: Labels, seconds: number): void {
    const key = JSON.stringify(labels);
    const counts = [...bounds, 0].map(() => 0);
    const histogram = this.#durations.get(key) ?? { labels, counts, sum: 0 };
    const bucket = bounds.findIndex((bound) => seconds <= bound);
    const index = bucket === -1 ? bounds.length : bucket;
    histogram.counts[index] = (histogram.counts[index] ?? 0) + 1;
    histogram.sum += seconds;
    this.#durations.set(key, histogram);
  }

  toText(): string {
    const counters = Object.entries(help).flatMap(([name, words]) => [
      ...headOf(name, 'counter', words),
      ...[...this.#counters]
        .filter(([series]) => series.startsWith(`${name}{`))
        .map(([series, value]) => `${series} ${value}`),
    ]);
    const name = 'holdfast_gateway_request_duration_seconds';
    return [
      ...counters,
      ...headOf(
        name,
        'histogram',
        'Time until a request was answered, by method and route; without event streams.',
      ),
      ...[...this.#durations.values()].flatMap((histogram) => linesOf(name, histogram)),
      ...headOf('holdfast_gateway_streams', 'gauge', 'Event streams that are open.'),
      `holdfast_gateway_streams ${this.streams}`,
      '',
    ].join('\n');
  }
}

function headOf(name: string, type: string, words: string): string[] {
  return [`# HELP ${name} ${words}`, `# TYPE ${name} ${type}`];
}

function linesOf(name: string, { labels, counts, sum }: Histogram): string[] {
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    return `${toSeries(`${name}_bucket`, { ...labels, le: bounds[index] ?? '+Inf' })} ${total}`;
  });
  return [
    ...buckets,
    `${toSeries(`${name}_sum`, labels)} ${sum}`,
    `${toSeries(`${name}_count`, labels)} ${total}`,
  ];
}

function toSeries(name: string, labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(String(value))}`);
  return `${name}{${pairs.join(',')}}`;
}
