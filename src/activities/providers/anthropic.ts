// The provider for Anthropic's Messages API, and servers that speak it. One HTTP request a call.
import Anthropic from '@anthropic-ai/sdk';
import type { ModelReply, ModelRequest } from '../../core/model.ts';
import { addEvent, finishMessages, startMessagesDraft } from './anthropic-reply.ts';
import { toMessagesBody } from './anthropic-request.ts';
import type { MessagesBody } from './anthropic-request.ts';
import { idleTimeoutOf, toClientOptions } from './client-options.ts';
import type { ProviderOptions } from './client-options.ts';
import type { ModelCallOptions, ModelProvider } from './model-provider.ts';
import { assertEventStream, readEvents } from './read-events.ts';
import { StreamFault } from './stream-fault.ts';

const vendor = { name: 'anthropic', baseUrl: 'https://api.anthropic.com', keyVariable: 'ANTHROPIC_API_KEY' };

export function createAnthropicProvider(options: ProviderOptions = {}): ModelProvider {
  return { name: 'anthropic', call: (request, callOptions) => callMessages(request, callOptions, options) };
}

async function callMessages(
  request: ModelRequest,
  { signal, onDelta, apiKey, loadImage, fetch }: ModelCallOptions,
  options: ProviderOptions,
): Promise<ModelReply> {
  const client = new Anthropic({
    ...toClientOptions(options, vendor, apiKey),
    webhookKey: null,
    ...(fetch === undefined ? {} : { fetch }),
  });
  const body = await toMessagesBody(request, loadImage);
  const { data, response } = await client.messages
    .create(body, { signal, headers: { ...versionHeader(body), ...request.headers } })
    .withResponse();
  assertEventStream(response);
  const draft = startMessagesDraft(request);
  try {
    for await (const event of readEvents(data, { signal, idleTimeoutMs: idleTimeoutOf(options) })) {
      addEvent(draft, event, onDelta);
    }
    if (!draft.isComplete) throw new StreamFault('cut', 'The stream ended without its message_stop.');
  } catch (error) {
    if (error instanceof StreamFault) error.usage = draft.usage;
    throw error;
  }
  return finishMessages(draft, request);
}

/** The SDK speaks the newer version, which refuses a temperature. */
function versionHeader(body: MessagesBody): Record<string, string> {
  return body.temperature === undefined ? {} : { 'anthropic-version': '2023-06-01' };
}
