// Memory of an idle cached session: each side in a separate child process, before and after it holds many.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { bundlerOptions, preloadModules } from '../../src/worker/workflow-bundle.ts';
import { askChild } from './ask-child.ts';
import { exactly, type Figure, kib } from './figures.ts';
import { artifactFolder, type Bench } from './row.ts';

export const idleSessions = 20;
export const idleTurns = 100;

type Name = 'ours' | 'bare';

const payloadConverterPath = join(import.meta.dirname, '../../src/workflows/payload-converter.ts');

/** Both children at once: memory does not depend on other processes. */
export async function measureIdleMemory(bench: Bench): Promise<Figure[]> {
  const address = await bench.address();
  const measure = async (name: Name) =>
    measureChild(name, address, artifactFolder(bench), await bundle(name, bench.dir));
  const [ours, bare] = await Promise.all([measure('ours'), measure('bare')]);
  return [
    {
      name: 'idle',
      what: `memory of an idle session after ${idleTurns} turns, against the bare workflow`,
      unit: 'x',
      value: exactly(ours / bare),
      detail: `ours ${kib(ours).toFixed(0)} KiB, bare ${kib(bare).toFixed(0)} KiB`,
    },
  ];
}

/** Not in the child: a bundler would leave it with a large empty heap, which hides the sessions. */
async function bundle(name: Name, dir: string): Promise<string> {
  const { code } = await bundleWorkflowCode({
    ...bundlerOptions,
    ...(name === 'ours' ? { preloadModules } : {}),
    workflowsPath: join(import.meta.dirname, `memory-workflows-${name}.ts`),
    // ours belongs to a session; the bare workflow has the SDK's
    ...(name === 'ours' ? { payloadConverterPath } : {}),
    logger: new DefaultLogger('WARN'),
  });
  const bundlePath = join(dir, `memory-workflows-${name}.js`);
  await writeFile(bundlePath, code);
  return bundlePath;
}

/** Bytes per session. */
async function measureChild(name: Name, ...args: string[]): Promise<number> {
  const answer = await askChild<{ beforeBytes: number; afterBytes: number }>(
    'memory-child.ts',
    [name, ...args],
    // code that V8 discards as unused would look like memory that the sessions freed
    ['--expose-gc', '--no-flush-bytecode'],
  );
  return (answer.afterBytes - answer.beforeBytes) / idleSessions;
}
