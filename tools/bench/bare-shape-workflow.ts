// The yardstick of the real shape: the same activities a turn in the same order, with payloads of the same sizes, and
// nothing else. Runs in the workflow sandbox.
import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { BareShapeActivities } from './bare-shape-activities.ts';

/** Bytes of each payload, the same as in a session. */
export type Sizes = { input: number; result: number };
export type BareActivityName = keyof BareShapeActivities;
export type BareShapeInput = {
  sessionId: string;
  sizes: Record<BareActivityName, Sizes>;
  reads: number;
  /** Set by continue-as-new only. */
  done?: number;
};

const options = { startToCloseTimeout: '65 seconds', heartbeatTimeout: '10 seconds' } as const;
const activities = proxyActivities<BareShapeActivities>(options);

/** The same limit as in a session. */
const maxHistoryBytes = 3 * 1024 * 1024;

export async function bareShape(input: BareShapeInput): Promise<number> {
  const { sessionId, sizes, reads } = input;
  const kept: string[] = [];
  for (let turn = (input.done ?? 0) + 1; ; turn += 1) {
    const call = (name: BareActivityName, part = 0) =>
      activities[name]({
        sessionId,
        turn,
        part,
        resultBytes: sizes[name].result,
        text: filler(sizes[name].input),
      });
    const reply = await call('shapeModel');
    kept.push(reply.text);
    if (reply.isLast) break;
    // one by one, as a session runs a reply that has a command or a write (TOOL-10b)
    for (let part = 0; part < reads; part += 1) kept.push((await call('shapeRead', part)).text);
    for (const name of ['shapeBash', 'shapeWrite'] as const) kept.push((await call(name)).text);
    const { continueAsNewSuggested, historySize } = workflowInfo();
    if (continueAsNewSuggested || historySize >= maxHistoryBytes)
      return continueAsNew<typeof bareShape>({ ...input, done: turn });
  }
  return kept.length;
}

/** Room for the fields beside the text. */
const ownBytes = 90;

function filler(bytes: number): string {
  return 'x'.repeat(Math.max(bytes - ownBytes, 0));
}
