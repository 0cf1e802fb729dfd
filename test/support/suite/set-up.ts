// vitest setupFiles: counts what the tests of each file start, and says what a test that ran out of time waited for. Main
// process and test process meet in the signal: the reporter sends it to a process that makes no progress.
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { watchChildren } from './children.ts';
import { hangSignal } from './hang-watch.ts';
import { type Started, startedSince, startedSoFar } from './started.ts';
import { describeWaits } from './waits.ts';

const onceKey = Symbol.for('holdfast.suite');
// the setup of each file runs anew in a process that keeps its modules
if (!(onceKey in globalThis)) {
  Object.defineProperty(globalThis, onceKey, { value: true });
  watchChildren();
  process.on(hangSignal, () => {
    process.stderr.write(`${describeWaits(expect.getState().currentTestName)}\n`);
    // children of the test end with its process
    process.exit(1);
  });
}

let before: Started;
beforeAll(() => {
  before = startedSoFar();
});

beforeEach(({ onTestFailed }) => {
  onTestFailed(({ task }) => {
    const ranOut = task.result?.errors?.some(({ message }) => message.startsWith('Test timed out'));
    if (ranOut) console.error(describeWaits(task.name));
  });
});

// oxlint-disable-next-line no-empty-pattern -- the runner reads which parts of the context a hook takes
afterAll(({}, file) => {
  file.meta.started = startedSince(before, startedSoFar());
});
