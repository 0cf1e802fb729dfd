// This package as installed: its folder, and the versions in its package.json. Runs where a process starts.
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** Contains both the sources and dist. */
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

/** True if the sources run, as in a clone; the package need not be in a registry then. */
export function isClone(): boolean {
  return import.meta.url.endsWith('.ts');
}

/** The archive that `npm pack` makes from a clone, for a project to install. */
export function ownArchive(): string {
  return join(packageFolder(), `holdfast-${ownVersion()}.tgz`);
}

/** The range of a library that a user's package needs beside this one. */
export function rangeOf(library: string): string {
  const { dependencies, peerDependencies } = readOwnPackage();
  const range = peerDependencies?.[library] ?? dependencies?.[library] ?? '*';
  return /^\d/.test(range) ? `^${range}` : range;
}
