// The keys of model providers, resolved again for every attempt, so that a rotated key needs no restart. Runs
// where a process needs them; no key enters a workflow.
import { readFile } from 'node:fs/promises';
import type { Config } from './config.ts';

export type ResolveApiKey = (provider: string) => Promise<string | undefined>;

/** Order: the config's function, then the key file. With neither, the provider uses the key of the environment. */
export function createApiKeys({
  getApiKey,
  providers,
}: Pick<Config, 'getApiKey' | 'providers'>): ResolveApiKey {
  return async (provider) => {
    const given = (await getApiKey?.(provider))?.trim();
    if (given) return given;
    const file = providers[provider]?.apiKeyFile;
    return file === undefined ? undefined : (await readFile(file, 'utf8')).trim();
  };
}
