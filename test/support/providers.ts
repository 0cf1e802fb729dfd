// The providers by wire, pointed at a server on loopback.
import type { ModelRef } from '../../src/core/model/messages.ts';
import { createAnthropicProvider } from '../../src/activities/model/providers/anthropic/messages.ts';
import type { ProviderOptions } from '../../src/activities/model/providers/client-options.ts';
import type { ModelProvider } from '../../src/activities/model/providers/model-provider.ts';
import { createOpenAiChatProvider } from '../../src/activities/model/providers/openai/chat.ts';
import { createOpenAiResponsesProvider } from '../../src/activities/model/providers/openai/responses.ts';
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
  const all = { apiKey: 'test-key', ...options };
  switch (wire) {
    case 'openai-chat':
      return { model, provider: createOpenAiChatProvider({ ...all, baseUrl: `${serverUrl}/v1` }) };
    case 'anthropic':
      return { model, provider: createAnthropicProvider({ ...all, baseUrl: serverUrl }) };
    case 'openai-responses':
      return { model, provider: createOpenAiResponsesProvider({ ...all, baseUrl: `${serverUrl}/v1` }) };
  }
}
