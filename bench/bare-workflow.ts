// The yardstick: a Temporal workflow with the same two activities a turn and nothing else of an agent.
// Runs in the workflow sandbox. Same payload sizes, timeouts and heartbeats as a session; no summaries,
// attributes, policy or artifacts.
import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { BareActivities, BareMessage } from './bare-activities.ts';

export type BareInput = {
  sessionId: string;
  turns: number;
  /** Stay cached after the last turn until told to end. */
  stay?: boolean;
  /** Set by continue-as-new. */
  done?: number;
};

const { bareModel, bareTool } = proxyActivities<BareActivities>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { maximumAttempts: 3 },
});

/** Hands over as early as a session does; an unbounded history would slow the yardstick down. */
const maxEvents = 3_000;

export async function bareAgent(input: BareInput): Promise<number> {
  const { sessionId, turns } = input;
  let ended = false;
  setHandler(defineSignal('end'), () => {
    ended = true;
  });
  // kept, as any agent keeps its transcript: an idle bare workflow holds the same content as an idle session
  const messages: BareMessage[] = [];
  for (let turn = (input.done ?? 0) + 1; ; turn += 1) {
    const reply = await bareModel(modelInput(sessionId, turn, turns));
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

const digest = '0123456789abcdef'.repeat(4);

const head = (sessionId: string, turn: number) => ({
  sessionId,
  runId: `${sessionId}/run-1`,
  turn,
  view: { epoch: 0, fromSeq: 1, toSeq: 2 * turn - 1 },
});

/** As large as the input that a session gives its model activity. */
function modelInput(sessionId: string, turn: number, turns: number) {
  const unseen = [2 * turn - 2, 2 * turn - 1].map((seq) => ({ seq, digest }));
  return { ...head(sessionId, turn), turns, contextDigest: digest, unseen, toolChoice: 'auto' as const };
}

/** As large as the input of a tool activity. */
function toolInput(sessionId: string, turn: number, callId: string) {
  return {
    ...head(sessionId, turn),
    ...{ callId, args: { part: turn }, argsDigest: digest, resultCap: 32_000, contextDigest: digest },
  };
}
