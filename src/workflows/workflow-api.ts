// Definitions of every signal, update and query of a session: shared by the workflow and its clients.
// Wire names drop the suffix (steerSignal is "steer"), so that any language can send them.
import type { QueryDefinition, SignalDefinition, UpdateDefinition } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { CheckpointPage } from '../core/checkpoint/checkpoint.ts';
import type { FrozenContext } from '../core/model/frozen-context.ts';
import { internalQueries } from '../core/model/outer-names.ts';
import type { SessionQueries, SessionSignals, SessionUpdates } from '../core/model/session-api.ts';

/** The workflow type under which any caller starts a session. */
export const agentSessionType = 'agentSession';

type SignalName = keyof SessionSignals;
type UpdateName = keyof SessionUpdates;
type QueryName = keyof SessionQueries;

function signal<Name extends SignalName>(name: Name): SignalDefinition<SessionSignals[Name], Name> {
  return defineSignal(name);
}
function update<Name extends UpdateName>(
  name: Name,
): UpdateDefinition<SessionUpdates[Name]['answer'], SessionUpdates[Name]['args'], Name> {
  return defineUpdate(name);
}
function query<Name extends QueryName>(
  name: Name,
): QueryDefinition<SessionQueries[Name]['answer'], SessionQueries[Name]['args'], Name> {
  return defineQuery(name);
}

/** By wire name; the payloads are in core/model/session-api.ts, the rules in core/session/requests.ts. */
export const signals = {
  steer: signal('steer'),
  followUp: signal('followUp'),
  abort: signal('abort'),
  resume: signal('resume'),
  clearQueues: signal('clearQueues'),
  clearSteering: signal('clearSteering'),
  clearFollowUp: signal('clearFollowUp'),
  setQueueMode: signal('setQueueMode'),
  resolveApproval: signal('resolveApproval'),
  forgetAllowance: signal('forgetAllowance'),
  answerQuestion: signal('answerQuestion'),
  reset: signal('reset'),
  shutdown: signal('shutdown'),
  childUpdate: signal('childUpdate'),
  setModel: signal('setModel'),
  setSystemPrompt: signal('setSystemPrompt'),
  setThinkingLevel: signal('setThinkingLevel'),
  setTools: signal('setTools'),
  setToolExecution: signal('setToolExecution'),
  setMode: signal('setMode'),
} satisfies { [Name in SignalName]: SignalDefinition<SessionSignals[Name], Name> };

export const updates = {
  prompt: update('prompt'),
  continue: update('continue'),
  extendBudget: update('extendBudget'),
  answer: update('answer'),
  resolveApproval: update('resolveApproval'),
  forgetAllowance: update('forgetAllowance'),
  answerQuestion: update('answerQuestion'),
  condense: update('condense'),
  cancelQueued: update('cancelQueued'),
} satisfies { [Name in UpdateName]: object };

export const snapshotQuery = query('snapshot');
export const getEventsQuery = query('getEvents');
export const getMessagesQuery = query('getMessages');
export const getResultQuery = query('getResult');
export const planQuery = query('plan');
export const getReceiptQuery = query('getReceipt');
export const queuedQuery = query('queued');
export const pendingApprovalsQuery = query('pendingApprovals');
export const pendingQuestionsQuery = query('pendingQuestions');

/** Internal: the checkpoint in any size, without the messages' records, as pages of its JSON text. */
export const getCheckpointPageQuery = defineQuery<CheckpointPage, [number]>(
  internalQueries.getCheckpointPage,
);
/** Internal: the frozen context by digest. */
export const getFrozenContextQuery = defineQuery<FrozenContext | null, [string]>(
  internalQueries.getFrozenContext,
);
