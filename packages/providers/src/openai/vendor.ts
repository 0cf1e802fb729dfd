// OpenAI as a vendor, with the servers of others that speak its Chat Completions. Source: its reasoning guide, as of
// November 2026.
import type { ThinkingLevel } from '@holdfast/vocabulary/model-call';
import type { Vendor } from '../vendor.ts';
import { isHostOf } from '../vendor.ts';

const baseUrl = 'https://api.openai.com/v1';
const upToHigh: ThinkingLevel[] = ['low', 'medium', 'high'];
const fromMinimal: ThinkingLevel[] = ['minimal', ...upToHigh];
const upToXhigh: ThinkingLevel[] = [...upToHigh, 'xhigh'];
const alwaysThinks = { thinksUnasked: true, temperature: 'never' } as const;

export const openai = {
  name: 'openai',
  prefix: 'OPENAI',
  baseUrl,
  defaultModel: 'openai:gpt-5.1',
  // other servers speak Chat Completions
  wireAt: (url) => (url === undefined || isHostOf(url, baseUrl) ? 'responses' : 'chat'),
  wires: {
    responses: {
      callIds: { characters: 'a-zA-Z0-9_-', maxLength: 64 },
      path: '/responses',
      load: async () => (await import('./responses.ts')).responsesWire,
    },
    chat: {
      // OpenAI refuses longer ids; other servers take whatever OpenAI takes
      callIds: { characters: 'a-zA-Z0-9_.:-', maxLength: 40 },
      path: '/chat/completions',
      load: async () => (await import('./chat.ts')).chatWire,
    },
  },
  alsoKnownAs: { 'openai-chat': 'chat' },
  defaults: {
    thinkingLevels: [],
    thinkingForm: 'effort',
    thinksUnasked: false,
    images: true,
    temperature: 'always',
  },
  models: [
    [/^gpt-oss/, { thinkingLevels: upToHigh, thinksUnasked: true, images: false }],
    [/^gpt-3\.5|^gpt-4$|^gpt-4-(\d|turbo-preview)/, { images: false }],
    [/^(gpt-4|chatgpt-|gpt-5[\w.-]*-chat|gpt-audio)/, {}],
    [/^o\d/, { thinkingLevels: upToHigh, ...alwaysThinks }],
    [/^gpt-5(-(pro|mini|nano|\d).*)?$/, { thinkingLevels: fromMinimal, ...alwaysThinks }],
    [/^gpt-5(\.1)?-codex-max/, { thinkingLevels: upToXhigh, ...alwaysThinks }],
    [/^gpt-5-codex/, { thinkingLevels: upToHigh, temperature: 'never' }],
    [/^gpt-5\.1/, { thinkingLevels: upToHigh, temperature: 'without_thinking' }],
    [/^gpt-/, { thinkingLevels: upToXhigh, ...alwaysThinks }],
    [/./, { thinkingLevels: upToHigh }],
  ],
  maxOutput: [
    [/^gpt-3\.5|^gpt-4-turbo/, 4_096],
    [/^gpt-4(-\d{4})?$/, 8_192],
    [/^gpt-4o/, 16_384],
    [/^gpt-4\.1/, 32_768],
  ],
  overflow: {
    openai: /exceeds the context window|maximum context length (is|of) \d+|context_length_exceeded/i,
    google: /input token count.*exceeds the maximum/i,
    xai: /maximum prompt length is \d+/i,
    groq: /reduce the length of the messages/i,
    copilot: /prompt token count.*exceeds the limit of \d+/i,
    mistral: /too large for model with \d+ maximum context length/i,
    kimi: /exceeded model token limit/i,
    minimax: /context window exceeds limit/i,
    qwen: /range of input length should be/i,
    vllm: /(longer than|exceeds) the maximum model length|max_model_len|context length is only \d+/i,
    sglang: /longer than the model'?s context length|exceeds the model'?s maximum context length/i,
    textGeneration: /inputs`? tokens \+ `?max_new_tokens`? must be <=/i,
    inputLength: /input length \(?\d*( tokens)?\)? ?exceeds the maximum/i,
    glm: /prompt exceeds max length/i,
    cohere: /too many tokens: (the )?total number/i,
    llamaCpp: /exceeds the available context size|context size has been exceeded/i,
    lmStudio: /greater than the context length|context length of only/i,
    ollama:
      /prompt too long; exceeded (max )?context length|input length exceeds (the )?(maximum )?context length/i,
    anyServer:
      /context[ _](length|window)[ _](is )?exceeded|too many tokens in (the )?(prompt|request|input)/i,
  },
} satisfies Vendor<'responses' | 'chat'>;
