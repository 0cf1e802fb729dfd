// Memory of an idle cached session: each side in a child process of its own, before and after it holds many.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { bundlerOptions } from '../src/worker/workflow-bundle.ts';
import type { Side } from './side.ts';

export const idleSessions = 20;
export const idleTurns = 100;

export type IdleMemory = Record<
  Side['name'],
  { beforeBytes: number; afterBytes: number; perSessionBytes: number }
>;

type Setting = {
  address: string;
  artifactsDir: string;
  /** Folder for the bundle. */
  dir: string;
  say(line: string): void;
};

/** Both children at once: memory does not depend on who else runs. */
export async function measureIdleMemory({ address, artifactsDir, dir, say }: Setting): Promise<IdleMemory> {
  say(`idle memory: ${idleSessions} sessions of ${idleTurns} turns, each side in a process of its own`);
  // bundled here: a bundler would leave the children with a large empty heap, in which nothing shows
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(import.meta.dirname, 'memory-workflows.ts'),
    payloadConverterPath: join(import.meta.dirname, '../src/workflows/payload-converter.ts'),
    logger: new DefaultLogger('WARN'),
    ...bundlerOptions,
  });
  const bundlePath = join(dir, 'memory-workflows.js');
  await writeFile(bundlePath, code);
  const [ours, bare] = await Promise.all([
    measureChild('ours', address, artifactsDir, bundlePath),
    measureChild('bare', address, artifactsDir, bundlePath),
  ]);
  return { ours, bare };
}

async function measureChild(name: Side['name'], ...args: string[]) {
  const child = fork(join(import.meta.dirname, 'memory-child.ts'), [name, ...args], {
    // code that V8 throws away as unused would be taken for memory that the sessions gave back
    execArgv: ['--expose-gc', '--no-flush-bytecode'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const answer = once(child, 'message') as Promise<[{ beforeBytes: number; afterBytes: number }]>;
  const first = await Promise.race([answer, ended.then(() => undefined)]);
  if (first === undefined) throw new Error(`The memory child of ${name} ended without an answer.`);
  await ended;
  const [{ beforeBytes, afterBytes }] = first;
  return { beforeBytes, afterBytes, perSessionBytes: (afterBytes - beforeBytes) / idleSessions };
}
