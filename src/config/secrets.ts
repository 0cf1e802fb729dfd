// The secrets of a config, ready to be resolved, and the keys of its payload codec and of its model providers. Runs where a
// process needs them; no key enters a workflow.
import { messageOf } from '@holdfast/base/message-of';
import { dirname } from 'node:path';
import { createRedactor } from '@holdfast/redaction/redaction';
import { secretReferences } from '../activities/secrets/references.ts';
import { type Secrets, type SecretsDeps, createSecrets } from '../activities/secrets/secrets.ts';
import { readSource } from '../activities/secrets/sources.ts';
import { parseEncryptionKey } from '../codec/encryption-key.ts';
import type { EncryptionKeys } from '../codec/payload-codec.ts';
import { ConfigError } from './config-file.ts';
import type { Config } from './config.ts';
import { readFile } from 'node:fs/promises';

type Settings = Pick<Config, 'secrets' | 'encryption' | 'configFile' | 'dir' | 'environment'>;

/** `learn` receives each value before it is returned, with the name of its secret. */
export function openSecrets(
  config: Omit<Settings, 'encryption'>,
  use: Pick<SecretsDeps, 'learn' | 'redact'>,
): Secrets {
  return createSecrets(config.secrets, { ...placeOf(config), ...use });
}

/** Commands run beside the config file. */
function placeOf({ configFile, dir, environment }: Omit<Settings, 'encryption'>) {
  return { environment, folder: dirname(configFile ?? dir) };
}

/** The payload codec's keys; undefined without `encryption`. Throws a ConfigError with the name of an unreadable key. */
export async function readKeys(config: Settings): Promise<EncryptionKeys | undefined> {
  const { encryption } = config;
  if (!encryption) return undefined;
  const keys = new Map<string, Uint8Array>();
  for (const [id, text] of await readKeyTexts(config)) {
    try {
      keys.set(id, parseEncryptionKey(text));
    } catch (error) {
      throw new ConfigError(`The encryption key "${id}" ${messageOf(error)}.`);
    }
  }
  return { activeKey: encryption.activeKey, keys };
}

/** One secret by its reference, for a command of the CLI. Throws a ConfigError. */
export async function readSecret(config: Settings, reference: string): Promise<string> {
  const [name = ''] = secretReferences(reference);
  if (reference !== `secret://${name}` || name === '')
    throw new ConfigError(
      'Expected a reference, secret://name: a value on the command line is seen by everybody.',
    );
  try {
    return await openSecrets(config, silent).resolve(reference);
  } catch (error) {
    throw new ConfigError(messageOf(error));
  }
}

/** Why secrets cannot be read: those that a setting names, else all. A command runs only where its value is used. */
export async function problemsOfSecrets(config: Settings, setting?: unknown): Promise<string[]> {
  const names = setting === undefined ? Object.keys(config.secrets) : secretReferences(setting);
  const tried = names.filter((name) => !('command' in (config.secrets[name] ?? {})));
  const read = tried.map((name) => readSecret(config, `secret://${name}`).then(() => [], messageOf));
  return (await Promise.all(read)).flat();
}

/** For values that enter no output of this process. */
export const silent = { learn: () => undefined, redact: createRedactor([]).text };

/** Keys in the notation of their sources: these texts must not be in any result either. */
export async function readKeyTexts(config: Settings): Promise<[id: string, text: string][]> {
  const secrets = openSecrets(config, silent);
  const source = { ...placeOf(config), ...silent };
  return Promise.all(
    Object.entries(config.encryption?.keys ?? {}).map(async ([id, key]): Promise<[string, string]> => {
      try {
        return [id, await (typeof key === 'string' ? secrets.resolve(key) : readSource(key, source))];
      } catch (error) {
        throw new ConfigError(
          `The encryption key "${id}" cannot be read: ${messageOf(error)}.`.replace(/\.\.$/, '.'),
        );
      }
    }),
  );
}

export type ResolveApiKey = (provider: string) => Promise<string | undefined>;

/**
 * The key of a provider, resolved again for every attempt, so that a rotated key needs no restart.
 * Order: the config's function, then the key file. With neither, the provider uses the key of the environment.
 */
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
