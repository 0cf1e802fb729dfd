// Child process of the counts: sessions of both sides, one after the other, counted per turn. Heartbeats are those of its
// workers.
import { createHook } from 'node:async_hooks';
import { join } from 'node:path';
import { freePort } from '@holdfast/processes/free-port';
import type { ArtifactStore } from '../../src/activities/storage/artifact-store.ts';
import { createBehindStore } from '../../src/activities/storage/behind-store.ts';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { actionsOf, heartbeatsSoFar } from './actions.ts';
import { promisesSoFar } from './count-promises.ts';
import type { Tally } from './counts.ts';
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

const bindAddress = `127.0.0.1:${await freePort()}`;
installRuntime(join(dir, 'counts.log'), { metrics: { prometheus: { bindAddress } } });
const pace = new Pace();
const artifactsDir = join(dir, 'artifacts');
let storeRequests = 0;
const artifacts = createBehindStore(counted(await createFileArtifactStore(artifactsDir)));
const taskQueuePrefix = 'bench-counts';
const { client, sides, close } = await openSides({ address, pace, taskQueuePrefix, artifactsDir, artifacts });
const counts: Tally = { ours: await countOne('ours'), bare: await countOne('bare') };
await close();
process.send?.(counts);
process.disconnect();

async function countOne(name: 'ours' | 'bare') {
  const id = `bench-counts-${name}`;
  const beats = await heartbeatsSoFar(bindAddress);
  pace.hold(id);
  await sides[name].start(id, { turns: 2 * turns + 1 });
  await pace.arrival(id);
  await pace.runTo(id, turns);
  const before = { promises: promisesSoFar(), fileRequests, storeRequests };
  await pace.runTo(id, 2 * turns);
  const made = {
    promises: (promisesSoFar() - before.promises) / turns,
    fileRequests: (fileRequests - before.fileRequests) / turns,
    storeRequests: (storeRequests - before.storeRequests) / turns,
  };
  pace.free(id);
  await sides[name].ended(id);
  const actions = (await actionsOf(client, id)) + (await heartbeatsSoFar(bindAddress)) - beats;
  return { ...made, actions: actions / (2 * turns + 1) };
}

/** Every put, get and list of the bytes behind our sessions. */
function counted(store: ArtifactStore): ArtifactStore {
  const count =
    <Args extends unknown[], Answer>(ask: (...args: Args) => Answer) =>
    (...args: Args): Answer => {
      storeRequests += 1;
      return ask(...args);
    };
  const { id, put, get, list } = store;
  return { id, put: count(put), get: count(get), ...(list && { list: count(list) }) };
}
