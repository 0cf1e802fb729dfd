// The secrets that a process of this config holds. Runs where workers are composed, and where a run is recorded.
import type { Config } from '../config/config.ts';
import { openSecrets, readKeyTexts, createApiKeys } from '../config/secrets.ts';
import { literalSecrets } from './literal-secrets.ts';

type Named = [name: string, value: string];

/**
 * Values that must not be in any result, each with a name. Variables and files are read now, because a tool may print
 * them before a setting uses them. Commands run only when their value is used.
 */
export async function secretsOf(config: Config): Promise<Named[]> {
  const keys = await readKeyTexts(config);
  return [
    ...(await apiKeysOf(config)),
    ...keys.map(([id, key]): Named => [`encryption key ${id}`, key]),
    ...literalSecrets(config),
    ...(await readableSecrets(config)),
  ];
}

/** The keys that this process holds now. A later key is learned at its first use. */
async function apiKeysOf(config: Config): Promise<Named[]> {
  const { providers, temporal } = config;
  const resolveApiKey = createApiKeys(config);
  const read = Object.keys(providers).map(async (name) => {
    // a key store that is down now is asked again at every call
    const key = await resolveApiKey(name).catch(() => undefined);
    return [`key of ${name}`, key] as const;
  });
  const held = Object.entries(providers).map(
    ([name, { apiKey }]) => [`held key of ${name}`, apiKey] as const,
  );
  const all = [...held, ['key of Temporal', temporal.apiKey] as const, ...(await Promise.all(read))];
  return all.flatMap(([name, key]): Named[] => (key === undefined ? [] : [[name, key]]));
}

async function readableSecrets(config: Config): Promise<Named[]> {
  const found: Named[] = [];
  const secrets = openSecrets(config, {
    learn: (value, name) => void found.push([name, value]),
    redact: () => '',
  });
  const readable = Object.entries(config.secrets).filter(([, source]) => !('command' in source));
  // one that cannot be read now is refused where it is used
  await Promise.allSettled(readable.map(([name]) => secrets.resolve(`secret://${name}`)));
  return found;
}
