// The worker options that Holdfast changes, each with the reason why the default is wrong here.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { WorkerOptions, InjectedSinks } from '@temporalio/worker';
import { readBeatMs } from '../activities/base/heartbeat.ts';
import type { DeltaBus } from '../activities/base/delta-bus.ts';

const mebibyte = 1024 * 1024;
/** MiB of the process without cached workflows; the SDK assumes the same. */
const baseMebibytes = 200;
/** Cached workflows per GiB; the SDK's own figure for a shared V8 context. */
const cachedPerGibibyte = 600;
/** For cancelled calls to clean up. */
const forceMs = 30_000;
/** JavaScript's share of a container's limit. */
const heapShare = 0.75;

/** New for each start of a worker. */
export function createWorkerId(): string {
  return randomUUID().slice(0, 8);
}

/** Includes host and id, because in a container the pid is always 1. */
export function toIdentity(workerId: string): string {
  return `${process.pid}@${hostname()}:${workerId}`;
}

export function tuneWorker(shutdownGraceMs: number, workerId = createWorkerId()) {
  return {
    identity: toIdentity(workerId),
    maxCachedWorkflows: cachedWorkflows(memoryMebibytes()),
    // With the default of 10 s a killed worker holds up queries and turns for as long. At 1 s none was late on a busy
    // machine (docs/decisions/temporal.md).
    stickyQueueScheduleToStartTimeout: '1s',
    // A cancellation arrives with a heartbeat; the defaults are 60 s and 30 s. The activities keep the pace.
    maxHeartbeatThrottleInterval: readBeatMs,
    defaultHeartbeatThrottleInterval: readBeatMs,
    shutdownGraceTime: shutdownGraceMs,
    // By default a worker with work that never ends does not end either.
    shutdownForceTime: shutdownGraceMs + forceMs,
    maxConcurrentActivityTaskExecutions: 100,
    maxConcurrentWorkflowTaskExecutions: 40,
  } satisfies Partial<WorkerOptions>;
}

/** Sessions cached in memory; at least 10. */
function cachedWorkflows(limitMebibytes: number): number {
  return Math.max(Math.floor((Math.max(limitMebibytes - baseMebibytes, 0) * cachedPerGibibyte) / 1024), 10);
}

/** The heap limit: Node's own, or less in a small container. */
function memoryMebibytes(): number {
  const heap = getHeapStatistics().heap_size_limit;
  const container = process.constrainedMemory();
  return Math.min(heap, container > 0 ? container * heapShare : heap) / mebibyte;
}

/** Tells the activities of a worker of watchers in other processes. */
export function readerSinks(bus: Pick<DeltaBus, 'noteReader'>): InjectedSinks<{ readers: { note(): void } }> {
  return {
    readers: { note: { fn: ({ workflowId }) => bus.noteReader(workflowId), callDuringReplay: false } },
  };
}
