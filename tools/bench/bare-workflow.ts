// The yardstick: a Temporal workflow with the same two activities a turn and nothing else of an agent. Runs in the
// workflow sandbox. What costs the same whatever a session does is here: payloads of the same sizes
// (test/end-to-end/bench-control.test.ts), time limits, heartbeats, the kept messages, a hand-over as early.
// What a session adds is not: summaries, search attributes, policy, artifacts, events, queues.
import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { CallModelInput, ToolCallInput } from '@holdfast/vocabulary/activity-contracts';
import type { BareActivities, BareMessage } from './bare-activities.ts';

export type BareInput = {
  sessionId: string;
  /** Keeps the workflow cached after the last turn until it is told to end. */
  stay?: boolean;
  /** Set by continue-as-new only. */
  done?: number;
};

// the server keeps a timer for each limit of each activity
const { bareModel } = proxyActivities<Pick<BareActivities, 'bareModel'>>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '10 seconds',
});
const { bareTool } = proxyActivities<Pick<BareActivities, 'bareTool'>>({
  startToCloseTimeout: '65 seconds',
  heartbeatTimeout: '10 seconds',
});

/** Hands over as early as a session does; an unbounded history would slow the yardstick down. */
const maxEvents = 3_000;

export async function bareAgent(input: BareInput): Promise<number> {
  const { sessionId } = input;
  let ended = false;
  setHandler(defineSignal('end'), () => {
    ended = true;
  });
  // kept, as any agent keeps its transcript: an idle bare workflow holds the same content as an idle session
  const messages: BareMessage[] = [];
  for (let turn = (input.done ?? 0) + 1; ; turn += 1) {
    const reply = await bareModel(modelInput(sessionId, turn));
    messages.push(reply.message);
    if (reply.calls.length === 0) break;
    for (const call of reply.calls) {
      messages.push((await bareTool(toolInput(sessionId, turn, call.callId))).message);
    }
    const info = workflowInfo();
    if (info.continueAsNewSuggested || info.historyLength > maxEvents) {
      return continueAsNew<typeof bareAgent>({ ...input, done: turn });
    }
  }
  if (input.stay === true) await condition(() => ended);
  return messages.length;
}

/** As long as a digest of packages/base/src: two of them are in every input and every result. */
const digest = '0123456789abcdef'.repeat(2);

const head = (sessionId: string, turn: number, toSeq: number) => ({
  sessionId,
  runId: 'run-1',
  turn,
  contextDigest: digest,
  view: { epoch: 1, fromSeq: 1, toSeq },
});

/** Byte for byte as large as a session's input of its model activity: encoding and storing it is not ours. */
function modelInput(sessionId: string, turn: number): CallModelInput {
  const toSeq = 2 * turn - 1;
  // in a session's first turn the prompt itself, afterwards the call and its result by their digests
  const unseen = [toSeq - 1, toSeq].map((seq) => ({ seq, digest }));
  return { ...head(sessionId, turn, toSeq), unseen, toolChoice: 'auto' };
}

/** As large as the input of a tool activity. */
function toolInput(sessionId: string, turn: number, callId: string): ToolCallInput {
  return { ...head(sessionId, turn, 2 * turn), callId, args: { part: turn }, argsDigest: digest };
}
