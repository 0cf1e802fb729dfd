// This package as installed: its folder, and the versions in its package.json. Runs where a process starts.
import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';

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

/**
 * The dependency that installs this package again: the archive, address or folder that it came from; a range only if it
 * came from a registry. `folder` is the package as installed.
 */
export function originOf(folder: string): string {
  const modules = dirname(folder);
  const { packages = {} } = readJson<Lock>(join(modules, '.package-lock.json')) ?? {};
  const { link = false, resolved, version } = packages[`node_modules/${basename(folder)}`] ?? {};
  const isFromRegistry = resolved === undefined || /^https?:.*\/-\/[^/]+\.tgz$/.test(resolved);
  if (version !== undefined && !link && isFromRegistry) return `^${version}`;
  if (resolved === undefined || link) return `file:${folder}`;
  if (!resolved.startsWith('file:')) return resolved;
  const archive = resolve(dirname(modules), resolved.slice('file:'.length));
  return `file:${existsSync(archive) ? archive : folder}`;
}

type Lock = { packages?: Record<string, { version?: string; resolved?: string; link?: boolean }> };

function readJson<Value>(path: string): Value | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The range of a library that a user's package needs beside this one. */
export function rangeOf(library: string): string {
  const { dependencies, peerDependencies } = readOwnPackage();
  const range = peerDependencies?.[library] ?? dependencies?.[library] ?? '*';
  return /^\d/.test(range) ? `^${range}` : range;
}
