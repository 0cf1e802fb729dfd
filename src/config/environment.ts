// The environment of a process, and its folder for downloads. The sole reader of process.env.
import { homedir } from 'node:os';
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

/** The folder in which a system keeps what programs can make again. Undefined for a user without a home, as in a container. */
function userCaches({ HOME, LOCALAPPDATA, XDG_CACHE_HOME }: Environment): string | undefined {
  const home = HOME || homeOfUser();
  if (process.platform === 'win32') {
    const local = LOCALAPPDATA || (home && join(home, 'AppData', 'Local'));
    return local && join(local, 'holdfast', 'Cache');
  }
  if (process.platform === 'darwin') return home && join(home, 'Library', 'Caches', 'holdfast');
  const caches = XDG_CACHE_HOME || (home && join(home, '.cache'));
  return caches && join(caches, 'holdfast');
}

/** A service without HOME has a home all the same. */
function homeOfUser(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}
