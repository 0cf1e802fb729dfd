// A row of the bench, and its surroundings: a folder, and a server that starts when the first row needs it.
import { join } from 'node:path';
import type { Figure } from './figures.ts';
import { Pace } from './pace.ts';
import type { SideName } from './side.ts';
import { openSides, type Sides } from './sides.ts';

export type Bench = {
  dir: string;
  say(line: string): void;
  /** Address of the one server that all rows share. */
  address(): Promise<string>;
  /** Process id of that server. */
  pid(): Promise<number>;
};

export type BenchRow = {
  /** The row's name for `--only`. */
  name: string;
  what: string;
  /** Runs only if it is named. */
  alone?: true;
  measure(bench: Bench): Promise<Figure[]>;
};

export type Opened = Omit<Sides, 'close'> & { pace: Pace };

export const artifactFolder = ({ dir }: Bench): string => join(dir, 'artifacts');

/** Opens these sides for `work`, warmed up: code is compiled, and connections are open. `name` is that of the task queues. */
export async function withSides<Result>(
  bench: Bench,
  name: string,
  names: SideName[],
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const pace = new Pace();
  const address = await bench.address();
  const setting = {
    address,
    pace,
    names,
    taskQueuePrefix: `bench-${name}`,
    artifactsDir: artifactFolder(bench),
  };
  const { client, sides, close } = await openSides(setting);
  for (const side of names) {
    await sides[side].start(`bench-warm-${name}-${side}`, { turns: 100 });
    await sides[side].ended(`bench-warm-${name}-${side}`);
  }
  const result = await work({ client, sides, pace });
  await close();
  return result;
}
