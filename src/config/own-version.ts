// This package as it is installed: its folder, and the version that its package.json has. Runs where a process starts.
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** Of the sources, and of dist too: both are in it. */
export function packageFolder(): string {
  const file = findPackageJSON(import.meta.url);
  if (file === undefined)
    throw new Error(`No package.json above ${import.meta.dirname}: install holdfast anew.`);
  return dirname(file);
}

export function ownVersion(): string {
  const text = readFileSync(join(packageFolder(), 'package.json'), 'utf8');
  const { version }: { version?: unknown } = JSON.parse(text);
  return typeof version === 'string' ? version : 'unknown';
}
