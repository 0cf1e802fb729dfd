// Every query that a session answers, by its wire name. Pure: reads the state and changes nothing.
import { defined } from '@holdfast/base/defined';
import { comparedText } from '@holdfast/base/sizes';
import { agentInput, checkpointOf, toQueryAnswer, pageOfCheckpoint } from '../checkpoint/checkpoint.ts';
import type { ViewPage } from '@holdfast/vocabulary/activity-contracts';
import type { QueueName } from '@holdfast/vocabulary/events';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import { mergeOptions, toStart } from '@holdfast/vocabulary/merge-options';
import { textOf } from '@holdfast/vocabulary/messages';
import { createScheduleName, internalQueries } from '@holdfast/vocabulary/outer-names';
import type { Checkpoint, SessionInput } from '@holdfast/vocabulary/session-input';
import type { QueuedText, Receipt } from '@holdfast/vocabulary/snapshot';
import { budgetOf, spentBudget, turnLimitReached } from '../state/limits.ts';
import { modesNow } from '../tools/modes.ts';
import { pageOf, viewPageOf } from '@holdfast/view/log';
import { queueNames } from './inbox.ts';
import type { Session } from './session.ts';
import { snapshotOf } from './snapshot-of.ts';
import type { CheckpointPage } from '../checkpoint/checkpoint.ts';
import type { SessionQueries } from '@holdfast/vocabulary/session-operations';

type Answer<Args extends unknown[], Value> = (session: Session, ...args: Args) => Value;
type Answers = {
  [Name in keyof SessionQueries]: Answer<SessionQueries[Name]['args'], SessionQueries[Name]['answer']>;
};
type InternalName = (typeof internalQueries)[keyof typeof internalQueries];

export const queryRules = {
  snapshot: snapshotOf,
  pendingApprovals: ({ approvals, childWaits }) => [...approvals.unmasked, ...childWaits.approvals],
  pendingQuestions: ({ allQuestions }) => allQuestions,
  getEvents: ({ events }, afterSeq, limit?: number) => events.page(afterSeq, limit),
  getMessages: ({ state }, afterSeq, limit?: number) => pageOf(state, afterSeq + 1, limit),
  /** The result of the last run; null for any other run id. */
  getResult({ state: { lastResult } }, runId?: string) {
    return lastResult && (runId === undefined || lastResult.runId === runId) ? lastResult : null;
  },
  plan: ({ state }) => state.plan ?? null,
  getReceipt: receiptOf,
  queued: ({ inbox }) => inbox.texts(),
  hasQueuedMessages: ({ inbox }) => queueNames.some((queue) => inbox.waiting(queue) > 0),
  checkpoint: (session) => toQueryAnswer(currentCheckpoint(session), session.state.log.records),
  [internalQueries.getCheckpointPage](session: Session, offset: number): CheckpointPage {
    const checkpoint = currentCheckpoint(session);
    return pageOfCheckpoint(checkpoint, `${checkpoint.created_at}/${session.events.lastSeq}`, offset);
  },
  [internalQueries.getFrozenContext]: (
    { state: { context } }: Session,
    digest: string,
  ): FrozenContext | null => (context?.digest === digest ? context : null),
  [internalQueries.getView]: ({ state }: Session, epoch: number, fromSeq: number): ViewPage =>
    viewPageOf(state, epoch, fromSeq),
  [internalQueries.getInheritedStart]: inheritedStart,
} satisfies Answers & Record<InternalName, Answer<never[], unknown>>;

function currentCheckpoint(session: Session): Checkpoint {
  const { taskId, approvals, questions, inbox, state } = session;
  const now = session.now();
  const awaiting = [...approvals.pending, ...questions.pending].map(({ id }) => id);
  const { steering: steeringMode, followUp: followUpMode } = inbox.chosen;
  // a session that begins from it starts with the modes that people set
  const input = mergeOptions(session.input, { queues: defined({ steeringMode, followUpMode }) });
  // an export ends the wait: a session that begins from it asks anew
  const waitedMs = (state.run?.waitedMs ?? 0) + now - (session.waitsSince ?? now);
  const waited = state.run && { run: { ...state.run, waitedMs } };
  return checkpointOf({ ...state, ...waited }, { taskId, input, now, awaiting });
}

/** As its sender reads it: while it waits, with the run that reads it. */
function receiptOf(session: Session, id: string, sent?: QueuedText): Receipt | null {
  const receipt = session.inbox.receipt(id);
  if (receipt && sent && isOther(session, receipt, sent))
    return { id, queue: sent.queue, state: 'refused', reason: 'IdTaken' };
  if (receipt?.state !== 'queued') return receipt ?? null;
  const readIn = readBy(session, receipt.queue);
  if (readIn === undefined) return { ...receipt, readIn: session.closing ? 'no_run' : 'next_run' };
  // an interrupting message ends the wait
  const after = session.state.run && !session.stop ? session.waitingFor : undefined;
  return { ...receipt, readIn, ...defined({ after }) };
}

/** True if the id is that of another message, as far as the session has its words. */
function isOther({ inbox, state }: Session, { id, queue }: Receipt, sent: QueuedText): boolean {
  const taken = state.log.records.find((record) => 'messageId' in record && record.messageId === id);
  const held = inbox.texts().find((queued) => queued.id === id)?.text ?? (taken && textOf(taken));
  return queue !== sent.queue || (held !== undefined && held.slice(0, comparedText) !== sent.text);
}

/** Undefined if a limit that is known now, or an end, comes before the run would take it. */
function readBy(session: Session, queue: QueueName): 'run' | 'run_if_answered' | undefined {
  const { state, settings, inbox, stop, openMessage } = session;
  const { run } = state;
  if (!run) return session.busy || (inbox.hasIdleMessage && !session.closing) ? 'run' : undefined;
  if (run.end || run.completion || stop === 'abort') return undefined;
  // a request on its way does not have the message, unless the message has stopped it
  const isAsked = openMessage !== undefined && stop === undefined && session.operatorReason === undefined;
  if (run.final)
    return queue === 'steering' && !isAsked && run.responses === run.final.responses ? 'run' : undefined;
  const next = isAsked ? { ...run, cursor: 'answered' as const, responses: run.responses + 1 } : run;
  if (spentBudget(next, budgetOf(state), session.now()) !== undefined) return undefined;
  const { onLimit, maxTurns } = settings.loop;
  if (!turnLimitReached(next, maxTurns)) return 'run';
  const isCounted = queue === 'steering' || settings.queues.followUpBudget === 'shared';
  if (isCounted && onLimit === 'error') return undefined;
  if (queue === 'steering') return 'run';
  // after the last turn's calls comes at most one request, which follow-ups do not reach
  if (isAsked) return 'run_if_answered';
  return run.wantsReply ? undefined : 'run';
}

/**
 * The start of a session that an agent lets begin later, by itself, without its prompt: with the limits of its own session, and
 * no right more. It cannot make schedules: each of them would begin a new month.
 */
export function inheritedStart({
  input,
  settings,
  state,
}: Pick<Session, 'input' | 'settings' | 'state'>): SessionInput {
  const { window: _, ...about } = mergeOptions(agentInput(input), toStart(state.run?.settings ?? {}));
  const { budget, tools } = settings;
  return {
    ...about,
    mode: modesNow(state).mode,
    budget,
    tools: tools.filter((name) => name !== createScheduleName),
    ...defined({ agent: state.context?.agent, deliver: input.deliver }),
  };
}
