// The model providers of a process: those with a key in the environment, and those of the config. Pure.
import { defined } from '@holdfast/base/defined';
import { resolve } from 'node:path';
import { builtInProviders, vendors } from '@holdfast/providers/vendors';
import { toVariablePrefix } from '@holdfast/vocabulary/model-name';
import type { HoldfastConfig, ProviderConfig } from './define-config.ts';
import type { Environment } from './environment.ts';

/** One provider, by the name before the colon of a model. */
export type ProviderSettings = {
  /** Absent: the provider's vendor decides by the base URL. */
  speaks?: ProviderConfig['speaks'];
  dialect?: ProviderConfig['dialect'];
  apiKey?: string | undefined;
  /** Read again for every attempt; absolute. */
  apiKeyFile?: string | undefined;
  baseUrl?: string | undefined;
  idleTimeoutMs?: number | undefined;
};

export type Providers = {
  /** A built-in provider is absent without a key, unless it has a server of its own (local servers need no key). */
  providers: Record<string, ProviderSettings>;
  /** By name: the unmet requirement of a provider that the config names. */
  missingProviders: Record<string, string>;
};

export function resolveProviders(environment: Environment, config: HoldfastConfig, cwd: string): Providers {
  const { providers: own = {}, modelProviders = {}, getApiKey } = config;
  const found: Providers = { providers: {}, missingProviders: {} };
  const names = [...builtInProviders.keys(), ...Object.keys(own), ...Object.keys(modelProviders)];
  for (const name of new Set(names)) {
    const given: ProviderConfig = own[name] ?? modelProviders[name] ?? {};
    const settings = toSettings(name, given, environment, cwd);
    const { apiKey, apiKeyFile, baseUrl } = settings;
    const { apiKeyVariable } = given;
    const hasKey = Boolean(apiKey || apiKeyFile || getApiKey);
    const isKeyless = apiKeyVariable === undefined && (baseUrl !== undefined || name in modelProviders);
    if (hasKey || isKeyless) found.providers[name] = settings;
    else if (apiKeyVariable !== undefined) found.missingProviders[name] = `set ${apiKeyVariable}.`;
  }
  return found;
}

function toSettings(
  name: string,
  { baseUrl, apiKeyVariable, idleTimeoutMs, speaks, dialect }: ProviderConfig,
  environment: Environment,
  cwd: string,
): ProviderSettings {
  const vendor = builtInProviders.get(name)?.vendor;
  const isVendors = vendor !== undefined && baseUrl === undefined && apiKeyVariable === undefined;
  const variable = isVendors ? `${vendor.prefix}_API_KEY` : (apiKeyVariable ?? ownVariable(name));
  const file = apiKeyVariable === undefined && variable && environment[`${variable}_FILE`];
  return {
    apiKey: (variable && environment[variable]?.trim()) || undefined,
    baseUrl: baseUrl ?? ((vendor && environment[`${vendor.prefix}_BASE_URL`]) || undefined),
    ...defined({ speaks, dialect, apiKeyFile: file ? resolve(cwd, file) : undefined, idleTimeoutMs }),
  };
}

/**
 * The default key variable of a provider. A variable of a vendor or of Temporal is never used, so that its key does not
 * go to a server that merely has a similar name.
 */
function ownVariable(name: string): string | undefined {
  const prefix = toVariablePrefix(name);
  const isTaken = ['TEMPORAL', ...vendors.map((vendor) => vendor.prefix)].includes(prefix);
  return isTaken ? undefined : `${prefix}_API_KEY`;
}
