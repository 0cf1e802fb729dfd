// The answers of the queries, derived from state and inbox when asked. Pure.
import type { FrozenContext } from '../model/frozen-context.ts';
import type { AgentState } from '../model/agent-state.ts';
import type { OpenMessage } from './agent-store.ts';
import type { WaitingFor } from '../model/events.ts';
import type { Inbox } from './inbox.ts';
import { budgetOf } from '../state/limits.ts';
import type { PendingApproval, Snapshot } from '../model/snapshot.ts';

/** What only the host of the loop knows. */
export type HostFacts = {
  workflowRunId: string;
  lastEventSeq: number;
  waitingFor?: WaitingFor;
  waitingReason?: string;
  openMessage?: OpenMessage | undefined;
  approvals: PendingApproval[];
  continuedAsNew: number;
  labels: Record<string, string>;
};

const shownReceipts = 20;

export function snapshotOf(state: AgentState, inbox: Inbox, host: HostFacts): Snapshot {
  const { run, context, lastResult } = state;
  return {
    sessionId: state.sessionId,
    workflowRunId: host.workflowRunId,
    ...(context ? ofContext(context) : {}),
    task: state.task,
    state: state.status,
    ...(host.waitingFor ? { waitingFor: host.waitingFor } : {}),
    ...(host.waitingReason === undefined ? {} : { waitingReason: host.waitingReason }),
    tools: context?.tools.map((tool) => tool.name) ?? [],
    loadedGroups: state.loadedGroups ?? [],
    ...(run ? { runId: run.runId } : {}),
    turn: run?.turn ?? lastResult?.turns ?? 0,
    messageCount: state.log.nextSeq - 1,
    lastSeq: state.log.nextSeq - 1,
    lastEventSeq: host.lastEventSeq,
    isStreaming: run !== undefined || inbox.hasPrompt,
    ...(host.openMessage ? { streaming: streamingOf(host.openMessage) } : {}),
    pendingToolCalls:
      run?.batch.filter((entry) => entry.started && !entry.answer).map((entry) => entry.call.callId) ?? [],
    ...(state.errorMessage === undefined ? {} : { errorMessage: state.errorMessage }),
    queues: { steering: inbox.ids('steering'), followUp: inbox.ids('followUp') },
    queueModes: { steering: inbox.modeOf('steering'), followUp: inbox.modeOf('followUp') },
    receipts: inbox.newestReceipts(shownReceipts),
    usage: state.usage,
    costUsd: state.costUsd,
    toolCalls: state.toolCalls,
    budget: budgetOf(state),
    approvals: host.approvals,
    ...(lastResult ? { lastStatus: lastResult.status } : {}),
    ...(lastResult?.error ? { error: lastResult.error } : {}),
    continuedAsNew: host.continuedAsNew,
    labels: host.labels,
  };
}

function ofContext(
  context: FrozenContext,
): Pick<Snapshot, 'agent' | 'model' | 'systemPrompt' | 'thinkingLevel'> {
  const { agent, model, digest, systemPromptDigest: hash, settings } = context;
  const systemPrompt = { ref: digest, ...(hash === undefined ? {} : { hash }) };
  return { agent, model, systemPrompt, thinkingLevel: settings.thinkingLevel };
}

/** A turn may ask its model more than once (after an overflow): then messageSeq tells the calls apart. */
function streamingOf({ runId, turn, messageSeq }: OpenMessage): NonNullable<Snapshot['streaming']> {
  return { callId: `${runId}/${turn}`, turn, messageSeq };
}
