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

const payloadConverterPath = join(import.meta.dirname, '../src/workflows/payload-converter.ts');

type Setting = {
  address: string;
  artifactsDir: string;
  /** Folder for the bundles. */
  dir: string;
  say(line: string): void;
};

/** Both children at once: memory does not depend on who else runs. */
export async function measureIdleMemory({ address, artifactsDir, dir, say }: Setting): Promise<IdleMemory> {
  say(`idle memory: ${idleSessions} sessions of ${idleTurns} turns, each side in a process of its own`);
  const measure = async (name: Side['name']) =>
    measureChild(name, address, artifactsDir, await bundle(name, dir));
  const [ours, bare] = await Promise.all([measure('ours'), measure('bare')]);
  return { ours, bare };
}

/** Not in the child: a bundler would leave it with a large empty heap, in which nothing shows. */
async function bundle(name: Side['name'], dir: string): Promise<string> {
  const { code } = await bundleWorkflowCode({
    ...bundlerOptions,
    workflowsPath: join(import.meta.dirname, `memory-workflows-${name}.ts`),
    // ours belongs to a session; the bare workflow has the SDK's
    ...(name === 'ours' ? { payloadConverterPath } : {}),
    logger: new DefaultLogger('WARN'),
  });
  const bundlePath = join(dir, `memory-workflows-${name}.js`);
  await writeFile(bundlePath, code);
  return bundlePath;
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
