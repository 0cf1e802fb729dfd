// One request of one model, with the key of the moment and the user's hooks. A refused key is read again once.
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { FrozenContext } from '../../core/model/frozen-context.ts';
import type { AssistantMessage, ImagePart } from '../../core/model/messages.ts';
import type { ModelRequest } from '../../core/model/model-call.ts';
import { cleanReason } from '../tools/clean-output.ts';
import type { ModelFailure } from './classify-failure.ts';
import type { ModelAttempt } from './model-attempt.ts';
import { hookFailed, typedFailure } from './model-failure.ts';
import { oneLine } from './model-ledger.ts';
import type { ClassifiedFailure } from './model-ledger.ts';
import type { ModelCallOptions, ModelProvider } from './providers/model-provider.ts';
import { watchRequest } from './providers/request-hooks.ts';
import type { ModelHooks, RequestWatch } from './providers/request-hooks.ts';
import type { Redactor } from '../redaction/redaction.ts';
import type { KeepRefused } from './request-artifacts.ts';
import { storeUnavailable } from '../storage/segments.ts';
import { isFrozen } from '../context/worker-parts.ts';

export type SendDeps = {
  /** By name: the part of a model reference before the colon. */
  providers: ReadonlyMap<string, ModelProvider>;
  classify(error: unknown, redact: Redactor['text']): ModelFailure;
  loadImage(sessionId: string, image: ImagePart): Promise<Uint8Array>;
  /** Asked before every request; nothing or '' leaves the configured key. */
  resolveApiKey?(provider: string): Promise<string | undefined>;
  hooks?: ModelHooks;
  keepRefused: KeepRefused;
  /** Cleans the message of every failure; learns each key that is read. */
  redactor: Redactor;
};

/** A hook that changes requests counts only for the runs that began with it; one that looks on always does. */
export function frozenSending(deps: SendDeps, context: FrozenContext): SendDeps {
  const { rewriteRequest, ...others } = deps.hooks ?? {};
  return rewriteRequest && !isFrozen(context, 'rewriteRequest') ? { ...deps, hooks: others } : deps;
}

/** Sees a request's reply while it comes. */
export type RequestWatcher = Pick<ModelAttempt, 'onDelta' | 'restart'> & Pick<ModelCallOptions, 'onUsage'>;

/** Throws what the provider threw, or a typed failure. */
export async function sendRequest(
  deps: SendDeps,
  request: ModelRequest,
  attempt: RequestWatcher,
): Promise<AssistantMessage> {
  const provider = deps.providers.get(request.model.provider);
  if (provider === undefined) throw unknownProvider(request, [...deps.providers.keys()]);
  const key = await readKey(deps, provider.name);
  try {
    return await send(deps, provider, request, attempt, key);
  } catch (error) {
    if (Context.current().cancellationSignal.aborted) throw error;
    if (toModelFailure(deps, error)?.type !== 'Model.Auth') throw error;
    const replaced = await readKey(deps, provider.name);
    if (replaced === undefined || replaced === key) throw error;
    attempt.restart();
    return send(deps, provider, request, attempt, replaced);
  }
}

/** Undefined for what is no failure of a model: lost infrastructure. The message holds no secret of this worker. */
export function toModelFailure(
  { classify, redactor }: Pick<SendDeps, 'classify' | 'redactor'>,
  error: unknown,
): ModelFailure | ClassifiedFailure | undefined {
  const failure =
    typedFailure(error) ?? (error instanceof ApplicationFailure ? undefined : classify(error, redactor.text));
  return failure && { ...failure, message: cleanReason(failure.message, redactor) };
}

async function send(
  deps: SendDeps,
  provider: ModelProvider,
  request: ModelRequest,
  attempt: RequestWatcher,
  apiKey: string | undefined,
): Promise<AssistantMessage> {
  const { cancelled, cancellationSignal } = Context.current();
  const watch = watchRequest(request, deps.hooks);
  const call = provider.call(request, {
    signal: cancellationSignal,
    onDelta: attempt.onDelta,
    onRestart: attempt.restart,
    ...(attempt.onUsage && { onUsage: attempt.onUsage }),
    fetch: watch.fetch,
    loadImage: (image) => deps.loadImage(request.metadata.sessionId, image).catch(storeUnavailable),
    ...(apiKey !== undefined && { apiKey }),
  });
  try {
    // raced: a provider that is deaf to its signal must not hold up a stop
    const { message, unknownStop } = await Promise.race([call, cancelled]);
    if (unknownStop !== undefined) warnOfStop(request, unknownStop);
    return message;
  } catch (error) {
    if (cancellationSignal.aborted) throw error;
    throw (await refinedFailure(deps, request, watch, error)) ?? error;
  }
}

/** What this request's watch knows better than the error: a hook's throw, and the body that was refused. */
async function refinedFailure(
  deps: SendDeps,
  request: ModelRequest,
  watch: RequestWatch,
  error: unknown,
): Promise<ApplicationFailure | undefined> {
  const hook = watch.hookError();
  if (hook !== undefined) return hookFailed(hook.hook, hook.error);
  const failure = toModelFailure(deps, error);
  const body = watch.sentBody();
  if (failure?.type !== 'Model.InvalidRequest' || body === undefined) return undefined;
  const artifactId = await deps.keepRefused(request.metadata.sessionId, body);
  if (artifactId === undefined) return undefined;
  return ApplicationFailure.create({
    type: failure.type,
    message: `${failure.message} The request as it was sent is artifact ${artifactId}.`,
  });
}

async function readKey(deps: SendDeps, provider: string): Promise<string | undefined> {
  try {
    const key = (await deps.resolveApiKey?.(provider)) || undefined;
    if (key !== undefined) deps.redactor.learn(key);
    return key;
  } catch {
    // The cause may quote the secret store's answer, so it is not passed on.
    throw ApplicationFailure.create({
      type: 'Model.Connection',
      message: `The key for ${provider} could not be read: its key file or getApiKey failed. It is tried again.`,
    });
  }
}

/** Content has decided; the raw value is for whoever adds its row. */
function warnOfStop({ model }: ModelRequest, unknownStop: string): void {
  const stopReason = oneLine(unknownStop);
  Context.current().log.warn('The model gave a stop reason that is not known.', { model, stopReason });
}

function unknownProvider({ model }: ModelRequest, known: string[]): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'Model.NotFound',
    message: `The model ${model.provider}:${model.id} needs the provider "${model.provider}", but this worker has ${known.join(', ') || 'none'}. Name one of these, or configure it.`,
  });
}
