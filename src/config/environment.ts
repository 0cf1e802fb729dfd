// The environment of a process, and its folder for downloads. The sole reader of process.env.
import { join, resolve } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

export function readEnvironment(): Environment {
  return process.env;
}

/** The library throws when it is loaded for a user without a home, as in a container. */
const caches = await import('env-paths').then(
  ({ default: envPaths }) => join(envPaths('holdfast', { suffix: '' }).cache, 'temporal'),
  () => undefined,
);

/**
 * The folder of downloaded or built server binaries, for all projects of this user. Without a home it is in this folder: in one
 * that all users share, others could put programs.
 */
export function cacheFolder(environment: Environment): string {
  return environment.HOLDFAST_CACHE_DIR || caches || resolve('.holdfast', 'cache');
}
