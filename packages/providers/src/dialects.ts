// Refusals of servers that speak a vendor's protocol: one row a family. docs/models.md has the rows with the source
// of each cell. A server that no row knows teaches the rest by its refusals (repair.ts).
import { keysOf } from '@holdfast/base/keys';

/** The name of a field, of a word of a schema, or of a shape. */
export type RefusedName = string;
export type Refusals = ReadonlySet<RefusedName>;

const schemaWords =
  '\\$schema|\\$id|\\$comment|additionalProperties|(all|any|one)Of|const|default|examples|exclusiveM(ax|in)imum|format|' +
  'm(ax|in)(imum|Items|Length)|multipleOf|pattern|patternProperties|propertyNames|title|uniqueItems';
export const schemaWord = new RegExp(`^(${schemaWords})$`);

/**
 * Fields without which a reply keeps its meaning, fields of earlier replies, words that only narrow or describe a schema
 * (Holdfast checks arguments and answers itself), and shapes of a request, which docs/models.md describes.
 */
export const refusable = new RegExp(
  '^(max_tokens|max_completion_tokens|stream|stream_options|temperature|reasoning_effort|response_format|tool_choice|include|' +
    'reasoning|thinking|effort|output_config|cache_control|reasoning_(content|details|opaque)|thinking_blocks|strict|' +
    `extra_content|provider_specific_fields|thought_signature|${schemaWords}|block_cache_control|anthropic-version|` +
    '(dotted_)?call_ids|parallel_calls|user_after_(user|tool)|system_role|null_content|unreasoned_replies|unsigned_calls)$',
);

/** Refused wherever a model of Mistral is served. */
const ofMistral = ['call_ids', 'user_after_user', 'user_after_tool'];
const modelOfMistral = /(mi[sx]|mini|codes|devs|magis|pix)tral/i;

type Family = { hosts?: RegExp; refuses: readonly RefusedName[] };

/** By the names of `dialect` in the config. A family without hosts is only chosen by its name. */
const families = {
  openai: { hosts: /(^|\.)openai\.com$/, refuses: ['max_tokens', 'dotted_call_ids'] },
  azure: { hosts: /\.azure\.com$/, refuses: ['max_tokens', 'dotted_call_ids'] },
  gemini: {
    hosts: /(^|\.)googleapis\.com$/,
    refuses: ['$schema', 'const', 'exclusiveMaximum', 'exclusiveMinimum', 'propertyNames'],
  },
  mistral: { hosts: /(^|\.)mistral\.ai$/, refuses: ['stream_options', ...ofMistral] },
  deepseek: { hosts: /(^|\.)deepseek\.com$/, refuses: ['response_format'] },
  xai: { hosts: /(^|\.)x\.ai$/, refuses: [] },
  groq: { hosts: /(^|\.)groq\.com$/, refuses: [] },
  openrouter: { hosts: /(^|\.)openrouter\.ai$/, refuses: ['user_after_user'] },
  litellm: { refuses: ['user_after_user'] },
  bedrock: { hosts: /\.(amazonaws\.com|api\.aws)$/, refuses: ['user_after_user', 'dotted_call_ids'] },
  vllm: { refuses: ['user_after_user'] },
  sglang: { refuses: ['user_after_user'] },
  'llama.cpp': { refuses: ['user_after_user', 'maxItems', 'maxLength'] },
  ollama: { hosts: /:11434$/, refuses: ['user_after_user', 'null_content'] },
  anthropic: { hosts: /(^|\.)anthropic\.com$/, refuses: [] },
} satisfies Record<string, Family>;

export type DialectName = keyof typeof families;
export const dialectNames = keysOf(families);

/** On the wire of Messages: of all but Anthropic's own servers. */
const ofRelatives = ['cache_control', 'anthropic-version'];

export function dialectOf(baseUrl: string, modelId: string, name: DialectName | undefined): RefusedName[] {
  const { host, hostname } = new URL(baseUrl);
  // a server of no family may have a template that wants turns
  const [family, { refuses }] = Object.entries<Family>(families).find(([own, { hosts }]) =>
    name === undefined ? hosts?.test(hostname) || hosts?.test(host) : own === name,
  ) ?? ['', { refuses: ['user_after_user'] }];
  const byModel = modelOfMistral.test(modelId) ? ofMistral : [];
  const byFamily = family === 'anthropic' ? [] : ofRelatives;
  return [...refuses, ...byModel, ...byFamily];
}
