// The inbox alone: what waits, and what a run leaves behind.
import { expect, test } from 'vitest';
import { Inbox, overtaken } from '../../../src/core/session/inbox.ts';
import { type UserMessage, userMessage } from '@holdfast/vocabulary/messages';

const message = (text: string): UserMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origin: 'steer',
});
const place = { runId: 'run-2', turn: 1 };

test('[QUEUE-17c] an interrupting message that its run did not take is an ordinary one for the next run', () => {
  const inbox = new Inbox(() => undefined);
  inbox.put('steering', { id: 'a', message: message('first') }, { whileIdle: false });
  inbox.put('steering', { id: 'b', message: message('now') }, { whileIdle: false, interrupts: true });
  expect(inbox.stop).toBe('interrupt');
  inbox.runEnded();
  expect(inbox.stop).toBeUndefined();
  // one at a time, as any other: it no longer pulls along what waited before it
  expect(inbox.take('steering', place)).toEqual([message('first')]);
  expect(inbox.take('steering', place)).toEqual([message('now')]);
});

test('[QUEUE-23c] what its writer could not know goes over a hand-over with a message', () => {
  const before = new Inbox(() => undefined);
  before.put('followUp', { id: 'a', message: message('yes') }, { whileIdle: false, before: 7 });
  const inbox = new Inbox(() => undefined, before.carry());
  const told = userMessage(overtaken, 'injected');
  expect(inbox.take('followUp', place, 7)).toEqual([told, message('yes')]);
});

const filled = (): { inbox: Inbox; told: string[] } => {
  const told: string[] = [];
  const inbox = new Inbox((event) => {
    if (event.type === 'queue_update') told.push(`${event.action} ${event.ids.join('+')}`);
  });
  for (const id of ['a', 'b', 'c']) inbox.put('steering', { id, message: message(id) }, { whileIdle: false });
  inbox.put('followUp', { id: 'f', message: message('f') }, { whileIdle: true });
  told.length = 0;
  return { inbox, told };
};

test.each<
  [
    string,
    (inbox: Inbox) => unknown,
    steering: readonly string[],
    followUp: readonly string[],
    told: readonly string[],
  ]
>([
  [
    '[QUEUE-03a] one at a time takes the oldest',
    (inbox) => inbox.take('steering', place),
    ['b', 'c'],
    ['f'],
    ['delivered a'],
  ],
  [
    '[QUEUE-03b] all takes all, of that queue',
    (inbox) => (inbox.setMode('steering', 'all'), inbox.take('steering', place)),
    ...([[], ['f'], ['delivered a+b+c']] as const),
  ],
  ['[QUEUE-08] an id is taken back', (inbox) => inbox.cancel('b'), ['a', 'c'], ['f'], ['cancelled b']],
  ['[QUEUE-08] an unknown one is not', (inbox) => inbox.cancel('z'), ['a', 'b', 'c'], ['f'], []],
  [
    '[QUEUE-08c] one queue is emptied',
    (inbox) => inbox.clear(['followUp']),
    ['a', 'b', 'c'],
    [],
    ['cleared f'],
  ],
  ['[QUEUE-08] both are', (inbox) => inbox.clear(), [], [], ['cleared a+b+c', 'cleared f']],
  [
    '[QUEUE-07a] an id that is known is not queued again',
    (inbox) => inbox.put('followUp', { id: 'a', message: message('again') }, { whileIdle: false }),
    ...([['a', 'b', 'c'], ['f'], []] as const),
  ],
  [
    '[QUEUE-13a] one that came while idle begins a run, and the rest wait in it',
    (inbox) => inbox.takePrompt('run-1'),
    ...([['a', 'b', 'c'], [], ['delivered f']] as const),
  ],
  ['[QUEUE-15] at the close nothing is lost', (inbox) => inbox.markUndelivered(), ['a', 'b', 'c'], ['f'], []],
])('[LOOP-28] %s', (_, act, steering, followUp, told) => {
  const world = filled();
  act(world.inbox);
  expect([world.inbox.ids('steering'), world.inbox.ids('followUp')]).toEqual([steering, followUp]);
  expect(world.told).toEqual(told);
  // nothing but plain data is carried, and it is all that there is
  const carried = JSON.parse(JSON.stringify(world.inbox.carry())) as ReturnType<Inbox['carry']>;
  const next = new Inbox(() => undefined, carried);
  expect(next.carry()).toEqual(world.inbox.carry());
  expect(next.modeOf('steering')).toBe(world.inbox.modeOf('steering'));
});
