// The activity callModel: rebuilds the request from references, asks the provider, prepares the calls of the
// reply. Runs in Node. Only what it returns reaches history.
import { Context } from '@temporalio/activity';
import { describeDifference } from '../../core/tools/access.ts';
import type { CallModelInput } from '../../core/model/activity-contracts.ts';
import type { CallModelResult } from '../../core/model/call-results.ts';
import type { Access, FrozenContext, FrozenModel } from '../../core/model/frozen-context.ts';
import { createGrowingRepair } from '../../core/view/growing-view.ts';
import type { AssistantMessage } from '../../core/model/messages.ts';
import { toolCallsOf } from '../../core/model/messages.ts';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import type { AskDeps, Reply } from './ask-model.ts';
import { askModel } from './ask-model.ts';
import { costOf } from './cost.ts';
import type { DeltaBus } from '../delta-bus.ts';
import { createFrozenContexts } from '../context/frozen-contexts.ts';
import type { FrozenContexts } from '../context/frozen-contexts.ts';
import { handedBack, isHandBack } from '../context/hand-back.ts';
import type { MessageCache } from '../context/message-cache.ts';
import type { ModelAttempt } from './model-attempt.ts';
import { beginAttempt } from './model-attempt.ts';
import { abortedMessage, asBug, isUserStop, withoutSecrets } from './model-failure.ts';
import { chooseModels } from './model-choice.ts';
import type { RetryLimits } from './model-ledger.ts';
import type { Projections } from './model-request.ts';
import { toModelRequest } from './model-request.ts';
import type { QueryOwnWorkflow } from '../context/own-workflow.ts';
import { createOwnWorkflow } from '../context/own-workflow.ts';
import type { PrepareCalls } from './prepare-calls.ts';
import { capCalls, capReply, isTooLong, tooLong } from './reply-cap.ts';
import type { CappedReply } from './reply-cap.ts';
import { frozenSending } from './send-request.ts';
import type { Transcripts } from '../context/transcript.ts';
import { isFrozen } from '../context/worker-parts.ts';

export type CallModelDeps = AskDeps &
  Projections & {
    prepareCalls: PrepareCalls;
    transcripts: Transcripts;
    cache: MessageCache;
    deltaBus: DeltaBus;
    artifacts: ArtifactStore;
    /** Default: through the worker's own client. */
    query?: QueryOwnWorkflow;
    /** Default: those that ask nothing of the worker. */
    contexts?: FrozenContexts;
    /** What this worker opens to its tools. */
    access?: Access | undefined;
  };

/**
 * Throws an ApplicationFailure whose type is in core/base/failures.ts, final or with the delay to its retry. A stop by
 * a person returns an interrupted result; any other cancellation rejects, and Temporal runs it again.
 */
export function createCallModel(deps: CallModelDeps): (input: CallModelInput) => Promise<CallModelResult> {
  const { contexts = createFrozenContexts() } = deps;
  const repairGrowing = createGrowingRepair();
  return async function callModel(input) {
    const attempt = beginAttempt(input, deps.deltaBus);
    let context: FrozenContext | undefined;
    try {
      const workflow = createOwnWorkflow(deps.query);
      context = await contexts.load(input.contextDigest, workflow);
      if (!context.settings.live) attempt.hide();
      const workflowRunId = Context.current().info.workflowExecution?.runId ?? '';
      const view = await deps.transcripts.view({ ...input, workflowRunId }, workflow);
      const projections = projectionsOf(context, deps);
      const request = await toModelRequest(input, context, view, attempt.attempt, projections, repairGrowing);
      const choice = chooseModels(context, view.messages);
      const reply = await askModel(
        frozenSending(deps, context),
        request,
        attempt,
        choice,
        retryLimits(context),
      );
      return await toResult(deps, input, context, reply, attempt);
    } catch (error) {
      const { cancellationSignal } = Context.current();
      if (cancellationSignal.aborted && isUserStop() && context !== undefined) {
        return toInterrupted(deps, input, context, attempt);
      }
      // the last heartbeat of an attempt is what the next one starts with
      attempt.beat();
      if (cancellationSignal.aborted) throw cancellationSignal.reason;
      // one that is handed back for good is scheduled anew, with what it has used up
      throw withoutSecrets(
        asBug(isHandBack(error) ? handedBack(error, attempt.ledger) : error),
        deps.redactor,
      );
    } finally {
      attempt.stop();
    }
  };
}

/** Those that the run began with: another worker's own would change what the model sees. */
function projectionsOf(context: FrozenContext, { transformContext, convertToLlm }: Projections): Projections {
  return {
    ...(transformContext && isFrozen(context, 'transformContext') ? { transformContext } : {}),
    ...(convertToLlm && isFrozen(context, 'convertToLlm') ? { convertToLlm } : {}),
  };
}

function retryLimits({ settings }: FrozenContext): RetryLimits {
  const { modelRetryWindowMs: windowMs, maxRetries } = settings;
  return { windowMs, ...(maxRetries !== undefined && { maxRetries }) };
}

async function toResult(
  deps: CallModelDeps,
  input: CallModelInput,
  context: FrozenContext,
  reply: Reply,
  attempt: ModelAttempt,
): Promise<CallModelResult> {
  const { message, cutCalls } = await keepWithinPayload(deps, input, reply.message);
  const refused = message.stopDetail === 'refusal';
  // no call of a refused reply runs (LOOP-30)
  const { access: frozen } = context;
  const prepared = refused ? [] : await deps.prepareCalls(message, context.tools, frozen?.policy);
  const calls = prepared.map((call) => (cutCalls.includes(call.callId) ? tooLong(call.callId) : call));
  const digest = deps.cache.remember(input.sessionId, message);
  // Without calls the run most likely ends: an idle session should not hold its transcript here.
  if (toolCallsOf(message).length === 0) deps.transcripts.release(input.sessionId);
  const notice = deps.access && frozen && describeDifference(deps.access, frozen);
  const result = { message, digest, calls, ...spent(message, reply.from.prices, attempt) };
  return capCalls(notice === undefined ? result : { ...result, notice });
}

/** A reply too long for one payload is stored whole, as JSON, and cut in the log. */
async function keepWithinPayload(
  { artifacts }: CallModelDeps,
  { sessionId, runId, turn }: CallModelInput,
  message: AssistantMessage,
): Promise<CappedReply> {
  if (!isTooLong(message)) return { message, cutCalls: [] };
  const stored = await artifacts
    .put(sessionId, `reply-${runId}-${turn}`, JSON.stringify(message))
    .catch(() => undefined);
  const note =
    stored === undefined ? 'They were not kept.' : `The whole reply is artifact ${stored.artifactId}.`;
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
  // beside the message: its usage would tell how large a view is that has no such message
  attempt.waste();
  return { message, digest, calls: [], interrupted: true, ...spent(message, context.prices, attempt) };
}

function spent(
  { usage }: AssistantMessage,
  prices: FrozenModel['prices'],
  { ledger }: ModelAttempt,
): Pick<CallModelResult, 'costUsd' | 'wasted'> {
  const { wasted, wastedUsd = 0 } = ledger;
  return { costUsd: costOf(usage, prices) + wastedUsd, ...(wasted && { wasted }) };
}
