// The provider for OpenAI's Responses API, stateless. One HTTP request a call.
import type { ModelReply, ModelRequest } from '../../core/model.ts';
import { idleTimeoutOf } from './client-options.ts';
import type { ProviderOptions } from './client-options.ts';
import type { ModelCallOptions, ModelProvider } from './model-provider.ts';
import { createOpenAiClient } from './openai-client.ts';
import { addResponseEvent, finishResponses, startResponsesDraft } from './openai-responses-reply.ts';
import { toResponsesBody } from './openai-responses-request.ts';
import { assertEventStream, readEvents } from './read-events.ts';
import { StreamFault } from './stream-fault.ts';

export function createOpenAiResponsesProvider(options: ProviderOptions = {}): ModelProvider {
  return { name: 'openai', call: (request, callOptions) => callResponses(request, callOptions, options) };
}

async function callResponses(
  request: ModelRequest,
  { signal, onDelta, apiKey, loadImage, fetch }: ModelCallOptions,
  options: ProviderOptions,
): Promise<ModelReply> {
  const client = createOpenAiClient(options, apiKey, fetch);
  const body = await toResponsesBody(request, loadImage);
  const { data, response } = await client.responses
    .create(body, { signal, headers: request.headers ?? {} })
    .withResponse();
  assertEventStream(response);
  const draft = startResponsesDraft(request);
  try {
    for await (const event of readEvents(data, { signal, idleTimeoutMs: idleTimeoutOf(options) })) {
      addResponseEvent(draft, event, onDelta);
    }
    if (draft.final === undefined)
      throw new StreamFault('cut', 'The stream ended without response.completed.');
  } catch (error) {
    if (error instanceof StreamFault) error.usage = draft.usage;
    throw error;
  }
  return finishResponses(draft, request);
}
