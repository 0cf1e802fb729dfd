// The environment of a process, and its folder for downloads. The sole reader of process.env.
import { join, resolve } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

export function readEnvironment(): Environment {
  return process.env;
}

/**
 * The folder of downloaded or built server binaries, for all projects of this user. Without a home it is in this folder: in one
 * that all users share, others could put programs.
 */
export function cacheFolder(environment: Environment): string {
  if (environment.HOLDFAST_CACHE_DIR) return environment.HOLDFAST_CACHE_DIR;
  const caches = userCaches(environment);
  return caches ? join(caches, 'temporal') : resolve('.holdfast', 'cache');
}

/** The folder in which a system keeps what programs can make again. Empty for a user without a home, as in a container. */
function userCaches({ HOME, LOCALAPPDATA, XDG_CACHE_HOME }: Environment): string | undefined {
  if (process.platform === 'win32') return LOCALAPPDATA && join(LOCALAPPDATA, 'holdfast', 'Cache');
  if (process.platform === 'darwin') return HOME && join(HOME, 'Library', 'Caches', 'holdfast');
  const caches = XDG_CACHE_HOME || (HOME && join(HOME, '.cache'));
  return caches && join(caches, 'holdfast');
}
