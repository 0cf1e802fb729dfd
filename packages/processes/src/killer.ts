// Stops a program and everything that it started: TERM, then KILL. Runs in Node.
import type { ChildProcess } from 'node:child_process';
import { killAll, markedProcesses, processTree } from './process-tree.ts';

export type Stop =
  | 'aborted'
  | 'timed_out'
  | 'output_limit'
  | 'memory_limit'
  | 'process_limit'
  | 'write_limit';

/** Set in the program's environment; finds processes that left the group. */
export const markName = 'HOLDFAST_PROCESS';
const terminateGraceMs = 1_000;
/** Time after KILL until a process counts as impossible to kill. */
const unkillableMs = 1_000;

export type Killer = ReturnType<typeof createKiller>;

export function createKiller(child: ChildProcess, mark: string, supervisor: boolean) {
  const pid = child.pid ?? 0;
  let stopped: Stop | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  // a hanging system call, e.g. on a dead network file system, survives KILL
  const { promise: unkillable, resolve: giveUp } = Promise.withResolvers<[null, null]>();
  const killMarked = (): void => {
    if (!supervisor) killAll(markedProcesses(`${markName}=${mark}`), 'SIGKILL');
  };
  const killForGood = (): void => {
    const children = supervisor ? [] : processTree(pid).slice(1);
    killAll([-pid, ...children], 'SIGKILL');
    killMarked();
    timer = setTimeout(giveUp, unkillableMs, [null, null]);
  };
  return {
    unkillable,
    /** The first reason counts. TERM comes first, so that a program can clean up. */
    stop(reason: Stop): void {
      if (stopped || isOver) return;
      stopped = reason;
      if (reason !== 'aborted' && reason !== 'timed_out') return killForGood();
      killAll(processTree(pid).slice(supervisor ? 1 : 0), 'SIGTERM');
      timer = setTimeout(killForGood, terminateGraceMs);
    },
    stopped: () => stopped,
    /** Call it when the program has ended: kills what it left in its group or marked. Its pid may be reused from now on. */
    end(): void {
      isOver = true;
      clearTimeout(timer);
      killAll([-pid], 'SIGKILL');
      killMarked();
    },
    killMarked,
  };
}
