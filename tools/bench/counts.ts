// Counts of a turn, in a separate process: promises of workflow code, requests to disk and store, actions.
import { join } from 'node:path';
import { askChild } from './ask-child.ts';
import { exactly, type Figure } from './figures.ts';
import type { Bench } from './row.ts';

type Made = { promises: number; fileRequests: number; storeRequests: number; actions: number };
export type Tally = Record<'ours' | 'bare', Made>;

export async function measureCounts(bench: Bench): Promise<Figure[]> {
  const hook = ['--import', join(import.meta.dirname, 'count-promises.ts')];
  const { ours, bare } = await askChild<Tally>('counts-child.ts', [await bench.address(), bench.dir], hook);
  return [
    {
      name: 'promises',
      what: 'promises that a turn makes in the sandbox',
      unit: '',
      value: exactly(ours.promises),
      detail: `bare ${bare.promises.toFixed(1)}`,
    },
    {
      name: 'disk',
      what: 'file requests of a turn (open, write, rename, close: each one)',
      unit: '',
      value: exactly(ours.fileRequests),
      detail: `bare ${bare.fileRequests.toFixed(1)}`,
    },
    {
      name: 'store',
      what: 'store requests of a turn (put, get, list: each one)',
      unit: '',
      value: exactly(ours.storeRequests),
    },
    {
      name: 'actions',
      what: 'actions of a turn, as Temporal Cloud bills them',
      unit: '',
      value: exactly(ours.actions),
      detail: `bare ${bare.actions.toFixed(2)}; start and end of the session and heartbeats with them`,
    },
  ];
}
