// The keys of model providers as they are now: asked anew for every attempt, so that a rotated key needs no
// restart. Runs where workers are put together; no key enters a workflow.
import { readFile } from 'node:fs/promises';
import type { Config } from '../config/config.ts';

export type ResolveApiKey = (provider: string) => Promise<string | undefined>;

/** The config's function first, then the key file; nothing leaves the key of the environment. */
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

/** Values that must not be in any result: the keys that this process holds now. One that comes later is known by its look only. */
export async function secretsOf(config: Config): Promise<string[]> {
  const { providers, temporal, mcpServers } = config;
  const resolveApiKey = createApiKeys(config);
  // a key store that is down now is asked again at every call
  const read = await Promise.all(
    Object.keys(providers).map((name) => resolveApiKey(name).catch(() => undefined)),
  );
  const tokens = Object.values(mcpServers).map((server) => ('url' in server ? server.token : undefined));
  const keys = [...tokens, ...Object.values(providers).map(({ apiKey }) => apiKey), temporal.apiKey, ...read];
  return keys.filter((key) => key !== undefined);
}
