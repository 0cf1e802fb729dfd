// `npm run bench -- --telemetry`: the time of a turn with the log alone, with metrics, and with traces as well, against a worker
// without any of it. Each in a process of its own, because the SDK's runtime is one for a process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { spread, type Spread } from './statistics.ts';

/** `off` is what ships: lines of the log, and meters that do nothing. */
const telemetries = ['none', 'off', 'metrics', 'traces'] as const;
type Telemetry = (typeof telemetries)[number];

export const blockTurns = 40;
export const measuredBlocks = 4;
const rounds = 3;

export type TelemetryResults = Record<Telemetry, Spread & { overNone: number }>;

export function isTelemetry(text: string): text is Telemetry {
  return telemetries.some((name) => name === text);
}

type Setting = { address: string; artifactsDir: string; say(line: string): void };

export async function measureTelemetry(setting: Setting): Promise<TelemetryResults> {
  const times: Record<Telemetry, number[]> = { none: [], off: [], metrics: [], traces: [] };
  for (let round = 1; round <= rounds; round += 1) {
    for (const telemetry of telemetries) {
      const measured = await measureChild(telemetry, round, setting);
      times[telemetry].push(...measured);
      setting.say(`round ${round}, ${telemetry}: ${spread(measured).median.toFixed(1)} ms a turn`);
    }
  }
  const base = spread(times.none).median;
  const figures = telemetries.map((name) => {
    const found = spread(times[name]);
    return [name, { ...found, overNone: found.median / base }];
  });
  return Object.fromEntries(figures) as TelemetryResults;
}

export function toTelemetryTable(results: TelemetryResults): string {
  return telemetries
    .map((name) => {
      const { median, low, high, overNone } = results[name];
      const range = `${low.toFixed(1)} to ${high.toFixed(1)}`;
      return `${name.padEnd(8)} ${median.toFixed(1).padStart(6)} ms a turn (${range}), ${overNone.toFixed(2)} times that without`;
    })
    .join('\n');
}

async function measureChild(
  telemetry: Telemetry,
  round: number,
  { address, artifactsDir }: Setting,
): Promise<number[]> {
  const args = [telemetry, address, artifactsDir, `bench-telemetry-${telemetry}-${round}`];
  const child = fork(join(import.meta.dirname, 'telemetry-child.ts'), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const answer = once(child, 'message') as Promise<[{ msPerTurn: number[] }]>;
  const first = await Promise.race([answer, ended.then(() => undefined)]);
  if (first === undefined) throw new Error(`The telemetry child of ${telemetry} ended without an answer.`);
  await ended;
  return first[0].msPerTurn;
}
