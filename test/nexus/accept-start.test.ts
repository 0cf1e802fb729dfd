// The Nexus service before a session starts: which start inputs a caller of another namespace may not send.
import { expect, test } from 'vitest';
import { acceptStart } from '../../src/nexus/session-handlers.ts';

test.each([
  ['a link to a parent', { parent: {} }, /"parent": only delegate sets one/],
  ['somebody to signal', { notify: { workflowId: 'another', signal: 'abort' } }, /"notify"/],
  ['a state', { carried: {} }, /carried/],
  ['a rule that allows', { policy: [{ tool: '*', decision: 'allow' }] }, /may only narrow/],
])('[CALL-07f] investigate refuses a start with %s, and it is not tried again', (_what, more, why) => {
  const start = { prompt: 'Why?', ...more } as never;
  const error = expect.objectContaining({ type: 'BAD_REQUEST', message: expect.stringMatching(why) });
  expect(() => acceptStart(start)).toThrow(error);
});
