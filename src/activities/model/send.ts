// Sends one request to one model: with the view fitted to it, the current key and the user's hooks. One classification of
// every error.
import { defined } from '@holdfast/base/defined';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import {
  type AssistantMessage,
  type ImagePart,
  type Usage,
  inputTotal,
  noUsage,
} from '@holdfast/vocabulary/messages';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';
import { toModelName } from '@holdfast/vocabulary/model-name';
import { textTokens } from '@holdfast/base/text-tokens';
import { estimateTokens, factorOf } from '@holdfast/view/estimate';
import { viewForModel } from '@holdfast/view/view-for-model';
import { isFrozen } from '../context/worker-parts.ts';
import type { AroundDeps } from '../hooks/hook-call.ts';
import type { Redactor } from '@holdfast/redaction/redaction';
import { storeUnavailable } from '../storage/segments.ts';
import { cleanReason } from '@holdfast/redaction/clean-output';
import { classifyFailure } from '@holdfast/providers/classify-failure';
import { hookFailed, typedFailure } from './model-failure.ts';
import { shownReason } from './model-ledger.ts';
import type { ModelCallOptions, ModelFailure, ModelProvider } from '@holdfast/providers/model-provider';
import { type ModelHooks, type RequestWatch, watchRequest } from '@holdfast/providers/request-hooks';
import type { KeepRefused } from './request-artifacts.ts';

export type SendDeps = {
  /** By name: the part of a model's name before the colon. */
  providers: ReadonlyMap<string, ModelProvider>;
  loadImage(sessionId: string, image: ImagePart): Promise<Uint8Array>;
  /** Called before every request; absent or '' leaves the configured key. */
  resolveApiKey?(provider: string): Promise<string | undefined>;
  hooks?: ModelHooks;
  keepRefused: KeepRefused;
  /** The user's hooks around a request; absent: the worker has none. */
  around?: AroundDeps;
  /** Cleans the message of every failure; learns each key that is read. */
  redactor: Redactor;
};

export type SendEnd = { reply: AssistantMessage } | { failure: ModelFailure };

/** Sees a request's reply while it streams. */
export type ReplyWatcher = Required<Pick<ModelCallOptions, 'onDelta' | 'onUsage' | 'onRestart'>>;

/** Hooks that change requests act only in runs that began with them. Off the record a refused request is not kept. */
export function frozenSending(given: SendDeps, context: FrozenContext): SendDeps {
  const { offTheRecord } = context.settings;
  const deps = offTheRecord ? { ...given, keepRefused: () => Promise.resolve(undefined) } : given;
  const { rewriteRequest, ...others } = deps.hooks ?? {};
  return rewriteRequest && !isFrozen(context, 'rewriteRequest') ? { ...deps, hooks: others } : deps;
}

/**
 * Throws only on a cancellation, and for lost infrastructure such as an image's store, which is retried but no failure of
 * the model. A refused key is read again once.
 */
export async function send(deps: SendDeps, request: ModelRequest, watcher: ReplyWatcher): Promise<SendEnd> {
  const { provider: name } = request.model;
  const provider = deps.providers.get(name);
  if (provider === undefined) return { failure: unknownProvider(request, [...deps.providers.keys()]) };
  const fitted = fitRequest(provider, request);
  const key = await readKey(deps, name);
  if (typeof key === 'object') return { failure: key };
  const sent = await sendOnce(deps, provider, fitted, watcher, key);
  if (!('failure' in sent) || sent.failure.type !== 'Model.Auth') return sent;
  const replaced = await readKey(deps, name);
  if (typeof replaced === 'object') return { failure: replaced };
  if (replaced === undefined || replaced === key) return sent;
  watcher.onRestart();
  return sendOnce(deps, provider, fitted, watcher, replaced);
}

/** The request with its view in the form for this provider's model. */
export function fitRequest(provider: ModelProvider, request: ModelRequest): ModelRequest {
  const { model, messages } = request;
  const images = provider.takesImages?.(model.id) ?? true;
  return { ...request, messages: viewForModel(messages, { model, images }) };
}

async function sendOnce(
  deps: SendDeps,
  provider: ModelProvider,
  request: ModelRequest,
  { onDelta, onUsage, onRestart }: ReplyWatcher,
  apiKey: string | undefined,
): Promise<SendEnd> {
  const { cancelled, cancellationSignal: signal, log } = Context.current();
  const { model } = request;
  const watch = watchRequest(request, deps.hooks);
  const call = provider.call(request, {
    signal,
    onDelta,
    onRestart,
    onUsage: (usage) => onUsage(toCounts(usage)),
    fetch: watch.fetch,
    loadImage: (image) => deps.loadImage(request.metadata.sessionId, image).catch(storeUnavailable),
    ...defined({ apiKey }),
  });
  try {
    // raced: a provider that ignores its signal must not hold up a stop
    const { message, unknownStop, refused } = await Promise.race([call, cancelled]);
    // the content has decided; the raw value is for the person who adds its row
    if (unknownStop !== undefined)
      log.warn('The model gave a stop reason that is not known.', {
        model,
        stopReason: shownReason(unknownStop),
      });
    if (refused !== undefined)
      log.warn('The server of the model refuses parts of requests, which are no longer sent.', {
        model,
        refused,
      });
    const usage = toCounts(message.usage);
    return { reply: { ...message, usage: inputTotal(usage) > 0 ? usage : estimateUsage(request, message) } };
  } catch (error) {
    if (signal.aborted) throw error;
    const failure = classify(deps, provider, watch, error);
    if (failure === undefined) throw error;
    if (signal.aborted) throw signal.reason;
    return { failure: await withRefusedRequest(deps, request, watch, failure) };
  }
}

/** Undefined for lost infrastructure. The message holds no secret of this worker. */
function classify(
  { redactor }: SendDeps,
  provider: ModelProvider,
  watch: RequestWatch,
  error: unknown,
): ModelFailure | undefined {
  const hook = watch.hookError();
  const cause = hook === undefined ? error : hookFailed(hook.hook, hook.error);
  const failure =
    cause instanceof ApplicationFailure
      ? typedFailure(cause)
      : (provider.classify?.(cause, redactor.text) ?? classifyFailure(cause, redactor.text));
  if (failure === undefined) return undefined;
  const paid = failure.usage && { usage: toCounts(failure.usage) };
  return { ...failure, ...paid, message: cleanReason(failure.message, redactor) };
}

/** Servers send texts, fractions and negative numbers as counts, which would make the result invalid. */
function toCounts({ input, cacheRead, cacheWrite, output, reasoning }: Usage): Usage {
  return defined({
    input: toCount(input),
    cacheRead: toCount(cacheRead),
    cacheWrite: toCount(cacheWrite),
    output: toCount(output),
    reasoning: reasoning === undefined ? undefined : toCount(reasoning),
  });
}

function toCount(given: unknown): number {
  const count = Math.round(Number(given));
  return count > 0 && Number.isSafeInteger(count) ? count : 0;
}

/** The counts of a reply whose provider has sent none. */
function estimateUsage(request: ModelRequest, reply: AssistantMessage): Usage {
  const { systemPrompt, tools, messages } = request;
  const prefix = Math.round(textTokens(systemPrompt + JSON.stringify(tools)) * factorOf(request));
  const input = prefix + estimateTokens(messages, request);
  return { ...noUsage, input, output: estimateTokens([reply], request), estimated: true };
}

/** Keeps the refused body, for the person on call. */
async function withRefusedRequest(
  { keepRefused }: SendDeps,
  { metadata }: ModelRequest,
  watch: RequestWatch,
  failure: ModelFailure,
): Promise<ModelFailure> {
  const body = watch.sentBody();
  if (failure.type !== 'Model.InvalidRequest' || body === undefined) return failure;
  const artifactId = await keepRefused(metadata.sessionId, body);
  if (artifactId === undefined) return failure;
  return { ...failure, message: `${failure.message} The request as it was sent is artifact ${artifactId}.` };
}

/** The key, undefined if the configured one counts, or the failure of reading it. */
async function readKey(deps: SendDeps, provider: string): Promise<string | ModelFailure | undefined> {
  try {
    const key = (await deps.resolveApiKey?.(provider)) || undefined;
    if (key !== undefined) deps.redactor.learn(key);
    return key;
  } catch {
    // the cause may quote the secret store's answer, so it is not passed on
    const message = `The key for ${provider} could not be read: its key file or getApiKey failed. It is tried again.`;
    return { type: 'Model.Connection', message };
  }
}

function unknownProvider({ model }: ModelRequest, known: string[]): ModelFailure {
  return {
    type: 'Model.NotFound',
    message: `The model ${toModelName(model)} needs the provider "${model.provider}", but this worker has ${known.join(', ') || 'none'}. Name one of these, or configure it.`,
  };
}
