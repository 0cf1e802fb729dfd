// Asks a provider for one reply that is worth keeping. Repeats only what is no failure of a call: an empty reply,
// and a request whose refused key was replaced meanwhile; all other retries are Temporal's.
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { AssistantMessage, ImagePart } from '../core/messages.ts';
import { textOf, toolCallsOf } from '../core/messages.ts';
import type { ModelRequest } from '../core/model.ts';
import type { ModelFailure } from './classify-failure.ts';
import type { ModelAttempt } from './model-attempt.ts';
import { failAttempt, typedFailure } from './model-failure.ts';
import type { ClassifiedFailure, RetryLimits } from './model-ledger.ts';
import { withWasted } from './model-ledger.ts';
import { storeUnavailable } from './segments.ts';
import type { ModelProvider } from './providers/model-provider.ts';

export type AskDeps = {
  /** By name: the part of a model reference before the colon. */
  providers: ReadonlyMap<string, ModelProvider>;
  classify(error: unknown): ModelFailure;
  loadImage(sessionId: string, image: ImagePart): Promise<Uint8Array>;
  /** Asked before every request; nothing or '' leaves the configured key. */
  resolveApiKey?(provider: string): Promise<string | undefined>;
};

/** An empty reply is asked for again so many times (LOOP-15). */
const emptyRepeats = 2;

/**
 * A reply with text or calls. Throws the failure that Temporal acts on, booked in the attempt's ledger; on a
 * cancellation whatever the provider threw.
 */
export async function askModel(
  deps: AskDeps,
  request: ModelRequest,
  attempt: ModelAttempt,
  limits: RetryLimits,
): Promise<AssistantMessage> {
  for (let repeats = 0; ; repeats++) {
    const message = await askOnce(deps, request, attempt).catch((error: unknown) => {
      throw toFailure(deps, error, attempt, limits);
    });
    const useless = uselessness(message, repeats);
    if (useless === undefined) return message;
    attempt.ledger = withWasted(attempt.ledger, message.usage);
    if (useless !== 'ask_again') throw failAttempt(attempt, useless, limits);
    attempt.restart();
  }
}

function toFailure(deps: AskDeps, error: unknown, attempt: ModelAttempt, limits: RetryLimits): unknown {
  if (Context.current().cancellationSignal.aborted) return error;
  const failure = toModelFailure(deps, error);
  // lost infrastructure, such as an image's store: retried, but no failure of the model
  if (failure === undefined) return error;
  attempt.ledger = withWasted(attempt.ledger, failure.usage);
  return failAttempt(attempt, failure, limits);
}

function toModelFailure(deps: AskDeps, error: unknown): ModelFailure | undefined {
  return typedFailure(error) ?? (error instanceof ApplicationFailure ? undefined : deps.classify(error));
}

async function askOnce(
  deps: AskDeps,
  request: ModelRequest,
  attempt: ModelAttempt,
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

async function send(
  deps: AskDeps,
  provider: ModelProvider,
  request: ModelRequest,
  attempt: ModelAttempt,
  apiKey: string | undefined,
): Promise<AssistantMessage> {
  const { cancelled, cancellationSignal } = Context.current();
  const call = provider.call(request, {
    signal: cancellationSignal,
    onDelta: attempt.onDelta,
    loadImage: (image) => deps.loadImage(request.metadata.sessionId, image).catch(storeUnavailable),
    ...(apiKey !== undefined && { apiKey }),
  });
  // raced: a provider that is deaf to its signal must not hold up a stop
  const { message } = await Promise.race([call, cancelled]);
  return message;
}

async function readKey(deps: AskDeps, provider: string): Promise<string | undefined> {
  try {
    return (await deps.resolveApiKey?.(provider)) || undefined;
  } catch {
    // The cause may quote the secret store's answer, so it is not passed on.
    throw ApplicationFailure.create({
      type: 'Model.Connection',
      message: `The key for ${provider} could not be read: getApiKey failed. It is tried again.`,
    });
  }
}

/** Undefined for a reply to keep. */
function uselessness(
  message: AssistantMessage,
  repeats: number,
): ClassifiedFailure | 'ask_again' | undefined {
  if (message.stopDetail === 'context_window') return windowFull;
  if (isFilled(message)) return undefined;
  return repeats < emptyRepeats ? 'ask_again' : stillEmpty;
}

/** A refusal or a pause says something by its stop reason alone. */
function isFilled(message: AssistantMessage): boolean {
  return toolCallsOf(message).length > 0 || textOf(message).trim() !== '' || message.stopDetail !== undefined;
}

const windowFull: ClassifiedFailure = {
  type: 'Model.ContextOverflow',
  message: 'The reply was cut off because the conversation fills the context window of the model.',
};

const stillEmpty: ClassifiedFailure = {
  type: 'Model.EmptyResponse',
  message: `The model gave an empty reply ${emptyRepeats + 1} times: no text and no tool call.`,
};

function unknownProvider({ model }: ModelRequest, known: string[]): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'Model.NotFound',
    message: `The model ${model.provider}:${model.id} needs the provider "${model.provider}", but this worker has ${known.join(', ') || 'none'}. Name one of these, or configure it.`,
  });
}
