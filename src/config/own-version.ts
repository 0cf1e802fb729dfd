// This package as it is installed: its folder, and the versions that its package.json has. Runs where a process starts.
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

type OwnPackage = {
  version?: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};

function readOwnPackage(): OwnPackage {
  return JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8'));
}

export function ownVersion(): string {
  return readOwnPackage().version ?? 'unknown';
}

/** Whether the sources run, as in a clone: then no registry need have this package. */
export function isClone(): boolean {
  return import.meta.url.endsWith('.ts');
}

/** What `npm pack` makes of a clone, which a project installs. */
export function ownArchive(): string {
  return join(packageFolder(), `holdfast-${ownVersion()}.tgz`);
}

/** The range of a library that a user's package has to have beside this one. */
export function rangeOf(library: string): string {
  const { dependencies, peerDependencies } = readOwnPackage();
  const range = peerDependencies?.[library] ?? dependencies?.[library] ?? '*';
  return /^\d/.test(range) ? `^${range}` : range;
}
