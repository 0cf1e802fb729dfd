// One reply from a list of models, for any purpose. A paused turn and a cut answer are continued, a rejected reply is
// requested again, the next model is asked after a failure, and every token is booked. Waits between retries are Temporal's. A failure of the
// call is a value here.
import { defined } from '@holdfast/base/defined';
import type { ModelLedger } from '@holdfast/vocabulary/activity-contracts';
import { type ModelFailureType, recoveryOf } from '@holdfast/base/failures';
import type { FrozenContext, FrozenModel } from '@holdfast/vocabulary/frozen-context';
import {
  inputTotal,
  isCutAnswer,
  isFilled,
  isWholeReply,
  noUsage,
  toolCallsOf,
  userMessage,
} from '@holdfast/vocabulary/messages';
import type { AssistantContent, AssistantMessage, Message } from '@holdfast/vocabulary/messages';
import type { ModelPurpose, ModelRequest } from '@holdfast/vocabulary/model-call';
import { isSameModel, toModelName } from '@holdfast/vocabulary/model-name';
import { goOnText, joinCut } from './cut-reply.ts';
import type { ModelBill } from './model-attempt.ts';
import { shownReason } from './model-ledger.ts';
import type { ModelFailure } from '@holdfast/providers/model-provider';
import { type ReplyWatcher, type SendDeps, send } from './send.ts';
import { withToolNames } from './tool-names.ts';
import { withoutReasoning } from './without-reasoning.ts';

/** The models of one call, in order; at least one. */
export type Models = [FrozenModel, ...FrozenModel[]];

/** `accepted`, or the alternative: have the reply continued, ask again with a changed request, or fail the model. */
export type Verdict = 'accepted' | { again: Partial<ModelRequest> | 'go_on' } | { failure: ModelFailure };

export type FallbackPlan = {
  models: Models;
  /** Index of the model that is asked first. */
  first: number;
  /** Judges a whole reply of a model; `asked` counts the earlier replies of this model. */
  accept(reply: AssistantMessage, from: FrozenModel, asked: number): Verdict;
  /** True if the next model is asked after this failure. */
  movesOn(failure: ModelFailure): boolean;
};

/** The last model's failure; a refusal has its reply. */
export type Completed = Asked & { from: FrozenModel };

/**
 * Throws only errors of `send`. Books the usage of every reply but the returned one in the attempt's ledger. The usage of
 * a paused turn is that of its last part, because it tells how full the window is.
 */
export async function complete(
  deps: SendDeps,
  request: ModelRequest,
  { models, first, accept, movesOn }: FallbackPlan,
  attempt: ModelBill,
): Promise<Completed> {
  for (let index = first; ; index++) {
    const from = models[index] ?? models[0];
    const asked = await askModel(deps, { ...request, model: from.model }, from, accept, attempt);
    const next = models[index + 1];
    if (asked.failure === undefined || next === undefined || !movesOn(asked.failure)) {
      return { ...asked, from };
    }
    if (asked.reply) attempt.waste(asked.reply.usage, from);
    const why = `${toModelName(from.model)}: ${asked.failure.message}`;
    attempt.ledger = movedOn(attempt.ledger, index + 1, why, next);
    attempt.restart();
  }
}

/** The next model has a full window and count of its own; the cost so far stays booked. */
function movedOn(
  { wasted, wastedUsd }: ModelLedger,
  model: number,
  why: string,
  next: FrozenModel,
): ModelLedger {
  return {
    failures: 0,
    model,
    lastFailure: `${shownReason(why)}; ${toModelName(next.model)} is asked instead`,
    ...defined({ wasted, wastedUsd }),
  };
}

/** Consecutive continuations of a paused turn (LOOP-29). */
const pauseRepeats = 8;

type Asked =
  | { reply: AssistantMessage; failure?: ModelFailure }
  | { reply?: undefined; failure: ModelFailure };

/** Asks one model until a whole reply is accepted, or the model fails. */
async function askModel(
  deps: SendDeps,
  request: ModelRequest,
  from: FrozenModel,
  accept: FallbackPlan['accept'],
  attempt: ModelBill,
): Promise<Asked> {
  let asking = request;
  let begun: AssistantMessage | undefined;
  for (let asked = 0, pauses = 0; ;) {
    const content = begun?.content ?? [];
    const cut = begun && isCutAnswer(begun) ? begun : undefined;
    const sent = await send(deps, withBegun(asking, begun), watcherOf(attempt, from, content));
    if ('failure' in sent) {
      attempt.waste(sent.failure.usage, from);
      // its cost is booked, and half an answer is more than none
      return cut && recoveryOf(sent.failure.type) !== 'retry' ? { reply: { ...cut, usage: noUsage } } : sent;
    }
    attempt.count(sent.reply.usage, from);
    const whole = cut
      ? joinCut(cut, sent.reply)
      : { ...sent.reply, content: [...content, ...sent.reply.content] };
    const isFull = !cut && isOverflowReply(sent.reply, from.contextWindow ?? 0);
    // a paused turn goes back as it came
    const isPaused = !isFull && isPause(whole);
    const reply = isPaused ? whole : withToolNames(withoutReasoning(whole), request.tools);
    if (isPaused) {
      attempt.waste(sent.reply.usage, from);
      pauses += 1;
      begun = reply;
      if (pauses > pauseRepeats) return { failure: pausedTooOften };
      continue;
    }
    const verdict = isFull ? { failure: windowFull } : accept(reply, from, asked);
    if (verdict === 'accepted') return { reply };
    if ('failure' in verdict && verdict.failure.type === 'Model.Refusal')
      return { reply, failure: verdict.failure };
    attempt.waste(sent.reply.usage, from);
    if ('failure' in verdict) return verdict;
    asked += 1;
    if (verdict.again === 'go_on') {
      begun = reply;
    } else {
      asking = { ...asking, ...moreRoom(asking, sent.reply, from), ...verdict.again };
      restart(attempt, content);
    }
  }
}

function watcherOf(attempt: ModelBill, from: FrozenModel, before: AssistantContent[]): ReplyWatcher {
  return {
    onDelta: attempt.onDelta,
    onUsage: (usage) => attempt.count(usage, from),
    onRestart() {
      // a reply that the provider withdrew was paid for too
      attempt.waste();
      restart(attempt, before);
    },
  };
}

/** The text before a pause is part of the reply that begins again, so watchers receive it again. */
function restart(attempt: ModelBill, before: AssistantContent[]): void {
  attempt.restart();
  for (const part of before) {
    if (part.type !== 'tool_call' && part.text !== '') attempt.onDelta({ type: part.type, text: part.text });
  }
}

/** A reply that the output limit has cut is requested again with more of it, at most a quarter of the window. */
function moreRoom(
  { maxResponseTokens: room }: ModelRequest,
  { stopReason }: AssistantMessage,
  { contextWindow = 0 }: FrozenModel,
): Partial<ModelRequest> {
  if (stopReason !== 'length') return {};
  return { maxResponseTokens: Math.max(room, Math.min(2 * room, Math.floor(contextWindow / 4) || Infinity)) };
}

/** A paused turn goes back unchanged, and the model continues from there; a cut answer needs a word for that. */
function withBegun(request: ModelRequest, begun: AssistantMessage | undefined): ModelRequest {
  if (begun === undefined) return request;
  const asked = isCutAnswer(begun) ? [userMessage(goOnText, 'injected')] : [];
  return { ...request, messages: [...request.messages, begun, ...asked] };
}

/** Calls of our tools are answered first; their results end the pause. */
function isPause(message: AssistantMessage): boolean {
  return message.stopDetail === 'pause_turn' && toolCallsOf(message).length === 0;
}

/**
 * Overflow that the provider did not report (COND-08): a reply cut because the window was full, or cut or empty with more
 * input than the window holds. A whole reply is kept whatever its counts: some vendors add up the input of their own tool
 * rounds, and a window may be larger than the known one. With `contextWindow` 0 (unknown) only the provider's own report
 * counts.
 */
export function isOverflowReply(message: AssistantMessage, contextWindow: number): boolean {
  if (message.stopDetail === 'context_window') return true;
  if (contextWindow === 0) return false;
  const input = inputTotal(message.usage);
  if (message.stopReason === 'length') return input + message.usage.output >= contextWindow * 0.99;
  const isEmpty = message.stopDetail === undefined && !isFilled(message);
  return isEmpty && input > contextWindow;
}

const windowFull: ModelFailure = {
  type: 'Model.ContextOverflow',
  message:
    'The conversation fills the context window of the model: its reply was cut off, or not all was read.',
};

const pausedTooOften: ModelFailure = {
  type: 'Model.PausedTooOften',
  message: `The model paused its turn more than ${pauseRepeats} times in a row without an answer.`,
};

/** Times that an empty reply is requested again (LOOP-15). */
const emptyRepeats = 2;

/** Times that a cut answer is asked to go on. */
const goOnRepeats = 3;

/** Accepts a reply with text or calls, for the main loop. A refusal is accepted only if no other model is left. */
export function acceptFilled(reply: AssistantMessage, _from: FrozenModel, asked: number): Verdict {
  if (reply.stopDetail === 'refusal') {
    return { failure: { type: 'Model.Refusal', message: 'The model refused to answer.' } };
  }
  if (isFilled(reply)) return isCutAnswer(reply) && asked < goOnRepeats ? { again: 'go_on' } : 'accepted';
  if (asked < emptyRepeats) return { again: {} };
  const why = reply.stopReason === 'length' ? ' Its output limit was used up before.' : '';
  const message = `The model gave an empty reply ${emptyRepeats + 1} times: no text and no tool call.${why}`;
  return { failure: { type: 'Model.EmptyResponse', message } };
}

/**
 * The model that the main loop asks first. A fallback stays for the rest of its run: asking the broken model first would
 * wait its window in every turn. A new prompt begins with the agent's own model again.
 */
export function firstModel(models: Models, view: readonly Message[]): number {
  const last = view.findLast(
    (message) => (message.role === 'user' && message.origin === 'prompt') || isWholeReply(message),
  );
  const answeredBy = last?.role === 'assistant' ? last.model : undefined;
  return Math.max(
    0,
    models.findIndex(({ model }) => isSameModel(model, answeredBy)),
  );
}

/** Another model may well answer where one is gone, broken or unwilling. Keys and credit are an operator's business. */
export const fallbackOn: readonly string[] = [
  'Model.RetriesExhausted',
  'Model.NotFound',
  'Model.EmptyResponse',
  'Model.UnansweredItem',
  'Model.Refusal',
] satisfies ModelFailureType[];

/** The models for one purpose; those for side work are followed by the main ones. */
export function modelsFor(context: FrozenContext, purpose: ModelPurpose): Models {
  const { model, prices, settings, fallbacks = [], purposes = {} } = context;
  const main = defined({ model, contextWindow: settings.model.contextWindow, prices });
  const own = purpose === 'main' ? undefined : purposes[purpose];
  return own === undefined ? [main, ...fallbacks] : [own, main, ...fallbacks];
}
