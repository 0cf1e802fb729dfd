// Which of OpenAI's two APIs the provider name `openai` means. The name `openai-chat` is always Chat Completions.
import type { ProviderOptions } from '../client-options.ts';
import type { ModelProvider } from '../model-provider.ts';
import { createOpenAiChatProvider } from './chat.ts';
import { createOpenAiResponsesProvider } from './responses.ts';
import type OpenAI from 'openai';
import { isHostOf, toClientOptions } from '../client-options.ts';

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

// How both OpenAI providers build their client.
const vendor = { name: 'openai', baseUrl: 'https://api.openai.com/v1', keyVariable: 'OPENAI_API_KEY' };

/** The environment is read by our configuration only, so every variable that the SDK would read is given here. */
export async function createOpenAiClient(
  options: ProviderOptions,
  callKey?: string,
  fetch?: typeof globalThis.fetch,
): Promise<OpenAI> {
  // loaded by the first call: a worker starts faster without it
  const { default: Client } = await import('openai');
  return new Client({
    ...toClientOptions(options, vendor, callKey),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    ...(fetch === undefined ? {} : { fetch }),
  });
}

/** OpenAI's own servers, of any region; everything else merely speaks its format. */
export function isOpenAi(baseUrl: string): boolean {
  return isHostOf(baseUrl, vendor.baseUrl);
}

/** OpenAI's models refuse the older name of the output limit, wherever they are hosted; other servers know only that. */
export function takesNewLimitName(baseUrl: string): boolean {
  return isOpenAi(baseUrl) || new URL(baseUrl).hostname.endsWith('.azure.com');
}
