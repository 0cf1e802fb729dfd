// Definitions of every signal, update and query of a session: shared by the workflow and its clients.
// Wire names drop the suffix (steerSignal is "steer"), so that any language can send them.
import type { QueryDefinition, SignalDefinition, UpdateDefinition } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { CheckpointPage } from '../../core/checkpoint/checkpoint.ts';
import type { FrozenContext } from '../../../packages/vocabulary/src/frozen-context.ts';
import { internalQueries } from '../../../packages/vocabulary/src/outer-names.ts';
import type {
  SessionQueries,
  SessionSignals,
  SessionUpdates,
} from '../../../packages/vocabulary/src/session-api.ts';

/** The workflow type under which any caller starts a session. */
export const agentSessionType = 'agentSession';

type Signals = { [Name in keyof SessionSignals]: SignalDefinition<SessionSignals[Name], Name> };
type Updates = {
  [Name in keyof SessionUpdates]: UpdateDefinition<
    SessionUpdates[Name]['answer'],
    SessionUpdates[Name]['args'],
    Name
  >;
};
type QueryName = keyof SessionQueries;

function byName<Name extends string>(names: readonly Name[], define: (name: Name) => unknown) {
  return Object.fromEntries(names.map((name) => [name, define(name)])) as Record<Name, never>;
}
function query<Name extends QueryName>(
  name: Name,
): QueryDefinition<SessionQueries[Name]['answer'], SessionQueries[Name]['args'], Name> {
  return defineQuery(name);
}

/** By wire name; the payloads are in packages/vocabulary/src/session-api.ts, the rules in core/session/requests.ts. */
// oxfmt-ignore
export const signals: Signals = byName([
  'steer', 'followUp', 'abort', 'resume', 'clearQueues', 'clearSteering', 'clearFollowUp', 'setQueueMode',
  'resolveApproval', 'forgetAllowance', 'answerQuestion', 'reset', 'shutdown', 'childUpdate',
  'setModel', 'setSystemPrompt', 'setThinkingLevel', 'setTools', 'setToolExecution', 'setMode',
], defineSignal);

// oxfmt-ignore
export const updates: Updates = byName([
  'prompt', 'continue', 'extendBudget', 'answer', 'resolveApproval', 'forgetAllowance', 'answerQuestion', 'condense', 'cancelQueued',
  'takeBackFinding',
], defineUpdate);

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
