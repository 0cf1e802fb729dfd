// The programs of examples/calling in other languages, as their reader runs them. Their libraries are fetched once, into a cache.
import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { cacheFolder, readEnvironment } from '../../src/config/environment.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { fakeTool, temporaryFolder } from '../support/tool-calls.ts';
import { untilStopped } from '../support/until-stopped.ts';

const run = promisify(execFile);
const examples = resolve(import.meta.dirname, '../../examples/calling');
const minutes = 60_000;

/** What a program of this machine prints, on one line; undefined where it is not here. */
function outputOf(command: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

function titleOf(program: string, lack: string | undefined): string {
  return `${program}${lack === undefined ? '' : ` (skipped: ${lack})`}`;
}

const change = fakeTool(() => ({ text: 'changed' }), { name: 'change', effect: 'once' });
const wait = fakeTool((_, { signal }) => untilStopped(signal), { name: 'wait' });

/** A session that changes something, and is sure where it was steered; one that only looks never ends by itself. */
const repairing = () =>
  createSessionBench({
    agents: { investigator: { tools: ['change', 'wait'] } },
    tools: [change, wait],
    model: functionModel(({ number, request }) => {
      const words = request.messages.map(textOf).join('\n');
      if (words.includes('Look around.')) return { calls: [{ tool: 'wait' }] };
      if (number === 1) return { calls: [{ tool: 'change' }] };
      return {
        text: JSON.stringify({
          cause: 'pool',
          confidence: words.includes('rolled back at 14:05') ? 'high' : 'low',
        }),
      };
    }),
  });

const version = outputOf('python3', '-c', 'import sys, venv, ensurepip; print(sys.version_info >= (3, 10))');
const noPython = version === 'True' ? undefined : 'Python 3.10 or later with venv and pip is not here';

describe.skipIf(noPython)(titleOf('a workflow in Python', noPython), () => {
  test(
    '[CALL-08a] has a session as a child: steers it, reads its snapshot, approves, cancels, takes the result',
    { timeout: 5 * minutes },
    async () => {
      const python = await pythonWithTemporal();
      const bench = await repairing();
      const incident = async (name: string): Promise<unknown> => {
        const args = [join(examples, 'python/incident.py'), name, bench.taskQueue, `python-${randomUUID()}`];
        const env = { ...process.env, TEMPORAL_ADDRESS: bench.address, PYTHONDONTWRITEBYTECODE: '1' };
        return JSON.parse((await run(python, args, { env })).stdout);
      };
      expect(await incident('repair')).toEqual({
        turn: 1,
        status: 'completed',
        output: { cause: 'pool', confidence: 'high' },
      });
      expect(await incident('look')).toEqual({ status: 'aborted' });
    },
  );
});

/** Of an environment with what the example requires, made once. */
async function pythonWithTemporal(): Promise<string> {
  const folder = join(cacheFolder(readEnvironment()), 'python-temporalio-1.35.0');
  const python = join(folder, 'bin/python');
  if (existsSync(join(folder, 'complete'))) return python;
  await rm(folder, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', folder]);
  const requirements = join(examples, 'python/requirements.txt');
  await run(python, ['-m', 'pip', 'install', '--quiet', '--requirement', requirements]);
  await run(python, [
    '-c',
    'import temporalio, pathlib, sys; pathlib.Path(sys.argv[1]).touch()',
    join(folder, 'complete'),
  ]);
  return python;
}

const goVersion = outputOf('go', 'env', 'GOVERSION');
const noGo = goVersion === undefined ? 'no Go is here' : undefined;

describe.skipIf(noGo)(titleOf('a client in Go', noGo), () => {
  test(
    '[CALL-08d] starts a session, steers it, reads its snapshot, approves and takes the result',
    { timeout: 10 * minutes },
    async () => {
      const program = join(await temporaryFolder(), 'client');
      await run('go', ['build', '-o', program, '.'], { cwd: join(examples, 'go') });
      const bench = await repairing();
      const env = { ...process.env, TEMPORAL_ADDRESS: bench.address };
      const { stdout } = await run(program, [bench.taskQueue, `go-${randomUUID()}`], { env });
      expect(stdout.split('\n')).toEqual([
        'turn 1: approving change',
        'completed {"cause":"pool","confidence":"high"}',
        '',
      ]);
    },
  );
});
