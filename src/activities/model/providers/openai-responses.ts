// The provider for OpenAI's Responses API, stateless. One HTTP request a call.
import type { ModelReply, ModelRequest } from '../../../core/model/model-call.ts';
import { streamOptionsOf } from './client-options.ts';
import type { ProviderOptions } from './client-options.ts';
import { decodeStream } from './decode-stream.ts';
import type { ModelCallOptions, ModelProvider } from './model-provider.ts';
import { createOpenAiClient } from './openai-client.ts';
import { addResponseEvent, finishResponses, startResponsesDraft } from './openai-responses-reply.ts';
import { toResponsesBody } from './openai-responses-request.ts';

export function createOpenAiResponsesProvider(options: ProviderOptions = {}): ModelProvider {
  return { name: 'openai', call: (request, callOptions) => callResponses(request, callOptions, options) };
}

async function callResponses(
  request: ModelRequest,
  callOptions: ModelCallOptions,
  options: ProviderOptions,
): Promise<ModelReply> {
  const { signal, onDelta, apiKey, loadImage, fetch } = callOptions;
  const client = await createOpenAiClient(options, apiKey, fetch);
  const body = await toResponsesBody(request, loadImage, options.abilitiesOf?.(request.model.id));
  const answer = client.responses.create(body, { signal, headers: request.headers ?? {} }).withResponse();
  const draft = startResponsesDraft(request);
  return decodeStream(answer, streamOptionsOf(options, callOptions, client.baseURL), {
    add: (event) => addResponseEvent(draft, event, callOptions),
    stage: () => (draft.final === undefined ? 'open' : 'whole'),
    usage: () => draft.usage,
    finish: () => finishResponses(draft, request, onDelta),
  });
}
