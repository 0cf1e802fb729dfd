// Finds or installs a `temporal` binary for the dev server: PATH, the cache, Temporal's download, `go install`. Each step
// reports itself in one line. Starts no server.
import { succeeds } from '@holdfast/base/succeeds';
import { messageOf } from '@holdfast/base/message-of';
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../config/make-folder.ts';
import { type InstallOptions, downloadTemporal, goInstallTemporal } from './temporal-install.ts';
import { exitCodes } from '../common/exit-codes.ts';
import { UserError } from '../common/user-error.ts';

/** The pinned CLI. Later versions cannot be installed by `go install`: their go.mod has a `replace`. */
export const temporalCliVersion = '1.5.1';
/** The server inside the pinned CLI. */
const pinnedServer = '1.29.1';

/** A sentence about a server older than the one Holdfast was built with; undefined for any other. */
export function describeOlder(serverVersion: string): string | undefined {
  if (!isOlder(serverVersion, pinnedServer)) return undefined;
  return `older than ${pinnedServer}, which this version of Holdfast was made with`;
}

function isOlder(version: string, wanted: string): boolean {
  const [given = [], least = []] = [version, wanted].map((text) => text.split('.').map(Number));
  const differs = least.findIndex((part, index) => part !== (given[index] ?? 0));
  return differs !== -1 && (given[differs] ?? 0) < (least[differs] ?? 0);
}

/** The oldest server that Holdfast is tested with. */
const oldestServer = '1.29';
const binaryName = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

export type TemporalBinary = {
  path: string;
  source: 'path' | 'cache' | 'download' | 'go';
  /** The server inside, e.g. `1.29.1`. */
  serverVersion: string;
};

export type BinaryOptions = Pick<InstallOptions, 'environment' | 'downloadBase' | 'say'> & {
  cacheDir: string;
};

/** The first binary that answers `--version` with a server new enough. Throws a UserError that lists every attempt. */
export async function getTemporalBinary(options: BinaryOptions): Promise<TemporalBinary> {
  const found = await findTemporalBinary(options);
  if (found) return found;
  const reasons: string[] = [];
  for (const [source, make] of [
    ['download', downloadTemporal],
    ['go', goInstallTemporal],
  ] as const) {
    try {
      return await installInto(options, source, make);
    } catch (error) {
      reasons.push(messageOf(error));
      if (!reasons.slice(0, -1).includes(messageOf(error))) options.say(`temporal: ${messageOf(error)}`);
    }
  }
  throw new UserError(
    `No Temporal server, and none to be had: not on PATH, not in ${options.cacheDir}. ${[...new Set(reasons)].join(' ')} ` +
      `Install the Temporal CLI (https://docs.temporal.io/cli) or Go 1.25 or newer, ` +
      `or set TEMPORAL_ADDRESS to a running server.`,
    exitCodes.noServer,
  );
}

/** Searches PATH and the cache only; installs nothing. */
export async function findTemporalBinary(options: BinaryOptions): Promise<TemporalBinary | undefined> {
  const { environment, cacheDir, say } = options;
  const places = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = [
    ...places.map((folder) => ({ source: 'path' as const, path: join(folder, binaryName) })),
    { source: 'cache' as const, path: join(cacheDir, temporalCliVersion, binaryName) },
  ];
  for (const { source, path } of candidates) {
    if (!(await succeeds(access(path, constants.X_OK)))) continue;
    const checked = await checkBinary(path);
    if ('serverVersion' in checked) {
      const older = describeOlder(checked.serverVersion);
      const advice = older === undefined ? '' : `; ${older}: update it, or take it off the PATH`;
      say(`temporal: using ${path} (server ${checked.serverVersion}${advice})`);
      return { path, source, serverVersion: checked.serverVersion };
    }
    say(`temporal: not using ${path}: ${checked.problem}`);
  }
  return undefined;
}

/** Built in its own folder and then renamed, so that two processes at once never leave a partial file. */
async function installInto(
  options: BinaryOptions,
  source: 'download' | 'go',
  make: (options: InstallOptions) => Promise<string>,
): Promise<TemporalBinary> {
  const target = join(options.cacheDir, temporalCliVersion, binaryName);
  const folder = await makeInstallFolder(options.cacheDir);
  try {
    const made = await make({ ...options, version: temporalCliVersion, folder, file: binaryName });
    const checked = await checkBinary(made);
    if ('problem' in checked) throw new Error(`The ${source} made ${made}, but ${checked.problem}.`);
    await mkdir(join(options.cacheDir, temporalCliVersion), { recursive: true });
    await rename(made, target);
    options.say(`temporal: installed ${target} (server ${checked.serverVersion})`);
    return { path: target, source, serverVersion: checked.serverVersion };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeInstallFolder(cacheDir: string): Promise<string> {
  try {
    await makeFolder(cacheDir);
    return await mkdtemp(join(cacheDir, 'install-'));
  } catch (error) {
    throw new Error(
      `The cache folder ${cacheDir} cannot be written (${messageOf(error)}): set HOLDFAST_CACHE_DIR to a writable one.`,
      { cause: error },
    );
  }
}

async function checkBinary(path: string): Promise<{ serverVersion: string } | { problem: string }> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 15_000 });
    const [, serverVersion] = /Server (\d+\.\d+\.\d+)/.exec(stdout) ?? [];
    if (serverVersion === undefined) return { problem: 'its --version names no server' };
    if (!isOlder(serverVersion, oldestServer)) return { serverVersion };
    return { problem: `its server is ${serverVersion}, older than ${oldestServer}` };
  } catch (error) {
    return { problem: `it does not run (${messageOf(error).split('\n')[0]})` };
  }
}
