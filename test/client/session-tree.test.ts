// The tree of a session out of what its sessions answer and what the server lists.
import { expect, test } from 'vitest';
import { ClientError } from '../../src/client/client-error.ts';
import type { SessionListing } from '../../src/client/session-list.ts';
import { readTree } from '../../src/client/session-tree.ts';
import type { SessionTree, TreeSources } from '../../src/client/session-tree.ts';
import type { ChildSnapshot, Snapshot } from '@holdfast/vocabulary/snapshot';

const usage = { main: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 } };

function child(id: string, state: ChildSnapshot['state']): ChildSnapshot {
  const name = id.split('/').at(-1) ?? '';
  const ended = state === 'ended' ? { status: 'completed' as const } : {};
  // oxfmt-ignore
  return {
    id, name, agent: `agent of ${name}`, prefix: '🤖', depth: 1, task: 't', callId: 'd', state,
    startedAt: 0, usage, costUsd: 1, ...ended,
  };
}

function snapshot(sessionId: string, ...children: ChildSnapshot[]): Snapshot {
  const name = sessionId.split('/').at(-1) ?? '';
  const own = {
    sessionId,
    name,
    configName: `agent of ${name}`,
    prefix: '🤖',
    task: 't',
    state: 'executing',
    turn: 2,
  };
  return { ...own, costUsd: 2, usage, children } as Partial<Snapshot> as Snapshot;
}

function listing(sessionId: string, more: Partial<SessionListing> = {}): SessionListing {
  const parentId = sessionId.slice(0, Math.max(0, sessionId.lastIndexOf('/')));
  return {
    sessionId,
    status: 'RUNNING',
    task: 't',
    startedAt: 0,
    taskQueue: 'q',
    agent: 'a',
    ...(parentId === '' ? {} : { parentId }),
    ...more,
  };
}

const noWorker = (id: string): never => {
  throw new ClientError('NoWorker', `none for ${id}`);
};

function sources(snapshots: Snapshot[], below: SessionListing[] = []): TreeSources & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    below: async () => below,
    async snapshot(id) {
      asked.push(id);
      return snapshots.find(({ sessionId }) => sessionId === id) ?? noWorker(id);
    },
    describe: async (id) => listing(id, { agent: 'described' }),
  };
}

const outline = ({ name, state, children }: SessionTree): unknown => [name, state, children.map(outline)];

test('what runs is asked, at every level; of what has ended the parent knows the end, and the server what was below', async () => {
  const from = sources(
    [
      snapshot('s', child('s/old', 'ended'), child('s/a', 'running'), child('s/b', 'running')),
      snapshot('s/a', child('s/a/x', 'running')),
      snapshot('s/b'),
      snapshot('s/a/x'),
    ],
    // newest first, as the server lists
    [
      listing('s/old/below', { status: 'COMPLETED', outcome: 'failed', turns: 7, costUsd: 0.5 }),
      listing('s/old', { status: 'COMPLETED', outcome: 'completed', turns: 3 }),
      listing('s/oldest', { status: 'COMPLETED', outcome: 'completed' }),
    ],
  );
  const tree = await readTree('s', from);
  expect(outline(tree)).toEqual([
    's',
    'executing',
    [
      // no longer among those that the parent keeps
      ['oldest', 'ended', []],
      ['old', 'ended', [['below', 'ended', []]]],
      ['a', 'executing', [['x', 'executing', []]]],
      ['b', 'executing', []],
    ],
  ]);
  expect(from.asked.toSorted()).toEqual(['s', 's/a', 's/a/x', 's/b']);
  expect(tree.children[1]).toMatchObject({ status: 'completed', turns: 3, costUsd: 1, usage });
  expect(tree.children[1]?.children[0]).toMatchObject({ status: 'failed', turns: 7, costUsd: 0.5, depth: 2 });
  expect(tree.children[2]).toMatchObject({ turns: 2, costUsd: 2, depth: 1 });
});

test('without a worker the tree is what the server knows', async () => {
  const from = sources([], [listing('s/a/x', { waitingFor: 'approval' }), listing('s/a')]);
  const tree = await readTree('s', from);
  expect(outline(tree)).toEqual(['described', 'unknown', [['a', 'unknown', [['x', 'unknown', []]]]]]);
  expect(tree.children[0]?.children[0]).toMatchObject({ waitingFor: 'approval', depth: 2 });
});

test('[HTTP-09a] a session that Temporal has ended is not asked, and waits for nobody', async () => {
  const over = { status: 'TERMINATED', waitingFor: 'approval' } as const;
  const from = sources([{ ...snapshot('s'), waitingFor: 'approval' }], [listing('s/a')]);
  const tree = await readTree('s', { ...from, describe: async (id) => listing(id, over) });
  expect(outline(tree)).toEqual(['a', 'ended', [['a', 'unknown', []]]]);
  expect(tree.waitingFor).toBeUndefined();
  expect(from.asked).toEqual([]);
});

test('[STATE-20b] a subagent of a second session of the id has its name, also where it does not answer', async () => {
  const below = [listing('s~0a1b2c3d/log', { parentId: 's' })];
  const tree = await readTree('s', sources([], below));
  expect(outline(tree)).toEqual(['described', 'unknown', [['log', 'unknown', []]]]);
});

test('a subagent that does not answer hides no other, and an unknown session is an error', async () => {
  const from = sources([snapshot('s', child('s/lost', 'running'), child('s/a', 'running')), snapshot('s/a')]);
  expect(outline(await readTree('s', from))).toEqual([
    's',
    'executing',
    [
      ['lost', 'unknown', []],
      ['a', 'executing', []],
    ],
  ]);
  const unknown = {
    ...sources([]),
    describe: async () => Promise.reject(new ClientError('UnknownSession', 'no')),
  };
  await expect(readTree('s', unknown)).rejects.toBeInstanceOf(ClientError);
});

test('no more than 200 are asked, eight at once, and all that run are there', async () => {
  const children = Array.from({ length: 300 }, (_, index) => child(`s/c${index}`, 'running'));
  const all = sources([snapshot('s', ...children), ...children.map(({ id }) => snapshot(id))]);
  let [open, most] = [0, 0];
  const tree = await readTree('s', {
    ...all,
    async snapshot(id) {
      most = Math.max(most, (open += 1));
      await Promise.resolve();
      open -= 1;
      return all.snapshot(id);
    },
  });
  expect(tree.children).toHaveLength(300);
  expect(all.asked).toHaveLength(200);
  expect(most).toBe(8);
});
