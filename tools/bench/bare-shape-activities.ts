// The activities of the bare real shape: the same work on files and processes as the tools', and answers of the same size.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startHeartbeat } from '../../src/activities/base/heartbeat.ts';
import type { Pace } from './pace.ts';
import { commandAt, readPath, type ShapeFolders, logText, writeBytes } from './shape-content.ts';

export type BareShapeCall = {
  sessionId: string;
  turn: number;
  part: number;
  resultBytes: number;
  text: string;
};
type Answer = { text: string; isLast?: boolean };
type Activity = (call: BareShapeCall) => Promise<Answer>;
export type BareShapeActivities = Record<'shapeModel' | 'shapeRead' | 'shapeBash' | 'shapeWrite', Activity>;

export function createBareShapeActivities(
  pace: Pace,
  turns: number,
  { readable, writable }: ShapeFolders,
): BareShapeActivities {
  const written = logText(writeBytes);
  return {
    shapeModel: answering(async ({ sessionId, turn }) => {
      await pace.reach(sessionId, turn);
      return turn > turns;
    }),
    shapeRead: answering(async ({ part }) => {
      await readFile(join(readable, readPath(part)), 'utf8');
    }),
    shapeBash: answering(async ({ turn }) => {
      await promisify(execFile)('bash', ['-c', commandAt(turn)], { cwd: readable });
    }),
    shapeWrite: answering(async ({ sessionId, turn }) => {
      await writeFile(join(writable, `${sessionId}-${turn}.txt`), written);
    }),
  };
}

/** Sends the heartbeats of a session's activities. */
function answering(work: (call: BareShapeCall) => Promise<boolean | void>): Activity {
  return async (call) => {
    const heartbeat = startHeartbeat(() => ({ attempt: 1 }));
    try {
      const isLast = await work(call);
      return { text: 'x'.repeat(Math.max(call.resultBytes - 20, 0)), ...(isLast === true && { isLast }) };
    } finally {
      heartbeat.stop();
    }
  };
}
