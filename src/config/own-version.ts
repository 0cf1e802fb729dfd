// The version of this package, as its package.json has it. Runs where a process starts.
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

export function ownVersion(): string {
  const file = findPackageJSON(import.meta.url);
  const text = file === undefined ? '{}' : readFileSync(file, 'utf8');
  const { version }: { version?: unknown } = JSON.parse(text);
  return typeof version === 'string' ? version : 'unknown';
}
