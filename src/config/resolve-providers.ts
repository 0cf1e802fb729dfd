// Which model providers a process has: those of the environment's keys, and those that the config names. Pure.
import { resolve } from 'node:path';
import type { HoldfastConfig, ProviderConfig } from './define-config.ts';

/** One provider, by the name before the colon of a model. */
export type ProviderSettings = {
  /** Absent: chosen by the base URL, as for `openai`. */
  speaks?: NonNullable<ProviderConfig['speaks']> | undefined;
  apiKey?: string | undefined;
  /** Read anew for every attempt; absolute. */
  apiKeyFile?: string | undefined;
  baseUrl?: string | undefined;
  idleTimeoutMs?: number | undefined;
};

export type Providers = {
  /** Absent: neither a key nor a server of its own (local servers want no key). */
  providers: Record<string, ProviderSettings>;
  /** What providers need that the config names and that cannot be used, by their name. */
  missingProviders: Record<string, string>;
};

type Environment = Readonly<Record<string, string | undefined>>;

const builtIn: Record<string, { vendor: 'OPENAI' | 'ANTHROPIC'; speaks?: ProviderSettings['speaks'] }> = {
  openai: { vendor: 'OPENAI' },
  'openai-chat': { vendor: 'OPENAI', speaks: 'chat' },
  anthropic: { vendor: 'ANTHROPIC', speaks: 'messages' },
};

export function resolveProviders(environment: Environment, config: HoldfastConfig, cwd: string): Providers {
  const own = config.providers ?? {};
  const found: Providers = { providers: {}, missingProviders: {} };
  for (const name of new Set([...Object.keys(builtIn), ...Object.keys(own)])) {
    const settings = toSettings(name, own[name], environment, cwd);
    const { apiKey, apiKeyFile, baseUrl } = settings;
    const keyVariable = own[name]?.apiKeyVariable;
    const hasKey = Boolean(apiKey || apiKeyFile || config.getApiKey);
    if (hasKey || (baseUrl !== undefined && keyVariable === undefined)) found.providers[name] = settings;
    else if (keyVariable !== undefined) found.missingProviders[name] = `set ${keyVariable}.`;
  }
  return found;
}

/** A key goes to the server it is for: where the config names another one, only a key that it names beside it. */
function toSettings(
  name: string,
  own: ProviderConfig = {},
  environment: Environment,
  cwd: string,
): ProviderSettings {
  const { vendor, speaks: spoken } = builtIn[name] ?? {};
  const { baseUrl, apiKeyVariable, idleTimeoutMs, speaks = spoken } = own;
  const given = baseUrl === undefined && apiKeyVariable === undefined ? vendor : undefined;
  const file = given && environment[`${given}_API_KEY_FILE`];
  const variable = apiKeyVariable ?? (given && `${given}_API_KEY`);
  return {
    ...(speaks && { speaks }),
    apiKey: (variable && environment[variable]?.trim()) || undefined,
    baseUrl: baseUrl ?? ((vendor && environment[`${vendor}_BASE_URL`]) || undefined),
    ...(file ? { apiKeyFile: resolve(cwd, file) } : {}),
    ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
  };
}
