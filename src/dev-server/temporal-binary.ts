// Finds or installs a `temporal` binary for the dev server: PATH, the cache, Temporal's download, `go install`. Each step
// reports itself in one line. Starts no server.
import { succeeds } from '../core/base/succeeds.ts';
import { messageOf } from '../core/base/message-of.ts';
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '../config/environment.ts';
import { makeFolder } from '../config/make-folder.ts';
import { downloadTemporal, goInstallTemporal } from './temporal-install.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { UserError } from '../cli/user-error.ts';

/** The pinned CLI. Later versions cannot be installed by `go install`: their go.mod has a `replace`. */
export const temporalCliVersion = '1.5.1';
/** The server inside the pinned CLI. */
const pinnedServer = '1.29.1';

/** A sentence about a server older than the one Holdfast was built with; undefined for any other. */
export function describeOlder(serverVersion: string): string | undefined {
  const [given = [], wanted = []] = [serverVersion, pinnedServer].map((text) => text.split('.').map(Number));
  const differs = wanted.findIndex((part, index) => part !== (given[index] ?? 0));
  const isOlder = differs !== -1 && (given[differs] ?? 0) < (wanted[differs] ?? 0);
  return isOlder ? `older than ${pinnedServer}, which this version of Holdfast was made with` : undefined;
}

/** The oldest server that Holdfast is tested with. */
const oldestServer = [1, 29] as const;
const binaryName = process.platform === 'win32' ? 'temporal.exe' : 'temporal';
const downloadBase = 'https://temporal.download';

export type TemporalBinary = {
  path: string;
  source: 'path' | 'cache' | 'download' | 'go';
  /** The server inside, e.g. `1.29.1`. */
  serverVersion: string;
};

export type BinaryOptions = {
  environment: Environment;
  cacheDir: string;
  say(line: string): void;
  /** For tests: a loopback server. */
  downloadBase?: string;
};

/** The first binary that answers `--version` with a server new enough. Throws a UserError that lists every attempt. */
export async function getTemporalBinary(options: BinaryOptions): Promise<TemporalBinary> {
  const found = await findTemporalBinary(options);
  if (found) return found;
  const reasons: string[] = [];
  for (const [source, make] of [
    ['download', downloadInto],
    ['go', goInstallInto],
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

type Make = (options: BinaryOptions, folder: string) => Promise<string>;

const downloadInto: Make = (options, folder) =>
  downloadTemporal({
    base: options.downloadBase ?? downloadBase,
    version: temporalCliVersion,
    folder,
    file: binaryName,
    say: options.say,
  });

const goInstallInto: Make = (options, folder) =>
  goInstallTemporal({
    version: temporalCliVersion,
    folder,
    file: binaryName,
    environment: options.environment,
    say: options.say,
  });

/** Built in its own folder and then renamed, so that two processes at once never leave a partial file. */
async function installInto(
  options: BinaryOptions,
  source: 'download' | 'go',
  make: Make,
): Promise<TemporalBinary> {
  const target = join(options.cacheDir, temporalCliVersion, binaryName);
  const folder = await makeInstallFolder(options.cacheDir);
  try {
    const made = await make(options, folder);
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
    const version = /Server (\d+)\.(\d+)\.(\d+)/.exec(stdout);
    if (!version) return { problem: 'its --version names no server' };
    const [, major, minor, patch] = version;
    if (
      Number(major) < oldestServer[0] ||
      (Number(major) === oldestServer[0] && Number(minor) < oldestServer[1])
    ) {
      return { problem: `its server is ${major}.${minor}.${patch}, older than ${oldestServer.join('.')}` };
    }
    return { serverVersion: `${major}.${minor}.${patch}` };
  } catch (error) {
    return { problem: `it does not run (${messageOf(error).split('\n')[0]})` };
  }
}
