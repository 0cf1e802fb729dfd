import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toArtifactName } from '../../../src/activities/context/save-session.ts';
import { type PruneRules, planPrune } from '../../../src/cli/artifacts/prune-plan.ts';
import { openStore, listStored } from '../../../src/cli/artifacts/stored-sessions.ts';
import { resolveConfig } from '../../../src/config/config.ts';
import { openArtifactStore } from '../../../src/config/artifacts.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

const dayMs = 24 * 60 * 60 * 1_000;
const now = Date.now();

/** A store in which everything was kept so many days ago, with a checkpoint of each session's task. */
async function storeOf(sessions: Record<string, { days: number; status?: string | null }>) {
  const cwd = await temporaryFolder();
  const config = resolveConfig({ cwd, environment: {} });
  const writer = await openArtifactStore(config);
  for (const [sessionId, { status = 'completed' }] of Object.entries(sessions)) {
    await writer.put(sessionId, 'tool-call_1', 'output');
    await writer.put(sessionId, 'log.json', '[]');
    const checkpoint = status === null ? 'no JSON' : JSON.stringify({ id: `${sessionId}/7`, status });
    await writer.put('checkpoints', toArtifactName(sessionId), checkpoint);
  }
  const root = join(config.artifactsDir, 'sessions');
  for (const [sessionId, { days }] of Object.entries(sessions)) {
    const at = new Date(now - days * dayMs);
    await utimes(join(root, 'checkpoints', toArtifactName(sessionId)), at, at);
    const folder = join(root, sessionId.startsWith('odd/') ? await oddFolder(root) : sessionId);
    for (const name of await readdir(folder)) await utimes(join(folder, name), at, at);
  }
  const store = await openStore(config);
  if (!store) throw new Error('no store');
  return store;
}

async function oddFolder(root: string): Promise<string> {
  return (await readdir(root)).find((name) => name.includes('~')) ?? '';
}

async function plan(
  sessions: Parameters<typeof storeOf>[0],
  rules: Partial<PruneRules> = {},
): Promise<{ removed: string[]; kept: Record<string, string> }> {
  const store = await storeOf(sessions);
  const { removals, kept } = await planPrune(store, await listStored(store), {
    before: now - 30 * dayMs,
    unfinished: false,
    isRunning: () => Promise.resolve(false),
    ...rules,
  });
  const removed = removals.map(({ sessionId, name }) => (name === undefined ? sessionId : `task ${name}`));
  return {
    removed: removed.sort(),
    kept: Object.fromEntries(kept.map(({ sessionId, why }) => [sessionId, why])),
  };
}

test('the old ones go, with the checkpoints of their tasks; the young ones stay', async () => {
  const sessions = { old: { days: 31 }, older: { days: 400 }, young: { days: 29 } };
  expect(await plan(sessions)).toEqual({
    removed: ['old', 'older', 'task old.json', 'task older.json'],
    kept: {},
  });
});

test('one that is running stays with its checkpoint, whatever its age, and nobody asks about young ones', async () => {
  const asked: string[] = [];
  const isRunning = (sessionId: string): Promise<boolean> => {
    asked.push(sessionId);
    return Promise.resolve(sessionId === 'odd/Running');
  };
  const sessions = { 'odd/Running': { days: 90 }, over: { days: 90 }, young: { days: 1 } };
  expect(await plan(sessions, { isRunning })).toEqual({
    removed: ['over', 'task over.json'],
    kept: { 'odd/Running': 'running' },
  });
  expect(asked.sort()).toEqual(['odd/Running', 'over']);
});

test.each([['in_progress'], ['failed'], [null]])(
  'what a task of status %s needs to continue stays, unless it is asked for',
  async (status) => {
    const sessions = { unfinished: { days: 90, status }, done: { days: 90 } };
    const { removed, kept } = await plan(sessions);
    // of a document that cannot be read nobody knows the session
    expect(kept).toEqual(status === null ? {} : { unfinished: 'unfinished' });
    expect(removed).toEqual(expect.arrayContaining(['done', 'task done.json']));
    expect(removed).not.toContain('task unfinished.json');
    expect((await plan(sessions, { unfinished: true })).removed).toEqual([
      'done',
      'task done.json',
      'task unfinished.json',
      'unfinished',
    ]);
  },
);

test('where the server gives no answer there is no plan', async () => {
  const isRunning = () => Promise.reject(new Error('no answer'));
  await expect(plan({ old: { days: 90 } }, { isRunning })).rejects.toThrow('no answer');
});
