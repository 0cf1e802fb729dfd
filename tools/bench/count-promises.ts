// Counts the promises of workflow code. Loaded into every thread of the process that counts (--import). Runs in Node.
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import { promiseHooks } from 'node:v8';

const key = 'holdfast-bench-promises';

if (isMainThread) setEnvironmentData(key, new SharedArrayBuffer(4));
const counter = new Uint32Array(getEnvironmentData(key) as SharedArrayBuffer);
// the thread itself uses its own Promise; a workflow's sandbox has another one
if (!isMainThread)
  promiseHooks.onInit((promise) => {
    if (promise.constructor !== Promise) Atomics.add(counter, 0, 1);
  });

/** In all threads of workflows so far. */
export function promisesSoFar(): number {
  return Atomics.load(counter, 0);
}
