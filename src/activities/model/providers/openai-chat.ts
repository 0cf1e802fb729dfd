// The provider for OpenAI's Chat Completions and every server that speaks them. One HTTP request a call.
import type { ModelReply, ModelRequest } from '../../../core/model/model-call.ts';
import { streamOptionsOf } from './client-options.ts';
import type { ProviderOptions } from './client-options.ts';
import { decodeStream } from './decode-stream.ts';
import type { ModelCallOptions, ModelProvider } from './model-provider.ts';
import { addChunk, chatStage, finishChat, startChatDraft } from './openai-chat-reply.ts';
import { toChatBody } from './openai-chat-request.ts';
import { createOpenAiClient, takesNewLimitName } from './openai-client.ts';

export function createOpenAiChatProvider(options: ProviderOptions = {}): ModelProvider {
  return { name: 'openai-chat', call: (request, callOptions) => callChat(request, callOptions, options) };
}

async function callChat(
  request: ModelRequest,
  callOptions: ModelCallOptions,
  options: ProviderOptions,
): Promise<ModelReply> {
  const { signal, onDelta, apiKey, loadImage, fetch } = callOptions;
  const client = await createOpenAiClient(options, apiKey, fetch);
  const body = await toChatBody(
    request,
    takesNewLimitName(client.baseURL),
    loadImage,
    options.abilitiesOf?.(request.model.id),
  );
  const answer = client.chat.completions
    .create(body, { signal, headers: request.headers ?? {} })
    .withResponse();
  const draft = startChatDraft(request);
  return decodeStream(answer, streamOptionsOf(options, callOptions, client.baseURL), {
    add: (chunk) => addChunk(draft, chunk, onDelta),
    stage: () => chatStage(draft),
    usage: () => draft.usage,
    finish: () => finishChat(draft, request, onDelta),
  });
}
