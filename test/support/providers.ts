// The providers by wire, pointed at a server on loopback.
import { fitRequest } from '../../src/activities/model/send.ts';
import { createVendorProvider } from '@holdfast/providers/vendors';
import type { ModelRef } from '@holdfast/vocabulary/messages';
import type { ProviderOptions } from '@holdfast/providers/vendor';
import type { ModelProvider } from '@holdfast/providers/model-provider';
import type { Wire } from './sse.ts';

export const models: Record<Wire, ModelRef> = {
  'openai-chat': { provider: 'openai-chat', id: 'gpt-4o-mini' },
  'openai-responses': { provider: 'openai', id: 'gpt-5.1-codex-max' },
  anthropic: { provider: 'anthropic', id: 'claude-sonnet-5' },
};

export function providerFor(
  wire: Wire,
  serverUrl: string,
  options: ProviderOptions = {},
): { provider: ModelProvider; model: ModelRef } {
  const model = models[wire];
  const provider = createVendorProvider(model.provider, {
    apiKey: 'test-key',
    ...options,
    ...(wire === 'openai-responses' && { speaks: 'responses' }),
    baseUrl: wire === 'anthropic' ? serverUrl : `${serverUrl}/v1`,
  });
  return { model, provider: fitting(provider) };
}

/** The provider behind the step before it: its requests show the view as its model may read it. */
function fitting(provider: ModelProvider): ModelProvider {
  return { ...provider, call: (request, options) => provider.call(fitRequest(provider, request), options) };
}
