// Models and their providers in a config file. Runs where a process starts.
import { z } from 'zod';
import { dialectNames, refusable } from '@holdfast/providers/dialects';
import type { OwnModelProvider } from '@holdfast/providers/own-provider';
import type { WireName } from '@holdfast/providers/vendors';
import { builtInProviders, isWireName, wireNames } from '@holdfast/providers/vendors';
import { modelNameSchema } from '../../core/agent/agent-spec.schema.ts';
import type { Infer } from '@holdfast/base/schema-output';
import { expectedProviderName, isProviderName } from '@holdfast/vocabulary/model-name';
import { objectWith } from './own-code.schema.ts';

const price = z.number().min(0);
const pricesSchema = z.strictObject({
  /** Input that no cache had. */
  input: price,
  /** Output, with the tokens of thinking. */
  output: price,
  /** Input read from the provider's cache. Default: as `input`. */
  cacheRead: price.exactOptional(),
  /** Input written into that cache. Default: as `input`. */
  cacheWrite: price.exactOptional(),
});

const modelSchema = z.strictObject({
  /** In USD per million tokens. */
  prices: pricesSchema.exactOptional(),
  /** Largest request in tokens. */
  contextWindow: z.int().min(1).exactOptional(),
  /** True if it can see images; otherwise it gets a note in their place. */
  images: z.boolean().exactOptional(),
  /** Levels in addition to `off`. */
  thinkingLevels: z.array(z.enum(['minimal', 'low', 'medium', 'high', 'xhigh'])).exactOptional(),
  /** Largest output limit in tokens, including thinking. */
  maxOutput: z.int().min(1).exactOptional(),
  /** Family of its server, where the host and the name of the model do not tell it. */
  dialect: z.enum(dialectNames).exactOptional(),
  /** More that its server refuses, e.g. `stream_options`. */
  refuses: z.array(z.string().regex(refusable, 'expected a name of docs/models.md')).exactOptional(),
});
export type ModelConfig = Infer<typeof modelSchema>;
/** Known facts of each model, by its name. */
export const modelsSchema = z.record(modelNameSchema, modelSchema);

const providerName = z.string().refine(isProviderName, `expected ${expectedProviderName}`);

const providerSchema = z.strictObject({
  /** OpenAI's Responses, its Chat Completions, or Anthropic's Messages. Required for a new name. */
  speaks: z.custom<WireName>(isWireName, `expected one of ${wireNames.join(', ')}`).exactOptional(),
  /** Required for a new name. No vendor's key of the environment is sent there, unless `apiKeyVariable` names it. */
  baseUrl: z.url({ protocol: /^https?$/, error: 'expected an http(s) address' }).exactOptional(),
  /**
   * Environment variable of its key; without the variable's value the provider is unusable. Default: `<NAME>_API_KEY`
   * (`llama.cpp`: LLAMA_CPP_API_KEY), if that is set.
   */
  apiKeyVariable: z.string().min(1).exactOptional(),
  /** Family of the server, for all its models. Default: the host and the name of the model decide. */
  dialect: z.enum(dialectNames).exactOptional(),
  /** Limit of the time without an event, after which the reply fails. Default 60,000. */
  idleTimeoutMs: z.int().min(1).exactOptional(),
});
/** A server of models. */
export type ProviderConfig = Infer<typeof providerSchema>;

export const providersSchema = z.record(providerName, providerSchema).superRefine(checkOwnNames);

const ownProviderSchema = objectWith<OwnModelProvider>(
  { call: 'function' },
  'expected { call(request, options) { ... } }',
);
export const modelProvidersSchema = z.record(providerName, ownProviderSchema);

function checkOwnNames(providers: Record<string, ProviderConfig>, context: z.RefinementCtx<unknown>): void {
  for (const [name, { speaks, baseUrl }] of Object.entries(providers)) {
    const isOwn = !builtInProviders.has(name);
    const isWhole = speaks !== undefined && baseUrl !== undefined;
    if (name !== 'scripted' && (!isOwn || isWhole)) continue;
    const message =
      name === 'scripted' ? 'is the name of the scripted model' : 'needs "speaks" and "baseUrl"';
    context.addIssue({ code: 'custom', path: [name], message });
  }
}

export function checkModelProviders(
  { modelProviders = {}, providers = {} }: { modelProviders?: object; providers?: object },
  context: z.RefinementCtx<unknown>,
): void {
  for (const name of Object.keys(modelProviders)) {
    const isTaken = builtInProviders.has(name) || name === 'scripted' || name in providers;
    const message = 'is the name of another provider: choose one of its own';
    if (isTaken) context.addIssue({ code: 'custom', path: ['modelProviders', name], message });
  }
}
