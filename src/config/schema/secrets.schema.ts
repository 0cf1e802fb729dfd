// Secrets and keys in a config file, and the references to them in other settings. Runs where a process starts.
import { z } from 'zod';
import {
  expectedSecretName,
  faultsOfVariables,
  isReference,
  secretName,
  secretReferences,
} from '../../activities/secrets/references.ts';
import { describeUnknownSecret } from '../../activities/secrets/secrets.ts';
import type { SecretSource } from '../../activities/secrets/sources.ts';

const sources = "{ env: 'VARIABLE' }, { file: 'path' } or { command: ['program', 'argument'] }";
const sourceSchema = z.custom<SecretSource>(isSource, `expected ${sources}`);

function isSource(value: unknown): value is SecretSource {
  if (typeof value !== 'object' || value === null) return false;
  const [[kind, given] = [], ...more] = Object.entries(value);
  if (more.length > 0) return false;
  if (kind === 'command') return Array.isArray(given) && given.length > 0 && given.every(isWord);
  return (kind === 'env' || kind === 'file') && isWord(given);
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

export const secretsSchema = z.record(
  z.string().regex(secretName, `the name is not valid: expected ${expectedSecretName}`),
  sourceSchema,
);
const keyIdSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,30}[A-Za-z0-9])?$/,
    'expected a key id of letters and digits, with ".", "_" or "-" inside it, at most 32',
  );
/** A key written into a config would be a secret in a file that people share. */
const keySchema = z.custom<string | SecretSource>(
  (value) => isSource(value) || (typeof value === 'string' && isReference(value)),
  `expected 'secret://name', ${sources}`,
);

/** A secret in a setting, never its value. */
export const secretReference = z.string().refine(isReference, "expected a reference, 'secret://name'");

/** Keys of the payload codec, by id. Each is 32 bytes as hex or base64. */
export const encryptionSchema = z
  .strictObject({
    /** Id of the key that encrypts new payloads. */
    activeKey: keyIdSchema,
    /** `secret://name`, or a source. All keys decrypt. */
    keys: z.record(keyIdSchema, keySchema),
  })
  .refine(({ activeKey, keys }) => Object.hasOwn(keys, activeKey), {
    path: ['activeKey'],
    error: 'is none of "keys"',
  });

/** Fields whose texts may name secrets, and no variable. */
const settings = [
  'artifacts',
  'destinations',
  'encryption',
  'gateway',
  'http',
  'memory',
  'taskQueue',
  'telemetry',
  'toolsets',
] as const;
/** Further ones, in which a shell or an agent may read what looks like a variable. */
const texts = ['mcpServers', 'policyTiers', 'receivers'] as const;

type Fields = { [Field in 'secrets' | (typeof settings | typeof texts)[number]]?: unknown };

export function checkReferences(config: Fields, context: z.RefinementCtx<unknown>): void {
  const known = Object.keys(config.secrets ?? {});
  for (const field of [...settings, ...texts])
    for (const name of secretReferences(config[field]).filter((one) => !known.includes(one)))
      context.addIssue({ code: 'custom', path: [field], message: describeUnknownSecret(name, known) });
  for (const field of settings)
    for (const message of faultsOfVariables(config[field]))
      context.addIssue({ code: 'custom', path: [field], message });
}
