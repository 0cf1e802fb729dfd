// The streams of a session and its subagents as one, over sources that the test moves by hand.
import { expect, test } from 'vitest';
import { createDeltaBus } from '../../src/activities/base/delta-bus.ts';
import { ClientError } from '../../src/client/client-error.ts';
import { subscribeFamily } from '../../src/client/family.ts';
import type { WatchItem } from '../../src/client/session-events.ts';
import { SessionHubs } from '../../src/client/subscription.ts';
import type { Heard } from '../../src/client/subscription.ts';
import type { AgentEventBody } from '@holdfast/vocabulary/events';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';
import { type MovedItem, type MovedStream, movedStream } from '../support/moved-stream.ts';

/** Sessions whose events the test puts; one that nobody has put anything into is not known. */
function createSessions() {
  const bus = createDeltaBus();
  const streams = new Map<string, MovedStream & { opened: number; open: number }>();
  const at = (id: string) => {
    const stream = streams.get(id) ?? { ...movedStream(), opened: 0, open: 0 };
    streams.set(id, stream);
    return stream;
  };
  const put = (id: string, item: MovedItem): void => at(id).put(item);
  async function* events(id: string, signal: AbortSignal): AsyncGenerator<WatchItem> {
    const stream = at(id);
    stream.opened += 1;
    if (stream.isEmpty() && id !== 'top') throw new ClientError('UnknownSession', id);
    stream.open += 1;
    try {
      yield* stream.read(signal);
    } finally {
      stream.open -= 1;
    }
  }
  const hubs = new SessionHubs((id) => ({
    events: (signal) => events(id, signal),
    live: () => bus.subscribe(id),
  }));
  const seqs = new Map<string, number>();
  const event = (id: string, body: AgentEventBody): void => {
    const seq = (seqs.get(id) ?? 0) + 1;
    seqs.set(id, seq);
    put(id, { type: 'event', event: { seq, at: 0, runId: 'r', turn: 1, ...body } });
  };
  const tags = (childId: string) => {
    const names = childId.split('/');
    const [name = '', parent = ''] = [names.at(-1), names.at(-2)];
    return {
      callId: 'd',
      agent: `agent of ${name}`,
      name,
      childId,
      prefix: '🤖',
      parent: names.length === 2 ? '' : parent,
      depth: names.length - 1,
      task: 'look',
    };
  };
  return {
    hubs,
    put,
    event,
    opened: (id: string) => at(id).opened,
    open: () => [...streams.values()].reduce((sum, { open }) => sum + open, 0),
    begins: (childId: string) =>
      event(childId.slice(0, childId.lastIndexOf('/')), { type: 'subagent_start', ...tags(childId) }),
    ends: (childId: string) =>
      event(childId.slice(0, childId.lastIndexOf('/')), {
        type: 'subagent_end',
        status: 'completed',
        isError: false,
        costUsd: 0.5,
        ...tags(childId),
      }),
    says: (id: string, text: string) =>
      event(id, { type: 'message_end', role: 'assistant', messageSeq: 1, text }),
  };
}

const short = (heard: Heard): string => {
  const words = heard.type === 'message_end' ? heard.text : heard.type;
  return `${heard.path ?? 'top'}: ${words}`;
};

test('[EVENT-13ac] [SUB-08c] what subagents say comes with their tags, between their beginning and their end, at every level', async () => {
  const sessions = createSessions();
  const heard: Heard[] = [];
  const subscription = subscribeFamily(sessions.hubs, 'top', (event) => void heard.push(event));
  sessions.begins('top/a');
  // the parent is ahead of the streams of its subagents
  sessions.ends('top/a');
  sessions.says('top', 'done');
  sessions.put('top', 'end');
  sessions.begins('top/a/b');
  sessions.says('top/a', 'asked b');
  sessions.ends('top/a/b');
  sessions.put('top/a', 'end');
  sessions.says('top/a/b', 'found it');
  sessions.event('top/a/b', { type: 'tool_execution_start', callId: 'c', tool: 'read', rawArgs: '{}' });
  sessions.put('top/a/b', 'end');
  expect(await subscription.ended).toBeUndefined();
  // oxfmt-ignore
  expect(heard.map(short)).toEqual([
    'a: subagent_start', 'a/b: subagent_start', 'a: asked b',
    'a/b: found it', 'a/b: tool_execution_start', 'a/b: subagent_end',
    'a: subagent_end', 'top: done',
  ]);
  const ofB = {
    agent: 'agent of b',
    name: 'b',
    prefix: '🤖',
    parent: 'a',
    depth: 2,
    childId: 'top/a/b',
    path: 'a/b',
  };
  expect(heard.filter(({ path }) => path === 'a/b')).toEqual([
    expect.objectContaining({ ...ofB, type: 'subagent_start', sessionId: 'top/a' }),
    expect.objectContaining({ ...ofB, type: 'message_end', sessionId: 'top/a/b' }),
    expect.objectContaining({ ...ofB, type: 'tool_execution_start', sessionId: 'top/a/b', callId: 'c' }),
    expect.objectContaining({ ...ofB, type: 'subagent_end', sessionId: 'top/a' }),
  ]);
  // the session's own events say nothing of a session
  expect(heard[0]).not.toHaveProperty('sessionId');
  expect(heard.at(-1)).not.toHaveProperty('childId');
  expect(sessions.open()).toBe(0);
});

test('[EVENT-13c] a subagent whose session is not there yet is looked for again, until its parent has given it up', async () => {
  const sessions = createSessions();
  const heard: string[] = [];
  const subscription = subscribeFamily(sessions.hubs, 'top', (event) => void heard.push(short(event)));
  sessions.begins('top/late');
  sessions.begins('top/never');
  await expect.poll(() => sessions.opened('top/late')).toBeGreaterThan(0);
  sessions.says('top/late', 'here');
  sessions.put('top/late', 'end');
  await expect.poll(() => heard).toContain('late: here');
  sessions.ends('top/never');
  sessions.ends('top/late');
  sessions.put('top', 'end');
  await subscription.ended;
  expect(heard).toEqual([
    'late: subagent_start',
    'never: subagent_start',
    'late: here',
    'never: subagent_end',
    'late: subagent_end',
  ]);
});

test('[EVENT-13c] of many subagents 32 streams are open at once at each level, and none of their words is lost', async () => {
  const sessions = createSessions();
  const heard: Heard[] = [];
  const subscription = subscribeFamily(sessions.hubs, 'top', (event) => void heard.push(event));
  const names = Array.from({ length: 50 }, (_, index) => `c${index}`);
  for (const name of names) {
    sessions.begins(`top/${name}`);
    // each waits for one below it: what is open above must not keep it from being opened
    sessions.begins(`top/${name}/below`);
    sessions.says(`top/${name}/below`, `words below ${name}`);
  }
  await expect.poll(() => sessions.open()).toBe(1 + 32 + 32);
  for (const name of names) {
    sessions.put(`top/${name}/below`, 'end');
    sessions.ends(`top/${name}/below`);
    sessions.says(`top/${name}`, `words of ${name}`);
    sessions.put(`top/${name}`, 'end');
    sessions.ends(`top/${name}`);
  }
  sessions.put('top', 'end');
  await subscription.ended;
  const said = heard.flatMap((event) => (event.type === 'message_end' ? [event.text] : []));
  expect(said.toSorted()).toEqual(
    names.flatMap((name) => [`words below ${name}`, `words of ${name}`]).toSorted(),
  );
  expect(sessions.open()).toBe(0);
});

test('[EVENT-13c] a later listener gets the subagents that began before: from what is kept, or from the snapshot', async () => {
  const sessions = createSessions();
  const first = subscribeFamily(sessions.hubs, 'top', () => undefined);
  sessions.begins('top/a');
  sessions.begins('top/gone');
  sessions.put('top/gone', 'end');
  sessions.ends('top/gone');
  sessions.says('top/a', 'early');
  // more than a hub keeps
  for (let turn = 0; turn < 300; turn++) sessions.event('top', { type: 'turn_start' });
  const before: Heard[] = [];
  const wait = subscribeFamily(sessions.hubs, 'top', (event) => void before.push(event));
  await expect.poll(() => before.length).toBeGreaterThanOrEqual(300);
  const late: string[] = [];
  const second = subscribeFamily(sessions.hubs, 'top', (event) => void late.push(short(event)));
  await expect.poll(() => late).toContain('a: early');
  expect(late[0]).toBe('a: subagent_start');
  expect(late).not.toContain('gone: subagent_start');
  for (const stop of [first, wait, second]) stop();

  const fresh: string[] = [];
  const third = subscribeFamily(sessions.hubs, 'other', (event) => void fresh.push(short(event)));
  const child = {
    name: 'a',
    agent: 'x',
    prefix: '🤖',
    depth: 1,
    task: 't',
    usage: {},
    costUsd: 0,
    startedAt: 0,
  };
  const children = [
    { ...child, state: 'running' as const, id: 'other/a' },
    { ...child, state: 'ended' as const, id: 'other/b', name: 'b' },
  ];
  sessions.put('other/a', { type: 'event', event: { seq: 1, at: 0, type: 'turn_start' } });
  sessions.put('other', {
    type: 'gap',
    fromSeq: 1,
    toSeq: 9,
    snapshot: { children } as Partial<Snapshot> as Snapshot,
  });
  third();
  const fourth = subscribeFamily(sessions.hubs, 'other', (event) => void fresh.push(short(event)));
  await expect.poll(() => fresh).toEqual(['top: gap', 'a: turn_start']);
  expect(sessions.opened('other/b')).toBe(0);
  fourth();
});

test('[EVENT-13c] without a listener nothing is open, and a subagent that fails to be read ends nothing else', async () => {
  const sessions = createSessions();
  const heard: string[] = [];
  const subscription = subscribeFamily(sessions.hubs, 'top', (event) => void heard.push(short(event)));
  sessions.begins('top/locked');
  sessions.put('top/locked', new ClientError('CannotDecrypt', 'no key'));
  sessions.begins('top/a');
  sessions.says('top/a', 'still here');
  sessions.ends('top/locked');
  sessions.says('top', 'me too');
  await expect.poll(() => heard).toContain('top: me too');
  expect(heard).toContain('a: still here');
  expect(sessions.open()).toBe(2);
  subscription();
  await subscription.ended;
  await expect.poll(() => sessions.open()).toBe(0);
});
