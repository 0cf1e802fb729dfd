// The provider for OpenAI's Chat Completions and every server that speaks them. One HTTP request a call.
import OpenAI from 'openai';
import type { ModelReply, ModelRequest } from '../../core/model.ts';
import { idleTimeoutOf, toClientOptions } from './client-options.ts';
import type { ProviderOptions } from './client-options.ts';
import type { ModelCallOptions, ModelProvider } from './model-provider.ts';
import { addChunk, finishChat, startChatDraft } from './openai-chat-reply.ts';
import { toChatBody } from './openai-chat-request.ts';
import { assertEventStream, readEvents } from './read-events.ts';
import { StreamFault } from './stream-fault.ts';
import { watchDone } from './watch-done.ts';

/** OpenAI's server, and the variable its key is read from by the configuration. */
export const openAiVendor = {
  name: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  keyVariable: 'OPENAI_API_KEY',
};

export function createOpenAiChatProvider(options: ProviderOptions = {}): ModelProvider {
  return { name: 'openai-chat', call: (request, callOptions) => callChat(request, callOptions, options) };
}

async function callChat(
  request: ModelRequest,
  { signal, onDelta, apiKey, loadImage }: ModelCallOptions,
  options: ProviderOptions,
): Promise<ModelReply> {
  const closing = watchDone();
  const client = createOpenAiClient(options, apiKey, closing.fetch);
  const body = await toChatBody(request, isOpenAi(client.baseURL), loadImage);
  const { data, response } = await client.chat.completions
    .create(body, { signal, headers: request.headers ?? {} })
    .withResponse();
  assertEventStream(response);
  const draft = startChatDraft(request);
  try {
    for await (const chunk of readEvents(data, { signal, idleTimeoutMs: idleTimeoutOf(options) })) {
      addChunk(draft, chunk, onDelta);
    }
    if (!closing.isDone()) throw new StreamFault('cut', 'The stream ended without its closing [DONE].');
  } catch (error) {
    if (error instanceof StreamFault) error.usage = draft.usage;
    throw error;
  }
  return finishChat(draft, request);
}

/** The environment is read by our configuration only, so every variable that the SDK would read is given here. */
export function createOpenAiClient(options: ProviderOptions, callKey?: string, fetch?: typeof globalThis.fetch): OpenAI {
  return new OpenAI({
    ...toClientOptions(options, openAiVendor, callKey),
    adminAPIKey: null,
    organization: null,
    project: null,
    ...(fetch === undefined ? {} : { fetch }),
  });
}

function isOpenAi(baseUrl: string): boolean {
  return /(^|\.)openai\.com$/.test(new URL(baseUrl).hostname);
}
