// Which of OpenAI's two APIs the provider name `openai` means. The name `openai-chat` is always Chat Completions.
import type { ProviderOptions } from './client-options.ts';
import type { ModelProvider } from './model-provider.ts';
import { isOpenAi } from './openai-client.ts';
import { createOpenAiChatProvider } from './openai-chat.ts';
import { createOpenAiResponsesProvider } from './openai-responses.ts';

export type OpenAiApi = 'responses' | 'chat';

/**
 * Responses at OpenAI itself; Chat Completions where a base URL names another server, because that is what other
 * servers speak. `api` decides otherwise.
 */
export function createOpenAiProvider(options: ProviderOptions & { api?: OpenAiApi } = {}): ModelProvider {
  const api =
    options.api ?? (options.baseUrl === undefined || isOpenAi(options.baseUrl) ? 'responses' : 'chat');
  const provider =
    api === 'chat' ? createOpenAiChatProvider(options) : createOpenAiResponsesProvider(options);
  return { ...provider, name: 'openai' };
}
