// placeholder while the rest is written
import { join } from 'node:path';
import envPaths from 'env-paths';

export type Environment = Readonly<Record<string, string | undefined>>;
/** The process's environment. No other file reads it. */
export function readEnvironment(): Environment {
  return process.env;
}

/** Where a downloaded or built server binary is kept, for all projects of this user. */
export function cacheFolder(environment: Environment): string {
  return environment.HOLDFAST_CACHE_DIR ?? join(envPaths('holdfast', { suffix: '' }).cache, 'temporal');
}
