// The provider for Anthropic's Messages API, and servers that speak it. One HTTP request a call.
import type { ModelReply, ModelRequest } from '../../../core/model/model-call.ts';
import { addEvent, finishMessages, startMessagesDraft } from './anthropic-reply.ts';
import { toMessagesBody } from './anthropic-request.ts';
import type { MessagesBody } from './anthropic-request.ts';
import { streamOptionsOf, toClientOptions } from './client-options.ts';
import type { ProviderOptions } from './client-options.ts';
import { decodeStream } from './decode-stream.ts';
import type { ModelCallOptions, ModelProvider } from './model-provider.ts';

const vendor = { name: 'anthropic', baseUrl: 'https://api.anthropic.com', keyVariable: 'ANTHROPIC_API_KEY' };

export function createAnthropicProvider(options: ProviderOptions = {}): ModelProvider {
  return { name: 'anthropic', call: (request, callOptions) => callMessages(request, callOptions, options) };
}

async function callMessages(
  request: ModelRequest,
  callOptions: ModelCallOptions,
  options: ProviderOptions,
): Promise<ModelReply> {
  const { signal, onDelta, apiKey, loadImage, fetch } = callOptions;
  // loaded by the first call: a worker starts faster without it
  const { default: Anthropic } = await import('@anthropic-ai/sdk');
  const client = new Anthropic({
    ...toClientOptions(options, vendor, apiKey),
    webhookKey: null,
    ...(fetch === undefined ? {} : { fetch }),
  });
  const body = await toMessagesBody(request, loadImage, options.abilitiesOf?.(request.model.id));
  const answer = client.messages
    .create(body, { signal, headers: { ...versionHeader(body), ...request.headers } })
    .withResponse();
  const draft = startMessagesDraft(request);
  return decodeStream(answer, streamOptionsOf(options, callOptions, client.baseURL), {
    add: (event) => addEvent(draft, event, callOptions),
    stage: () => (draft.isComplete ? 'whole' : 'open'),
    usage: () => draft.usage,
    finish: () => finishMessages(draft, request, onDelta),
  });
}

/** The SDK speaks the newer version, which refuses a temperature. */
function versionHeader(body: MessagesBody): Record<string, string> {
  return body.temperature === undefined ? {} : { 'anthropic-version': '2023-06-01' };
}
