// The settings of the tool bash from the config file, and the files that its commands must not see. Pure.
import { dirname, join, resolve } from 'node:path';
import { present } from '@holdfast/base/present';
import type { SecretSource } from '../activities/secrets/sources.ts';
import type { ShellSettings } from '../activities/built-in/bash/shell-settings.ts';
import type { ShellConfig } from './schema/shell.schema.ts';

export type ShellOptions = Omit<ShellSettings, 'hosts' | 'roots'>;

const longestMs = 600_000;

export function resolveShell(
  shell: ShellConfig,
  fromFile: (path: string) => string,
  ownPaths: readonly string[],
): ShellOptions {
  const { changes = 'sandbox', writable = [], hidden = [], open = [], sandbox = 'bubblewrap' } = shell;
  return {
    sandbox,
    changes,
    network: shell.network ?? false,
    unixSockets: shell.unixSockets ?? false,
    writable: writable.map(fromFile),
    hidden: hidden.map(fromFile),
    open: open.map(fromFile),
    environment: shell.environment ?? {},
    limits: shell.limits ?? {},
    timeoutMs: shell.timeoutMs ?? longestMs,
    ownPaths,
  };
}

/** Files with secrets: those of the configuration, and those with keys that the environment names. */
export function secretFiles(
  environment: Readonly<Record<string, string | undefined>>,
  cwd: string,
  sources: readonly (string | SecretSource)[],
): string[] {
  const named = Object.entries(environment).flatMap(([name, path]) =>
    /(?:_API_KEY_FILE|TEMPORAL_CONFIG_FILE)$/.test(name) && path ? [resolve(cwd, path)] : [],
  );
  const configured = sources.flatMap((source) =>
    typeof source === 'object' && 'file' in source ? [source.file] : [],
  );
  return [...new Set([...named, ...configured])];
}

/** The config file, which may hold secrets, and the `.env` files beside it, which other programs read. */
export function configFiles(cwd: string, configFile: string | undefined): string[] {
  const folders = present([cwd, configFile !== undefined && dirname(configFile)]);
  return [...new Set(present([configFile, ...folders.map((each) => join(each, '.env'))]))];
}
