// One request beside the loop: no tools, the model of its purpose or the next ones, and one whole text as the answer.
// Runs in activities. Every answer is booked, even a rejected one.
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { defined } from '@holdfast/base/defined';
import { type ModelFailureType, recoveryOf } from '@holdfast/base/failures';
import type { FrozenContext, FrozenModel } from '@holdfast/vocabulary/frozen-context';
import {
  type AssistantMessage,
  type Usage,
  noUsage,
  textOf,
  userMessage,
} from '@holdfast/vocabulary/messages';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';
import { type TurnPlace, type SideQuestion, sideRequest } from '@holdfast/vocabulary/model-requests';
import { toModelName } from '@holdfast/vocabulary/model-name';
import { estimateTokens } from '@holdfast/view/estimate';
import type { SummaryQuestion } from '@holdfast/view/summary-request';
import { startHeartbeat } from '../base/heartbeat.ts';
import type { WithModel } from '../hooks/hook-call.ts';
import type { HookQuestion } from '../hooks/hook-definition.ts';
import type { Redactor } from '@holdfast/redaction/redaction';
import { completeThroughHooks } from './around-call.ts';
import { type FallbackPlan, type Verdict, complete, modelsFor } from './complete.ts';
import { type ModelBill, createBill, resumeLedger } from './model-attempt.ts';
import { asBug, detailsOf, paidFor, withoutSecrets, withPaid } from './model-failure.ts';
import { withWastedOf } from './model-ledger.ts';
import type { ModelFailure } from '@holdfast/providers/model-provider';
import { type SendDeps, frozenSending } from './send.ts';

export type SideRequest = TurnPlace &
  SideQuestion & { purpose: keyof typeof answers; faultOf?: SummaryQuestion['faultOf'] };

/** Names of the answerer and of the answer, for messages of failures. */
const answers = {
  condense: { who: 'summariser', what: 'summary' },
  extract: { who: 'extractor', what: 'list' },
  planner: { who: 'planner', what: 'plan' },
  hook: { who: 'model of a hook', what: 'answer' },
} as const;

/** Keeps the bill of an activity's side requests over its attempts. A failure is final if another attempt cannot help. */
export async function billed<T>(
  redactor: Pick<Redactor, 'text'>,
  work: (bill: ModelBill) => Promise<T>,
): Promise<T & { usage: Usage; costUsd: number }> {
  const bill = createBill(resumeLedger(Context.current().info.heartbeatDetails));
  const heartbeat = startHeartbeat(() => ({ ledger: bill.current() }));
  try {
    const made = await work(bill);
    const { wasted: usage = noUsage, wastedUsd: costUsd = 0 } = bill.ledger;
    return { ...made, usage, costUsd };
  } catch (error) {
    // the next attempt starts with this bill
    heartbeat.beat();
    const { cancellationSignal } = Context.current();
    // a failure of the provider meanwhile is not cleaned, and nothing waits for it
    throw cancellationSignal.aborted
      ? cancellationSignal.reason
      : withoutSecrets(withPaid(asBug(error), bill.ledger), redactor);
  } finally {
    heartbeat.stop();
  }
}

/** Attempts of the activity with transient failures, before the next model is asked. */
const patience = 3;

/** The text of a whole answer. */
export async function askAside(
  deps: SendDeps,
  asked: SideRequest,
  context: FrozenContext,
  bill: ModelBill,
): Promise<string> {
  const { attempt } = Context.current().info;
  const request = sideRequest(context, { ...asked, attempt }, asked);
  const models = modelsFor(context, asked.purpose);
  const size = estimateTokens(request.messages) + asked.maxTokens;
  const first = models.findIndex(({ contextWindow }) => size <= (contextWindow || Infinity));
  const plan: FallbackPlan = {
    models,
    // a server may cut what its window does not hold, and say nothing
    first: Math.max(0, first),
    accept: (answer, model, times) => accept(asked, answer, model, times),
    movesOn: ({ type }) => recoveryOf(type) !== 'retry' || attempt > patience,
  };
  const send = (request: ModelRequest) => complete(frozenSending(deps, context), request, plan, bill);
  const ask = questionsOf(deps, asked, context, bill);
  const { reply, failure, from } = await (asked.purpose === 'hook'
    ? send(request)
    : completeThroughHooks(deps.around, { context, ask }, request, bill, send));
  if (reply === undefined) throw toThrown(failure, bill);
  bill.waste(reply.usage, from);
  if (failure !== undefined) throw toThrown(failure, bill);
  return textOf(reply).trim();
}

/** Questions of a hook, on a bill of their own that is added to the given one. */
export function questionsOf(
  deps: SendDeps,
  { sessionId, runId, turn }: TurnPlace,
  context: FrozenContext,
  bill: ModelBill,
): (question: HookQuestion) => Promise<string> {
  return async ({ system = 'Answer the question.', prompt, maxTokens = 1_000 }) => {
    const own = createBill({ failures: 0 });
    const asked = { purpose: 'hook' as const, sessionId, runId, turn, system, prompt, maxTokens };
    try {
      return await askAside(deps, asked, context, own);
    } finally {
      bill.ledger = withWastedOf(bill.ledger, own.ledger);
    }
  };
}

export function createWithModel(deps: SendDeps): WithModel {
  return (work) =>
    billed(deps.redactor, (bill) => work((place, context) => questionsOf(deps, place, context, bill)));
}

/** The answer replaces something, so it must be whole. One that is cut off, or is none, is requested once more. */
function accept(
  { purpose, prompt, faultOf }: SideRequest,
  { stopReason, stopDetail, ...reply }: AssistantMessage,
  from: FrozenModel,
  asked: number,
): Verdict {
  const { who, what } = answers[purpose];
  const unusable = (type: ModelFailureType, why: string): { failure: ModelFailure } => ({
    failure: { type, message: `The ${who} ${toModelName(from.model)} ${why}. Expected a whole ${what}.` },
  });
  if (stopDetail === 'refusal') return unusable('Model.Refusal', 'refused to answer');
  if (stopReason === 'length') {
    if (asked === 0) return { again: {} };
    return unusable('Model.EmptyResponse', 'was cut off twice');
  }
  // a stretch without anything worth a note has a blank answer
  const text = textOf({ stopReason, ...reply }).trim();
  if (purpose !== 'extract' && text === '') return unusable('Model.EmptyResponse', 'gave an empty answer');
  const fault = faultOf?.(text);
  if (fault === undefined) return 'accepted';
  const why = `${prompt}\n\nAn answer was refused, because ${fault}.`;
  if (asked === 0) return { again: { messages: [userMessage(why, 'injected')] } };
  return unusable('Model.EmptyResponse', `gave no ${what}: ${fault}`);
}

function toThrown({ type, message, retryAfterMs }: ModelFailure, { ledger }: ModelBill): ApplicationFailure {
  const how = { nonRetryable: recoveryOf(type) !== 'retry', ...defined({ nextRetryDelay: retryAfterMs }) };
  return ApplicationFailure.create({ type, message, ...how, ...detailsOf(paidFor(ledger)) });
}
