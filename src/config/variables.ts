// The environment variables that Holdfast reads, checked.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { vendors } from '@holdfast/providers/vendors';
import { modelNameSchema } from '../core/agent/agent-spec.schema.ts';
import { ConfigError } from './config-file.ts';
import type { Environment } from './environment.ts';
import { telemetryVariables } from './telemetry.ts';
import { temporalVariables } from './temporal-settings.ts';

const text = z.string().trim().min(1).optional();
const url = z.url({ protocol: /^https?$/, error: 'expected an http(s) address' }).optional();
const vendorVariables: Record<
  `${string}_API_KEY` | `${string}_API_KEY_FILE` | `${string}_BASE_URL`,
  typeof text
> = Object.fromEntries(
  vendors.flatMap(({ prefix }) => [
    [`${prefix}_API_KEY`, text],
    [`${prefix}_API_KEY_FILE`, text],
    [`${prefix}_BASE_URL`, url],
  ]),
);
const environmentSchema = z.object({
  ...temporalVariables,
  /** The default model; overrides the config. */
  HOLDFAST_MODEL: modelNameSchema.optional(),
  /** The task queue; overrides the config. */
  HOLDFAST_TASK_QUEUE: text,
  /** The folder of database, notes and artifacts, by default `.holdfast` beside the config file. */
  HOLDFAST_DIR: text,
  /** The folder of downloaded servers, for all projects of a user. */
  HOLDFAST_CACHE_DIR: text,
  /** The path of the config file. */
  HOLDFAST_CONFIG: text,
  /** The script that the provider `scripted` plays; overrides the config. */
  HOLDFAST_SCRIPT: text,
  /** The address of the Temporal UI, for links. */
  HOLDFAST_UI_URL: url,
  /** The token of `holdfast alerts send`, with the right `alerts`. */
  HOLDFAST_GATEWAY_TOKEN: text,
  ...telemetryVariables,
  ...vendorVariables,
  /** Plain text, as `--no-color`. */
  NO_COLOR: z.string().optional(),
});
/** Variables of Holdfast, Temporal and the vendors of models, by name. */
export type Variables = z.infer<typeof environmentSchema>;

const names = Object.keys(environmentSchema.shape);

/** Says which variables only the file `.env` of a folder has; empty without any. */
export function describeEnvFile(folder: string, environment: Environment): string[] {
  const file = join(folder, '.env');
  let given: string[];
  try {
    given = Object.keys(parseEnv(readFileSync(file, 'utf8')));
  } catch {
    return [];
  }
  const unread = given.filter((name) => names.includes(name) && !environment[name]).join(', ');
  return unread === ''
    ? []
    : [
        `Holdfast does not read ${file}, which sets ${unread}: enter "set -a; . ./.env; set +a" before the command`,
      ];
}

const secretNames = /(?:KEY|TOKEN)$/;

/** An empty variable counts as unset, as in a shell script that clears one. */
export function readVariables(environment: Environment): Variables {
  const present = names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : []));
  const parsed = environmentSchema.safeParse(Object.fromEntries(present));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    const shown = secretNames.test(name) ? 'not valid' : JSON.stringify(environment[name]);
    return `${name} is ${shown}: ${message}. Set it in the environment.`;
  });
  throw new ConfigError(lines.join('\n'));
}
