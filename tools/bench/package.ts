// The size of an installation, and its first answers. The package is built, packed and installed into an empty folder;
// there `holdfast --help` is timed against an empty Node script, and a worker until the server sees its first poll.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { exactly, type Figure, shown } from './figures.ts';
import type { Bench } from './row.ts';
import { spread } from './statistics.ts';

const root = resolve(import.meta.dirname, '../..');
const pairs = 15;
const workerStarts = 7;

export async function measurePackage(bench: Bench): Promise<Figure[]> {
  const folder = mkdtempSync(join(bench.dir, 'package-'));
  bench.say('packing and installing');
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root, stdio: 'pipe' });
  const archive = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '';
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--silent', `./${archive}`];
  execFileSync('npm', install, { cwd: folder, stdio: 'pipe' });
  const program = join(folder, 'node_modules/holdfast/bin/holdfast.js');
  bench.say(`timing ${pairs} starts of each`);
  return [
    {
      name: 'package.archive',
      what: 'archive of the package',
      unit: 'MB',
      value: exactly(lstatSync(join(folder, archive)).size / 1_000_000),
    },
    {
      name: 'package.packages',
      what: 'packages that npm installs',
      unit: '',
      value: exactly(installedPackages(folder)),
      detail: `${sizeOf(join(folder, 'node_modules')).toFixed(0)} MB`,
    },
    helpFigure(program),
    await pollFigure(bench, program, folder),
  ];
}

/** In turn, so that a slow moment of the machine affects both. */
function helpFigure(program: string): Figure {
  const [help, empty]: [number[], number[]] = [[], []];
  // the first one compiles, and reads cold files
  timeOf([program, '--help']);
  for (let pair = 0; pair < pairs; pair += 1) {
    help.push(timeOf([program, '--help']));
    empty.push(timeOf(['-e', '']));
  }
  return {
    name: 'package.help',
    what: "holdfast --help, against node -e ''",
    unit: 'x',
    value: spread(help.map((ms, index) => ms / (empty[index] ?? Number.NaN))),
    detail: `${shown(spread(help), 0)} ms, ${shown(spread(empty), 0)} ms`,
  };
}

function timeOf(args: string[]): number {
  const startedAt = performance.now();
  execFileSync(process.execPath, args, { stdio: 'pipe' });
  return performance.now() - startedAt;
}

async function pollFigure(bench: Bench, program: string, folder: string): Promise<Figure> {
  const address = await bench.address();
  const connection = await Connection.connect({ address });
  const [times, empty]: [number[], number[]] = [[], []];
  for (let start = 0; start <= workerStarts; start += 1) {
    const ms = await firstPoll(connection, { program, folder, address, taskQueue: `bench-poll-${start}` });
    // the first one reads cold files
    if (start === 0) continue;
    times.push(ms);
    empty.push(timeOf(['-e', '']));
  }
  await connection.close();
  return {
    name: 'package.first-poll',
    what: "start of a worker to its first poll, against node -e ''",
    unit: 'x',
    value: spread(times.map((ms, index) => ms / (empty[index] ?? Number.NaN))),
    detail: `${shown(spread(times), 0)} ms, ${shown(spread(empty), 0)} ms`,
  };
}

type WorkerStart = { program: string; folder: string; address: string; taskQueue: string };

/** ms from the start of the process until the server has seen a poll for workflows on its queue. */
async function firstPoll(
  connection: Connection,
  { program, folder, address, taskQueue }: WorkerStart,
): Promise<number> {
  const startedAt = Date.now();
  const child = spawn(process.execPath, [program, 'worker'], {
    cwd: folder,
    env: {
      ...process.env,
      TEMPORAL_ADDRESS: address,
      HOLDFAST_TASK_QUEUE: taskQueue,
      HOLDFAST_DIR: join(folder, '.holdfast'),
      // a worker that has no model does not start; this one is asked nothing
      OPENAI_API_KEY: 'none',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
  const ended = once(child, 'exit');
  try {
    for (;;) {
      const { pollers } = await connection.workflowService.describeTaskQueue({
        namespace: 'default',
        taskQueue: { name: taskQueue },
        taskQueueType: 1,
      });
      const at = pollers?.[0]?.lastAccessTime;
      if (at) return Number(at.seconds ?? 0) * 1_000 + (at.nanos ?? 0) / 1_000_000 - startedAt;
      if (child.exitCode !== null) throw new Error(`The worker ended without a poll: ${said}`);
      await sleep(20);
    }
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** Packages in npm's own record that are installed; optional ones of other systems are not. */
function installedPackages(folder: string): number {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>;
  };
  return Object.keys(packages).filter((path) => path !== '' && existsSync(join(folder, path))).length;
}

/** MB of all files. */
function sizeOf(modules: string): number {
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const bytes = files.map(({ parentPath, name }) => lstatSync(join(parentPath, name)).size);
  return bytes.reduce((sum, size) => sum + size, 0) / 1_000_000;
}
