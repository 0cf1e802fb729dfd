// The kills of `holdfast demo --crash`: waits until the session is in the middle of a model call, of a tool, and
// of the tool that must not run twice, kills the worker there, starts another and measures when work continued.
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PendingCall } from './pending-activities.ts';

export type CrashScene = {
  readPending(): Promise<PendingCall[]>;
  /** Kills the worker with SIGKILL; resolves with its pid when it is gone. */
  killWorker(): Promise<number>;
  /** Starts the next one; resolves with its pid when it polls. */
  startWorker(): Promise<number>;
  /** The session's current turn, for people. */
  turn(): number;
  say(line: string): void;
  /** Ends an open line: the model's text may be in one when its worker is killed. */
  breakLine(): void;
  /** While this file exists, the `once` tool waits between its effect and its answer, and makes `<file>.reached`. */
  holdFile: string;
  /** Activity type of that tool. */
  onceTool: string;
};

export type Crash = {
  where: 'model call' | 'tool' | 'once tool';
  activity: string;
  turn: number;
  pid: number;
  nextPid: number;
  /** Seconds from the kill until the activity ran again, or the workflow had an answer for it. */
  seconds: number;
  /** The attempt that runs now; undefined if the activity was not started again. */
  attempt?: number;
};

type Moment = { where: Crash['where']; find(pending: PendingCall[]): PendingCall | undefined };

const pollMs = 150;

/**
 * Makes every kill whose moment comes before `signal` aborts (the session's end); the rest is left out. A kill that took
 * nothing, because the answer was there just before, is in the list, too, without an attempt, and is made again.
 */
export async function makeCrashes(scene: CrashScene, signal: AbortSignal): Promise<Crash[]> {
  await writeFile(scene.holdFile, '');
  const crashes: Crash[] = [];
  let moments = momentsOf(scene);
  while (moments.length > 0 && !signal.aborted) {
    const pending = await scene.readPending();
    const moment = moments.find(({ find }) => find(pending) !== undefined);
    const activity = moment?.find(pending);
    if (moment === undefined || activity === undefined) {
      await sleep(pollMs, undefined, { signal }).catch(() => undefined);
      continue;
    }
    const made = await crash(scene, moment, activity, signal);
    crashes.push(made);
    // a kill that came after the answer took nothing: another of its kind follows
    const isDone = made.attempt !== undefined || moment.where === 'once tool';
    if (isDone) moments = moments.filter((other) => other !== moment);
  }
  await rm(scene.holdFile, { force: true });
  return crashes;
}

function momentsOf({ onceTool, holdFile }: CrashScene): Moment[] {
  return [
    {
      where: 'model call',
      // in its second turn or later, with some text: so it is in the middle of the call
      find: (pending) =>
        pending.find(
          ({ type, started, heartbeat }) =>
            type === 'callModel' && started && (heartbeat.turn ?? 0) > 1 && (heartbeat.partial ?? '') !== '',
        ),
    },
    {
      where: 'tool',
      // the first heartbeat comes after most of a second, so this tool takes its time
      find: (pending) =>
        pending.find(
          ({ type, started, heartbeat }) =>
            type.startsWith('tool.') && type !== onceTool && started && heartbeat.callId !== undefined,
        ),
    },
    {
      where: 'once tool',
      // held after its effect; its heartbeat shows that the task that started it is over and is not killed with it
      find: (pending) =>
        existsSync(`${holdFile}.reached`)
          ? pending.find(
              ({ type, started, heartbeat }) =>
                type === onceTool && started && heartbeat.callId !== undefined,
            )
          : undefined,
    },
  ];
}

async function crash(
  scene: CrashScene,
  { where }: Moment,
  activity: PendingCall,
  signal: AbortSignal,
): Promise<Crash> {
  const turn = activity.heartbeat.turn ?? scene.turn();
  const pid = await scene.killWorker();
  const killedAt = performance.now();
  scene.breakLine();
  scene.say(`worker ${pid} killed with SIGKILL in turn ${turn}, ${describePlace(where, activity)}`);
  if (where === 'once tool') await rm(scene.holdFile, { force: true });
  const nextPid = await scene.startWorker();
  scene.say(`worker ${nextPid} started in its place`);
  const next = await whenItContinues(scene, activity, signal);
  const seconds = (performance.now() - killedAt) / 1_000;
  scene.say(
    `turn ${turn} continued ${seconds.toFixed(1)} s after the kill: ${describeNext(where, activity.type, next)}`,
  );
  const attempt = next === undefined ? {} : { attempt: next.attempt };
  return { where, activity: activity.type, turn, pid, nextPid, seconds, ...attempt };
}

function describePlace(where: Crash['where'], { type, heartbeat }: PendingCall): string {
  switch (where) {
    case 'model call':
      return `in the middle of the model call ("${(heartbeat.partial ?? '').slice(-40)}…")`;
    case 'tool':
      return `in the middle of ${type}`;
    case 'once tool':
      return `in ${type}, after its effect and before its report`;
  }
}

function describeNext(where: Crash['where'], type: string, next: PendingCall | undefined): string {
  if (next !== undefined) return `attempt ${next.attempt} of ${type}`;
  return where === 'once tool' ? `${type} is not run again` : `${type} had answered just before`;
}

/** The next attempt once it runs; undefined if the workflow had an answer without one. */
async function whenItContinues(
  scene: CrashScene,
  { id, attempt }: PendingCall,
  signal: AbortSignal,
): Promise<PendingCall | undefined> {
  while (!signal.aborted) {
    const current = (await scene.readPending()).find((one) => one.id === id);
    if (current === undefined || (current.attempt > attempt && current.started)) return current;
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}
