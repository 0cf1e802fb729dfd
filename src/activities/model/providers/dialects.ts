// What servers refuse of a request in their vendor's form: one row a family. docs/models.md shows the rows with what
// nobody tried. A server that no row knows teaches the rest by its refusals (repair.ts).

/** Fields of the body that may be left out, because the reply keeps its meaning without them. */
const bodyFields = [
  'max_tokens',
  'max_completion_tokens',
  'stream_options',
  'temperature',
  'reasoning_effort',
  'response_format',
  'tool_choice',
  'include',
  'reasoning',
  'thinking',
  'output_config',
  'cache_control',
] as const;

/** Fields of earlier replies and calls, which go back to the server that gave them. */
const replyFields = [
  'reasoning_content',
  'reasoning_details',
  'thinking_blocks',
  'extra_content',
  'provider_specific_fields',
  'thought_signature',
] as const;

/** Words of a schema that only narrow or describe it; Holdfast checks arguments and answers itself. */
const schemaWords = [
  '$schema',
  '$id',
  '$comment',
  'additionalProperties',
  'const',
  'default',
  'examples',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'multipleOf',
  'pattern',
  'patternProperties',
  'propertyNames',
  'strict',
  'title',
  'uniqueItems',
] as const;

/**
 * Shapes: `block_cache_control`: a cache mark on a block. `anthropic-version`: one after 2023-06-01. `call_ids`: other
 * than nine letters and digits. `dotted_call_ids`: with dots or colons. `user_after_user`, `user_after_tool`: the order of
 * roles. `unreasoned_replies`: without `reasoning_content`. `unsigned_calls`: without Gemini's signature.
 */
const shapes = [
  'block_cache_control',
  'anthropic-version',
  'call_ids',
  'dotted_call_ids',
  'user_after_user',
  'user_after_tool',
  'unreasoned_replies',
  'unsigned_calls',
] as const;

export const fieldNames = [...bodyFields, ...replyFields, ...schemaWords] as const;
export const refusals = [...fieldNames, ...shapes] as const;
/** What a server refuses: a field, a word of a schema, or a shape. */
export type Refusal = (typeof refusals)[number];
export type Refusals = ReadonlySet<Refusal>;

type Family = { hosts?: RegExp; refuses: readonly Refusal[] };

/** Names are those of `dialect` in the config. A family without hosts is only chosen by its name. */
const families = {
  // https://platform.openai.com/docs/api-reference/chat/create: max_tokens is deprecated, and refused by o-series models
  openai: { hosts: /(^|\.)openai\.com$/, refuses: ['max_tokens'] },
  // https://learn.microsoft.com/azure/ai-foundry/openai/how-to/reasoning
  azure: { hosts: /\.azure\.com$/, refuses: ['max_tokens'] },
  // https://ai.google.dev/gemini-api/docs/thought-signatures; words: https://ai.google.dev/api/caching#Schema
  gemini: {
    hosts: /(^|\.)googleapis\.com$/,
    refuses: [
      '$schema',
      '$id',
      '$comment',
      'const',
      'exclusiveMaximum',
      'exclusiveMinimum',
      'multipleOf',
      'patternProperties',
      'propertyNames',
      'uniqueItems',
    ],
  },
  // https://docs.mistral.ai/api; github.com/openai/openai-agents-python/issues/442, github.com/charmbracelet/crush/issues/1590
  mistral: {
    hosts: /(^|\.)mistral\.ai$/,
    refuses: ['max_completion_tokens', 'stream_options', 'call_ids', 'user_after_tool', ...replyFields],
  },
  // https://api-docs.deepseek.com/guides/json_mode: no json_schema
  deepseek: { hosts: /(^|\.)deepseek\.com$/, refuses: ['response_format'] },
  // https://docs.x.ai/docs/api-reference: only some models take reasoning_effort, which is learned
  xai: { hosts: /(^|\.)x\.ai$/, refuses: [] },
  // https://console.groq.com/docs/api-reference; github.com/janhq/jan/issues/8136
  groq: { hosts: /(^|\.)groq\.com$/, refuses: replyFields },
  // https://openrouter.ai/docs/api-reference/parameters: passes roles on to the templates of any server
  openrouter: { hosts: /(^|\.)openrouter\.ai$/, refuses: ['user_after_user'] },
  // https://docs.litellm.ai/docs/completion/input; github.com/BerriAI/litellm/issues/26320
  litellm: { refuses: ['user_after_user'] },
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html; roles alternate in Converse
  bedrock: { hosts: /\.amazonaws\.com$/, refuses: ['user_after_user', 'dotted_call_ids'] },
  // https://docs.vllm.ai/en/latest/serving/openai_compatible_server: the template of the model decides over roles
  vllm: { refuses: ['user_after_user'] },
  // https://docs.sglang.ai/basic_usage/openai_api_completions.html
  sglang: { refuses: ['user_after_user'] },
  // https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
  'llama.cpp': { refuses: ['user_after_user'] },
  // https://docs.ollama.com/api/openai-compatibility
  ollama: { hosts: /:11434$/, refuses: ['user_after_user'] },
  // https://docs.claude.com/en/docs/build-with-claude/prompt-caching: the mark on the request is of its own servers
  anthropic: { hosts: /(^|\.)anthropic\.com$/, refuses: [] },
} satisfies Record<string, Family>;

export type DialectName = keyof typeof families;

export function isDialectName(name: unknown): name is DialectName {
  return typeof name === 'string' && Object.hasOwn(families, name);
}
export const dialectNames = Object.keys(families);

/** Whatever serves them: these models refuse by their templates and their own libraries. */
const modelFamilies: [models: RegExp, refuses: readonly Refusal[]][] = [
  // https://mistralai.github.io/mistral-common/usage/tools; github.com/NousResearch/hermes-agent/issues/20154
  [/(mi[sx]|mini|codes|devs|magis)tral|pixtral/i, ['call_ids', 'user_after_user', 'user_after_tool']],
  // https://ai.google.dev/gemma/docs/core/prompt-structure
  [/gemma/i, ['user_after_user']],
];

/** A server of no family speaks for a template that wants turns. */
const unknown: Family = { refuses: ['user_after_user'] };
/** On the wire of Messages, of all but Anthropic's own servers. */
const relatives = ['cache_control', 'anthropic-version'] as const;

export function dialectOf(baseUrl: string, modelId: string, name: DialectName | undefined): Set<Refusal> {
  const { host, hostname } = new URL(baseUrl);
  const found = Object.entries<Family>(families).find(
    ([own, { hosts }]) =>
      own === name || (name === undefined && (hosts?.test(hostname) || hosts?.test(host))),
  );
  const [family, { refuses }] = found ?? ['', unknown];
  const models = name === undefined ? modelFamilies.filter(([models]) => models.test(modelId)) : [];
  return new Set([
    ...refuses,
    ...models.flatMap(([, more]) => more),
    ...(family === 'anthropic' ? [] : relatives),
  ]);
}
