// Child process of the memory measurement: one side alone, its memory before and after it holds idle sessions.
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { Client } from '@temporalio/client';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { idleSessions, idleTurns } from './memory.ts';
import { Pace } from './pace.ts';
import { openSides } from './sides.ts';

/** Few at once: a burst would leave the heap larger than its content. */
const atOnce = 5;
const firstSessions = 10;

const [name, address, artifactsDir, bundlePath] = process.argv.slice(2);
if ((name !== 'ours' && name !== 'bare') || !address || !artifactsDir || !bundlePath) {
  throw new Error('Arguments missing: this is started by "npm run bench".');
}

// the SDK's thread, which holds the sessions
const threads: Worker[] = [];
process.on('worker', (thread) => threads.push(thread));
installRuntime(join(dirname(artifactsDir), `idle-${name}.log`));
const prefix = `bench-idle-${name}`;
const { client, sides, close } = await openSides({
  address,
  artifactsDir,
  bundlePath,
  pace: new Pace(),
  names: [name],
  taskQueuePrefix: prefix,
});
const side = sides[name];

// the first ones stay too: they grow the heap to its size, so that the rest is the cost of a session
await inBatches(0, firstSessions);
const beforeBytes = await heldMemory();
await inBatches(firstSessions, firstSessions + idleSessions);
const afterBytes = await heldMemory();
process.send?.({ beforeBytes, afterBytes });
for (let index = 0; index < firstSessions + idleSessions; index += 1) {
  await client.workflow.getHandle(`${prefix}-${index}`).terminate();
}
await close();
process.disconnect();

async function inBatches(first: number, end: number): Promise<void> {
  for (let from = first; from < end; from += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, end - from) }, (_, index) => idle(from + index));
    await Promise.all(batch);
  }
}

async function idle(index: number): Promise<void> {
  await side.start(`${prefix}-${index}`, { turns: idleTurns, stay: true });
  await untilIdle(client, `${prefix}-${index}`);
}

/** Resolves when all turns are made, 12 events each, and nothing is pending. */
async function untilIdle(temporal: Client, id: string): Promise<void> {
  for (;;) {
    const { historyLength, raw } = await temporal.workflow.getHandle(id).describe();
    const pending = raw.pendingActivities?.length ?? 0;
    if (historyLength > idleTurns * 12 && pending === 0 && !raw.pendingWorkflowTask) return;
    await sleep(200);
  }
}

/**
 * Bytes in both threads' heaps: the lowest of several readings, each after a collection in both. The resident memory
 * would include freed pages that the heap has not returned, which on a busy machine are more than all sessions hold.
 */
async function heldMemory(): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let look = 0; look < 5; look += 1) {
    globalThis.gc?.();
    await collectInWorkflows(look);
    await sleep(500);
    const { heapUsed, external } = process.memoryUsage();
    const held = await Promise.all(threads.map(heldByThread));
    lowest = Math.min(lowest, heapUsed + external + held.reduce((sum, bytes) => sum + bytes, 0));
  }
  return lowest;
}

async function heldByThread(thread: Worker): Promise<number> {
  const { used_heap_size: heap, external_memory: external } = await thread.getHeapStatistics();
  return heap + external;
}

async function collectInWorkflows(look: number): Promise<void> {
  const collected = await client.workflow.execute('collectGarbage', {
    workflowId: `${prefix}-collect-${look}-${Date.now()}`,
    taskQueue: `${prefix}-${name}`,
  });
  if (collected !== true) throw new Error('No gc in the workflow thread: expected node --expose-gc.');
}
