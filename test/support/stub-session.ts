// A session as small as the client can be tested against: the real names and types of workflow-api, no loop. A
// follow-up adds an event, "hand over" continues as new, shutdown ends it. Runs in the workflow sandbox.
import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { AgentEvent } from '../../src/core/model/events.ts';
import type { SessionResult } from '../../src/core/model/run-result.ts';
import { noThoughts } from '../../src/core/state/thoughts.ts';
import type { PromptInput, SessionInput } from '../../src/core/model/session-input.ts';
import type { FollowUpMessage, Snapshot } from '../../src/core/model/snapshot.ts';
import * as api from '../../src/workflows/workflow-api.ts';

const kept = 20;
type Carried = { events: AgentEvent[]; last: number; closed: boolean };

const { callModel } = proxyActivities<{ callModel(): Promise<void> }>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
});

export async function agentSession(input: SessionInput): Promise<SessionResult> {
  const state = restore(input.carried);
  const { workflowId } = workflowInfo();
  const due = { handOver: false };
  const add = (text: string): void => {
    state.last += 1;
    const event = {
      seq: state.last,
      at: 0,
      type: 'message_end',
      role: 'user',
      messageSeq: state.last,
      text,
    } as const;
    state.events = [...state.events, event].slice(-kept);
  };
  setHandler(api.getEventsQuery, (after, limit = 250) => {
    const firstSeq = state.events[0]?.seq ?? 1;
    const events = state.events.filter(({ seq }) => seq > after).slice(0, limit);
    return { events, firstSeq, lastSeq: state.last, truncated: after + 1 < firstSeq };
  });
  setHandler(api.snapshotQuery, () => snapshot(workflowId, state.last));
  setHandler(api.pendingApprovalsQuery, () => []);
  setHandler(api.signals.followUp, ({ message }: FollowUpMessage) => {
    const text = typeof message === 'string' ? message : 'parts';
    if (text === 'hand over') due.handOver = true;
    else if (text === 'think') void callModel().then(() => add('thought'));
    else add(text);
  });
  setHandler(api.signals.shutdown, () => void (state.closed = true));
  const refuse = (_prompt: PromptInput): { runId: string } => ({ runId: 'never' });
  setHandler(api.updates.prompt, refuse, {
    validator: (_prompt: PromptInput): void => {
      throw ApplicationFailure.create({ type: 'RunInProgress', message: 'A run is in progress.' });
    },
  });
  await condition(() => due.handOver || state.closed);
  await condition(allHandlersFinished);
  if (due.handOver) return continueAsNew<typeof agentSession>({ ...input, carried: toJson(state) });
  return result(workflowId, state.last);
}

/** What continue-as-new carried is our own. */
function restore(carried: SessionInput['carried']): Carried {
  return (carried as Carried | undefined) ?? { events: [], last: 0, closed: false };
}

function toJson(state: Carried): object {
  return JSON.parse(JSON.stringify(state));
}

function snapshot(sessionId: string, lastEventSeq: number): Snapshot {
  return {
    sessionId,
    workflowRunId: '',
    task: '',
    state: 'thinking' as const,
    tools: [],
    loadedGroups: [],
    loadedSkills: [],
    turn: 1,
    messageCount: 0,
    lastSeq: 0,
    lastEventSeq,
    isStreaming: true,
    streaming: { callId: 'r/1', turn: 1, messageSeq: 1 },
    queueModes: { steering: 'one-at-a-time', followUp: 'one-at-a-time' },
    pendingToolCalls: [],
    receipts: [],
    queues: { steering: [], followUp: [] },
    usage: {},
    costUsd: 0,
    toolCalls: 0,
    budget: {},
    approvals: [],
    questions: [],
    allowances: [],
    name: '',
    configName: '',
    prefix: '',
    parent: '',
    depth: 0,
    children: [],
    continuedAsNew: 0,
    labels: {},
  };
}

function result(sessionId: string, events: number): SessionResult {
  return {
    sessionId,
    runId: 'r',
    status: 'completed',
    answer: `${events} events`,
    content: '',
    thoughts: noThoughts,
    newMessages: { fromSeq: 1, toSeq: 1 },
    usage: {},
    costUsd: 0,
    turns: 1,
    toolCalls: 0,
    condenses: 0,
    startedAt: 0,
    endedAt: 1,
    undelivered: [],
  };
}
