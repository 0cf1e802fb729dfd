// The environment of a process, and its folder for downloads. The sole reader of process.env.
import { join } from 'node:path';
import envPaths from 'env-paths';

export type Environment = Readonly<Record<string, string | undefined>>;

export function readEnvironment(): Environment {
  return process.env;
}

/** The folder of downloaded or built server binaries, for all projects of this user. */
export function cacheFolder(environment: Environment): string {
  return environment.HOLDFAST_CACHE_DIR || join(envPaths('holdfast', { suffix: '' }).cache, 'temporal');
}
