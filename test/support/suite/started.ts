// Counts everything that the tests of a file start, and the CPU time that it takes, so that the weight of a suite is seen in every run.
// Each test process counts for itself; the reporter adds the counts up.
import { serverName, startedChildren } from './children.ts';
import { statOf } from './process-tree.ts';

export type Started = {
  /** Temporal workers in the test process. */
  workers: number;
  /** By name of the program. */
  processes: Record<string, number>;
  /** Of the test process, in seconds. */
  ownCpu: number;
  /** Of its children that have ended, and theirs. */
  childCpu: number;
};

declare module 'vitest' {
  interface TaskMeta {
    started?: Started;
  }
}

let workers = 0;

export function countWorker(): void {
  workers += 1;
}

export function startedSoFar(): Started {
  const { own, ended } = statOf('self');
  return { workers, processes: startedChildren(), ownCpu: own, childCpu: ended };
}

export function startedSince(before: Started, now: Started): Started {
  const entries = Object.entries(now.processes).map(([name, count]): [string, number] => [
    name,
    count - (before.processes[name] ?? 0),
  ]);
  return {
    workers: now.workers - before.workers,
    processes: Object.fromEntries(entries.filter(([, count]) => count > 0)),
    ownCpu: now.ownCpu - before.ownCpu,
    childCpu: now.childCpu - before.childCpu,
  };
}

export function sumStarted(all: readonly Started[]): Started {
  const sum: Started = { workers: 0, processes: {}, ownCpu: 0, childCpu: 0 };
  for (const each of all) {
    sum.workers += each.workers;
    sum.ownCpu += each.ownCpu;
    sum.childCpu += each.childCpu;
    for (const [name, count] of Object.entries(each.processes))
      sum.processes[name] = (sum.processes[name] ?? 0) + count;
  }
  return sum;
}

/** Such as `Started: 12 workers, 3 Temporal servers, 40 other processes (node 30, git 10); CPU: 80 s here, 40 s in children`. */
export function describeStarted({ workers: count, processes: programs, ownCpu, childCpu }: Started): string {
  const { [serverName]: servers = 0, ...others } = programs;
  const sorted = Object.entries(others).toSorted(([, left], [, right]) => right - left);
  const total = sorted.reduce((sum, [, each]) => sum + each, 0);
  const names = sorted.slice(0, 8).map(([name, each]) => `${name} ${each}`);
  const named = names.length === 0 ? '' : ` (${names.join(', ')}${sorted.length > 8 ? ', ...' : ''})`;
  return (
    `Started: ${count} workers, ${servers} Temporal servers, ${total} other processes${named}; ` +
    `CPU: ${ownCpu.toFixed(0)} s in test processes, ${childCpu.toFixed(0)} s in their children`
  );
}
