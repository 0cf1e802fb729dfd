// The inbox alone: what waits, and what a run leaves behind.
import { expect, test } from 'vitest';
import { Inbox } from '../../../src/core/session/inbox.ts';
import type { UserMessage } from '../../../src/core/model/messages.ts';

const message = (text: string): UserMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origin: 'steer',
});
const place = { runId: 'run-2', turn: 1 };

test('[QUEUE-17] an interrupting message that its run did not take is an ordinary one for the next run', () => {
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
