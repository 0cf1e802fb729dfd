// The provider for OpenAI's Chat Completions and every server that speaks them. One HTTP request a call.
import type { ModelReply, ModelRequest } from '../../core/model.ts';
import { streamOptionsOf } from './client-options.ts';
import type { ProviderOptions } from './client-options.ts';
import { decodeStream } from './decode-stream.ts';
import type { ModelCallOptions, ModelProvider } from './model-provider.ts';
import { addChunk, finishChat, startChatDraft } from './openai-chat-reply.ts';
import { toChatBody } from './openai-chat-request.ts';
import { createOpenAiClient, takesNewLimitName } from './openai-client.ts';
import { StreamFault } from './stream-fault.ts';
import { watchDone } from './watch-done.ts';

export function createOpenAiChatProvider(options: ProviderOptions = {}): ModelProvider {
  return { name: 'openai-chat', call: (request, callOptions) => callChat(request, callOptions, options) };
}

async function callChat(
  request: ModelRequest,
  callOptions: ModelCallOptions,
  options: ProviderOptions,
): Promise<ModelReply> {
  const { signal, onDelta, apiKey, loadImage, fetch } = callOptions;
  const closing = watchDone(fetch);
  const client = await createOpenAiClient(options, apiKey, closing.fetch);
  const body = await toChatBody(
    request,
    takesNewLimitName(client.baseURL),
    loadImage,
    options.abilitiesOf?.(request.model.id),
  );
  const answer = await client.chat.completions
    .create(body, { signal, headers: request.headers ?? {} })
    .withResponse();
  const draft = startChatDraft(request);
  return decodeStream(answer, streamOptionsOf(options, callOptions), {
    add: (chunk) => addChunk(draft, chunk, onDelta),
    usage: () => draft.usage,
    finish() {
      if (!closing.isDone()) throw new StreamFault('cut', 'The stream ended without its closing [DONE].');
      return finishChat(draft, request);
    },
  });
}
