// Child process of the counts: sessions of both sides, one after the other, counted per turn.
import { createHook } from 'node:async_hooks';
import { join } from 'node:path';
import { installRuntime } from '../src/worker/telemetry/install-runtime.ts';
import { promisesSoFar } from './count-promises.ts';
import type { Counts } from './counts.ts';
import { Pace } from './pace.ts';
import { openSides } from './sides.ts';

const [address, dir] = process.argv.slice(2);
if (!address || !dir) throw new Error('Arguments missing: this is started by "npm run bench".');

/** Counted turns, after as many uncounted ones. */
const turns = 100;

let fileRequests = 0;
// one open, read, write, rename or close of Node's each
createHook({
  init(_id, type) {
    if (/^(FSREQ|FILEHANDLECLOSEREQ)/.test(type)) fileRequests += 1;
  },
}).enable();

installRuntime(join(dir, 'counts.log'));
const pace = new Pace();
const artifactsDir = join(dir, 'artifacts');
const { sides, close } = await openSides({ address, pace, taskQueuePrefix: 'bench-counts', artifactsDir });
const counts: Counts = { ours: await countOne('ours'), bare: await countOne('bare') };
await close();
process.send?.(counts);
process.disconnect();

async function countOne(name: 'ours' | 'bare') {
  const id = `bench-counts-${name}`;
  pace.hold(id);
  await sides[name].start(id, { turns: 2 * turns + 1 });
  await pace.arrival(id);
  await pace.runTo(id, turns);
  const before = { promises: promisesSoFar(), fileRequests };
  await pace.runTo(id, 2 * turns);
  const made = {
    promises: (promisesSoFar() - before.promises) / turns,
    fileRequests: (fileRequests - before.fileRequests) / turns,
  };
  pace.free(id);
  await sides[name].ended(id);
  return made;
}
