// When `--crash` kills, and what it says came of it: against a scene that goes through given states.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type CrashScene, makeCrashes } from '../src/crashes.ts';
import type { PendingCall } from '../src/pending-activities.ts';

const onceTool = 'tool.rollback_config';

function activity(change: Partial<PendingCall>): PendingCall {
  return { id: '1', type: 'callModel', attempt: 1, started: true, heartbeat: {}, ...change };
}

/** A scene whose server shows one state after another, the last one for ever; kills and starts are counted. */
async function sceneOf(
  states: PendingCall[][],
): Promise<CrashScene & { log: string[]; statesLeft(): number }> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-crash-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const log: string[] = [];
  let worker = 100;
  return {
    log,
    statesLeft: () => states.length,
    readPending: () => Promise.resolve((states.length > 1 ? states.shift() : states[0]) ?? []),
    killWorker: () => Promise.resolve(log.push(`kill ${worker}`)).then(() => worker),
    startWorker: () => Promise.resolve(log.push(`start ${++worker}`)).then(() => worker),
    turn: () => 3,
    say: () => undefined,
    breakLine: () => undefined,
    holdFile: join(folder, 'hold'),
    onceTool,
  };
}

test('kills a model call of a later turn that has said something, and waits for the next attempt', async () => {
  const stop = new AbortController();
  const scene = await sceneOf([
    [activity({ heartbeat: { turn: 1, partial: 'too early' } })],
    [activity({ id: '2', heartbeat: { turn: 2, partial: '' } })],
    [activity({ id: '2', started: false, heartbeat: { turn: 2, partial: 'Now' } })],
    [activity({ id: '2', heartbeat: { turn: 2, partial: 'Now the logs' } })],
    [activity({ id: '2', attempt: 1 })],
    [activity({ id: '2', attempt: 2, started: false })],
    [activity({ id: '2', attempt: 2 })],
    [],
  ]);
  const crashes = makeCrashes(scene, stop.signal);
  await expect.poll(() => scene.log).toEqual(['kill 100', 'start 101']);
  await expect.poll(() => scene.statesLeft(), { timeout: 5_000 }).toBe(1);
  stop.abort();
  expect(await crashes).toMatchObject([
    { where: 'model call', activity: 'callModel', turn: 2, pid: 100, nextPid: 101, attempt: 2 },
  ]);
});

test('kills a tool that has beaten, never the once tool by mistake', async () => {
  const stop = new AbortController();
  const scene = await sceneOf([
    [activity({ type: onceTool, heartbeat: { callId: 'c1' } })],
    [activity({ id: '7', type: 'tool.http_get' })],
    [activity({ id: '7', type: 'tool.http_get', heartbeat: { callId: 'c2' } })],
    [],
  ]);
  const crashes = makeCrashes(scene, stop.signal);
  await expect.poll(() => scene.log).toEqual(['kill 100', 'start 101']);
  stop.abort();
  expect(await crashes).toMatchObject([{ where: 'tool', activity: 'tool.http_get', turn: 3 }]);
});

test('a tool that answered just before the kill is no tool that was killed: the next one is', async () => {
  const stop = new AbortController();
  const scene = await sceneOf([
    [activity({ id: '7', type: 'tool.grep', heartbeat: { callId: 'c2' } })],
    [],
    [activity({ id: '8', type: 'tool.read', heartbeat: { callId: 'c3' } })],
    [activity({ id: '8', type: 'tool.read', attempt: 2 })],
    [activity({ id: '9', type: 'tool.read', heartbeat: { callId: 'c4' } })],
    [],
  ]);
  const crashes = makeCrashes(scene, stop.signal);
  await expect.poll(() => scene.statesLeft(), { timeout: 5_000 }).toBe(1);
  stop.abort();
  expect(await crashes).toMatchObject([
    { where: 'tool', activity: 'tool.grep' },
    { where: 'tool', activity: 'tool.read', attempt: 2 },
  ]);
});

test('kills the once tool while it is held after its effect, and lets no other be held', async () => {
  const stop = new AbortController();
  const scene = await sceneOf([[activity({ id: '9', type: onceTool, heartbeat: { callId: 'c3' } })]]);
  const crashes = makeCrashes(scene, stop.signal);
  await expect.poll(() => existsSync(scene.holdFile)).toBe(true);
  expect(scene.log).toEqual([]);
  await writeFile(`${scene.holdFile}.reached`, '');
  await expect.poll(() => scene.log).toEqual(['kill 100', 'start 101']);
  expect(existsSync(scene.holdFile)).toBe(false);
  scene.readPending = () => Promise.resolve([]);
  stop.abort();
  const [crash] = await crashes;
  expect(crash).toMatchObject({ where: 'once tool', activity: onceTool });
  expect(crash).not.toHaveProperty('attempt');
});
