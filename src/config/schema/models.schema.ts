// Models and their providers in a config file. Runs where a process starts.
import { z } from 'zod';
import type { OwnModelProvider } from '../../activities/model/providers/own-provider.ts';
import type { WireName } from '../../activities/model/providers/vendors.ts';
import { builtInProviders, isWireName, wireNames } from '../../activities/model/providers/vendors.ts';
import { modelNameSchema } from '../../core/agent/agent-spec.schema.ts';
import { expectedProviderName, isProviderName } from '../../core/model/model-name.ts';
import type { HoldfastConfig } from '../define-config.ts';
import { objectWith } from './own-code.schema.ts';

const price = z.number().min(0);
const pricesSchema = z.strictObject({
  input: price,
  output: price,
  cacheRead: price.exactOptional(),
  cacheWrite: price.exactOptional(),
});

/** What is known of each model, by its name. */
export const modelsSchema = z.record(
  modelNameSchema,
  z.strictObject({
    prices: pricesSchema.exactOptional(),
    contextWindow: z.int().min(1).exactOptional(),
    images: z.boolean().exactOptional(),
    thinkingLevels: z.array(z.enum(['minimal', 'low', 'medium', 'high', 'xhigh'])).exactOptional(),
    maxOutput: z.int().min(1).exactOptional(),
  }),
);

const providerName = z.string().refine(isProviderName, `expected ${expectedProviderName}`);

const providerSchema = z.strictObject({
  speaks: z.custom<WireName>(isWireName, `expected one of ${wireNames.join(', ')}`).exactOptional(),
  baseUrl: z.url({ protocol: /^https?$/, error: 'expected an http(s) address' }).exactOptional(),
  apiKeyVariable: z.string().min(1).exactOptional(),
  idleTimeoutMs: z.int().min(1).exactOptional(),
});

export const providersSchema = z.record(providerName, providerSchema).superRefine(checkOwnNames);

const ownProviderSchema = objectWith<OwnModelProvider>(
  { call: 'function' },
  'expected { call(request, options) { ... } }',
);
export const modelProvidersSchema = z.record(providerName, ownProviderSchema);

function checkOwnNames(
  providers: NonNullable<HoldfastConfig['providers']>,
  context: z.RefinementCtx<unknown>,
): void {
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
  { modelProviders = {}, providers = {} }: HoldfastConfig,
  context: z.RefinementCtx<unknown>,
): void {
  for (const name of Object.keys(modelProviders)) {
    const isTaken = builtInProviders.has(name) || name === 'scripted' || name in providers;
    const message = 'is the name of another provider: choose one of its own';
    if (isTaken) context.addIssue({ code: 'custom', path: ['modelProviders', name], message });
  }
}
