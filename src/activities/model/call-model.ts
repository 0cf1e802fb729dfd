// The activity callModel: rebuilds the request from references, asks the provider, prepares the calls of the reply. Runs
// in Node. Only its result reaches history.
import { defined } from '@holdfast/base/defined';
import { Context } from '@temporalio/activity';
import type { JsonObject } from '@holdfast/base/json';
import { present } from '@holdfast/base/present';
import type { CallModelInput } from '@holdfast/vocabulary/activity-contracts';
import type { CallModelResult } from '@holdfast/vocabulary/call-results';
import type { Access, FrozenContext, FrozenModel } from '@holdfast/vocabulary/frozen-context';
import { type AssistantMessage, type Message, toolCallsOf } from '@holdfast/vocabulary/messages';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';
import { describeDifference } from '../../core/tools/access.ts';
import type { FrozenContexts } from '../context/frozen-contexts.ts';
import { handedBack, isHandBack } from '../base/hand-back.ts';
import type { MessageCache } from '../base/message-cache.ts';
import { createOwnWorkflow } from '../base/own-workflow.ts';
import type { Transcripts } from '../context/transcript.ts';
import { isFrozen } from '../context/worker-parts.ts';
import type { DeltaBus } from '../base/delta-bus.ts';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import { type CheckOutput, type JudgedOutput, createOutputCheck } from './check-output.ts';
import { type AroundCall, completeThroughHooks } from './around-call.ts';
import { type FallbackPlan, acceptFilled, complete, fallbackOn, firstModel, modelsFor } from './complete.ts';
import { costOf } from './cost.ts';
import { type ModelAttempt, beginAttempt } from './model-attempt.ts';
import { abortedMessage, asBug, isUserStop, toThrown, withoutSecrets } from './model-failure.ts';
import { decideRetry } from './model-ledger.ts';
import { type Projections, toModelRequest } from './projections.ts';
import type { PrepareCalls } from './prepare-calls.ts';
import type { ModelFailure } from '@holdfast/providers/model-provider';
import { type CappedReply, capCalls, capReply, isReplyTooLong, tooLong } from './reply-cap.ts';
import { type SendDeps, frozenSending } from './send.ts';
import { questionsOf } from './side-request.ts';

export type CallModelDeps = SendDeps &
  Projections & {
    prepareCalls: PrepareCalls;
    transcripts: Transcripts;
    cache: MessageCache;
    deltaBus: DeltaBus;
    artifacts: ArtifactStore;
    contexts: Pick<FrozenContexts, 'load'>;
    /** The access that this worker gives its tools. */
    access?: Access | undefined;
  };

/**
 * Throws an ApplicationFailure with a type of packages/base/src/failures.ts, final or with the delay to its retry. A stop by a
 * person returns an interrupted result; any other cancellation rejects, and Temporal runs it again.
 */
export function createCallModel(deps: CallModelDeps): (input: CallModelInput) => Promise<CallModelResult> {
  const checkOutput = createOutputCheck();
  return async function callModel(input) {
    const attempt = beginAttempt(input, deps.deltaBus);
    let context: FrozenContext | undefined;
    try {
      const workflow = createOwnWorkflow();
      context = await deps.contexts.load(input.contextDigest);
      if (!context.settings.loop.live) attempt.hide();
      const workflowRunId = Context.current().info.workflowExecution?.runId ?? '';
      const view = await deps.transcripts.view({ ...input, workflowRunId }, workflow);
      const request = await toModelRequest(
        input,
        context,
        view,
        attempt.attempt,
        projectionsOf(context, deps),
      );
      let hookData: JsonObject | undefined;
      const around: AroundCall = {
        context,
        data: input.hookData,
        share: (more) => void (hookData = { ...hookData, ...more }),
        ask: questionsOf(deps, input, context, attempt),
      };
      const reply = await answer(frozenSending(deps, context), request, around, view.messages, attempt);
      const result = await toResult(deps, input, context, reply, attempt);
      return { ...result, ...judgedOutput(context, result.message, checkOutput), ...defined({ hookData }) };
    } catch (error) {
      const { cancellationSignal } = Context.current();
      if (cancellationSignal.aborted && isUserStop() && context !== undefined) {
        return toInterrupted(deps, input, context, attempt);
      }
      // the next attempt starts with the last heartbeat
      attempt.beat();
      if (cancellationSignal.aborted) throw cancellationSignal.reason;
      // a call that is handed back for good is scheduled again, with its usage so far
      throw withoutSecrets(
        asBug(isHandBack(error) ? handedBack(error, attempt.ledger) : error),
        deps.redactor,
      );
    } finally {
      attempt.stop();
    }
  };
}

/** Only projections that the run began with: another worker's own would change the view. */
function projectionsOf(context: FrozenContext, { transformContext, convertToLlm }: Projections): Projections {
  return defined({
    transformContext:
      transformContext && isFrozen(context, 'transformContext') ? transformContext : undefined,
    convertToLlm: convertToLlm && isFrozen(context, 'convertToLlm') ? convertToLlm : undefined,
  });
}

type Reply = { message: AssistantMessage; from: FrozenModel };

/** A reply with text or calls, or the last model's refusal. Throws the failure that Temporal acts on. */
async function answer(
  deps: SendDeps,
  request: ModelRequest,
  around: AroundCall,
  view: readonly Message[],
  attempt: ModelAttempt,
): Promise<Reply> {
  const { context } = around;
  const models = modelsFor(context, 'main');
  const { retryWindowMs: windowMs, maxRetries } = context.settings.model;
  const limits = defined({ windowMs, maxRetries });
  const decide = (failure: ModelFailure) => decideRetry(attempt.ledger, failure, attempt.time(), limits);
  const plan: FallbackPlan = {
    models,
    first: attempt.ledger.model ?? firstModel(models, view),
    accept: acceptFilled,
    movesOn(failure) {
      const decision = decide(failure);
      const types = present([failure.type, !decision.retry && decision.type]);
      return types.some((type) => fallbackOn.includes(type));
    },
  };
  const completed = await completeThroughHooks(deps.around, around, request, attempt, (asked) =>
    complete(deps, asked, plan, attempt),
  );
  const { reply, failure, from } = completed;
  if (reply !== undefined) return { message: reply, from };
  const decision = decide(failure);
  attempt.ledger = decision.ledger;
  throw toThrown(decision, failure);
}

async function toResult(
  deps: CallModelDeps,
  input: CallModelInput,
  context: FrozenContext,
  reply: Reply,
  attempt: ModelAttempt,
): Promise<CallModelResult> {
  const { message, cutCalls } = await keepWithinPayload(deps, input, context, reply.message);
  const refused = message.stopDetail === 'refusal';
  // no call of a refused reply runs (LOOP-30)
  const { access: frozen } = context;
  const prepared = refused ? [] : await deps.prepareCalls(message, context);
  const calls = prepared.map((call) => (cutCalls.includes(call.callId) ? tooLong(call.callId) : call));
  const digest = deps.cache.remember(input.sessionId, message);
  // without calls the run most likely ends: an idle session should not hold its transcript here
  if (toolCallsOf(message).length === 0) deps.transcripts.release(input.sessionId);
  const notice = deps.access && frozen && describeDifference(deps.access, frozen);
  const result = { message, digest, calls, ...spent(message, reply.from.prices, attempt) };
  return capCalls(notice === undefined ? result : { ...result, notice });
}

/** Judges a reply that may end the run. A refusal always ends it. */
function judgedOutput(
  { settings: { outputSchema } }: FrozenContext,
  message: AssistantMessage,
  check: CheckOutput,
): JudgedOutput {
  const binds = message.stopDetail !== 'refusal' && toolCallsOf(message).length === 0;
  return outputSchema && binds ? check(outputSchema, message) : {};
}

/** A reply too long for one payload is stored whole, as JSON, and cut in the log. */
async function keepWithinPayload(
  { artifacts }: CallModelDeps,
  { sessionId, runId, turn }: CallModelInput,
  { settings }: FrozenContext,
  message: AssistantMessage,
): Promise<CappedReply> {
  if (!isReplyTooLong(message)) return { message, cutCalls: [] };
  if (settings.offTheRecord) return capReply(message, 'They were not kept: the session is off the record.');
  const name = `reply-${runId}-${turn}`;
  const note = await artifacts.put(sessionId, name, JSON.stringify(message)).then(
    () => `The whole reply is artifact ${name}.`,
    () => 'They were not kept.',
  );
  return capReply(message, note);
}

/** The text so far as an aborted message, which the log keeps and the view does not show. */
function toInterrupted(
  deps: CallModelDeps,
  input: CallModelInput,
  context: FrozenContext,
  attempt: ModelAttempt,
): CallModelResult {
  const { message } = capReply(abortedMessage(attempt.text(), context.model), 'They were not kept.');
  const digest = deps.cache.remember(input.sessionId, message);
  // booked beside the message: as its usage it would give the size of a view without this message
  attempt.waste();
  return { message, digest, calls: [], interrupted: true, ...spent(message, context.prices, attempt) };
}

function spent(
  { usage }: AssistantMessage,
  prices: FrozenModel['prices'],
  { ledger }: ModelAttempt,
): Pick<CallModelResult, 'costUsd' | 'wasted'> {
  const { wasted, wastedUsd = 0 } = ledger;
  return defined({ costUsd: costOf(usage, prices) + wastedUsd, wasted });
}
