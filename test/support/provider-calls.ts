// One call of a provider against the replay server, for tests of what becomes of an answer.
import { classifyFailure } from '@holdfast/providers/classify-failure';
import type { ModelFailure } from '@holdfast/providers/model-provider';
import type { ProviderOptions } from '@holdfast/providers/vendor';
import { userMessage } from '@holdfast/vocabulary/messages';
import type { ModelDelta, ModelReply, ModelRequest } from '@holdfast/vocabulary/model-call';
import { callOptions, modelRequest } from './model-calls.ts';
import { providerFor } from './providers.ts';
import { startReplayServer } from './replay-server.ts';
import type { Answer, CapturedRequest } from './replay-server.ts';
import type { Wire } from './sse.ts';

export const wires: Wire[] = ['openai-chat', 'openai-responses', 'anthropic'];

export type CallResult = {
  reply: ModelReply;
  sent: CapturedRequest;
  deltas: ModelDelta[];
  /** After how many deltas the reply began anew. */
  restarts: number[];
};

/** The reply to one request, and the request as the server saw it. */
export async function replyTo(
  wire: Wire,
  answer: Answer,
  overrides: Partial<ModelRequest> = {},
  options: ProviderOptions = {},
): Promise<CallResult> {
  const server = await startReplayServer();
  server.answer(answer);
  const { provider, model } = providerFor(wire, server.url, options);
  const call = callOptions();
  const reply = await provider.call(
    modelRequest({ model, messages: [userMessage('Go.')], ...overrides }),
    call,
  );
  const sent = server.requests[0];
  if (sent === undefined) throw new Error('the server saw no request');
  return { reply, sent, deltas: call.deltas, restarts: call.restarts };
}

/** What one answer is classified as; fails when the provider takes it for a reply. */
export async function failureOf(
  wire: Wire,
  answer: Answer,
  { now, ...options }: ProviderOptions & { now?: number } = {},
): Promise<ModelFailure> {
  const error = await replyTo(wire, answer, {}, options).then(
    ({ reply }) => Promise.reject(new Error(`taken for a reply: ${JSON.stringify(reply)}`)),
    (reason: unknown) => reason,
  );
  return classifyFailure(error, undefined, now);
}

/** An error as this vendor words it. */
export function errorAnswer(
  wire: Wire,
  status: number,
  error: { message: string; type?: string; code?: string },
  headers: Record<string, string> = {},
): Answer {
  const { message, type = 'invalid_request_error', code } = error;
  const body =
    wire === 'anthropic'
      ? {
          type: 'error',
          error: { type, message, ...(code === undefined ? {} : { details: { error_code: code } }) },
          request_id: 'req_1',
        }
      : { error: { message, type, param: null, code: code ?? null } };
  const requestId = wire === 'anthropic' ? { 'request-id': 'req_1' } : { 'x-request-id': 'req_1' };
  return {
    status,
    headers: { 'content-type': 'application/json', ...requestId, ...headers },
    chunks: [JSON.stringify(body)],
  };
}

/** An error event in the middle of a stream, as this vendor sends it. */
export function errorFrame(wire: Wire, error: { type: string; code?: string; message: string }): string {
  if (wire === 'anthropic') return `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`;
  if (wire === 'openai-chat') return `data: ${JSON.stringify({ error })}\n\n`;
  const event = { type: 'error', code: error.code ?? error.type, message: error.message, param: null };
  return `event: error\ndata: ${JSON.stringify(event)}\n\n`;
}
