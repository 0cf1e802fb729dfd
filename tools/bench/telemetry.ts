// `--only telemetry`: the time of a turn with the log alone, with metrics, and with traces as well, against a worker
// without any. Each in a separate process, because the SDK's runtime is one for a process.
import { askChild } from './ask-child.ts';
import type { Figure } from './figures.ts';
import { artifactFolder, type Bench } from './row.ts';
import { spread } from './statistics.ts';

/** `off` is the default: lines of the log, and meters that do nothing. */
const telemetries = ['none', 'off', 'metrics', 'traces'] as const;
type Telemetry = (typeof telemetries)[number];

export const blockTurns = 40;
export const measuredBlocks = 4;
const rounds = 3;

export function isTelemetry(text: string): text is Telemetry {
  return telemetries.some((name) => name === text);
}

export async function measureTelemetry(bench: Bench): Promise<Figure[]> {
  const address = await bench.address();
  const times: Record<Telemetry, number[]> = { none: [], off: [], metrics: [], traces: [] };
  for (let round = 1; round <= rounds; round += 1) {
    for (const telemetry of telemetries) {
      const args = [telemetry, address, artifactFolder(bench), `bench-telemetry-${telemetry}-${round}`];
      const { msPerTurn } = await askChild<{ msPerTurn: number[] }>('telemetry-child.ts', args);
      times[telemetry].push(...msPerTurn);
      bench.say(`round ${round}, ${telemetry}: ${spread(msPerTurn).median.toFixed(1)} ms a turn`);
    }
  }
  const base = spread(times.none).median;
  return telemetries.map((name) => {
    const value = spread(times[name]);
    return {
      name: `telemetry.${name}`,
      what: `a turn with telemetry: ${name}`,
      unit: 'ms',
      value,
      detail: `${(value.median / base).toFixed(2)} times that without`,
    };
  });
}
