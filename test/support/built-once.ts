// A program that the tests build once and keep in the cache folder: one process builds, the others wait for the result.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, readEnvironment } from '../../src/config/environment.ts';
import { until } from './until.ts';

const environment = readEnvironment();
const run = promisify(execFile);
const buildTimeoutMs = 15 * 60_000;

export function onPath(program: string): string | undefined {
  const places = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return places.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** `make` gets an empty folder, and answers with the path in it that becomes `target`. */
export async function builtOnce(
  target: string,
  say: string,
  make: (folder: string) => Promise<string>,
): Promise<string> {
  if (existsSync(target)) return target;
  const cache = dirname(target);
  const lock = `${target}.building`;
  await mkdir(cache, { recursive: true });
  const lockedAt = (await stat(lock).catch(() => undefined))?.mtimeMs ?? Date.now();
  // of a process that was killed while it was building
  if (Date.now() - lockedAt > buildTimeoutMs) await rm(lock, { recursive: true, force: true });
  const isFirst = await mkdir(lock).then(
    () => true,
    () => false,
  );
  if (!isFirst)
    return until(`another process to make ${target}`, () => existsSync(target) && target, buildTimeoutMs);
  const folder = await mkdtemp(join(cache, 'building-'));
  try {
    process.stderr.write(`${say}\n`);
    await rename(await make(folder), target);
    return target;
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(lock, { recursive: true, force: true });
  }
}

/** `module`: the address of its main package, whose last part names the program. */
export type GoProgram = { name: string; module: string; version: string };

function goTarget({ name, version }: GoProgram): string {
  return join(cacheFolder(environment), `${name}-${version}`, name);
}

/** For the name of a test that cannot run; undefined where it can. */
export function goProgramMissing(program: GoProgram): string | undefined {
  const found = onPath(program.name) ?? (existsSync(goTarget(program)) || onPath('go'));
  return found ? undefined : `skipped: no ${program.name}, and no go on PATH to build it with`;
}

/** From PATH or the cache, else built by Go. */
export async function getGoProgram(program: GoProgram): Promise<string> {
  const { name, module, version } = program;
  const say = `building ${name} for the tests with "go install ${module}@v${version}": about a minute on two cores`;
  const build = async (folder: string): Promise<string> => {
    await run('go', ['install', '-ldflags=-s -w', `${module}@v${version}`], {
      env: { ...environment, GOBIN: folder },
    });
    return join(folder, name);
  };
  return onPath(name) ?? builtOnce(goTarget(program), say, build);
}
