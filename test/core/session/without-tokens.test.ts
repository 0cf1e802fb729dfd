// What client and Nexus send to a session: the words of a person without tokens, everything else as it was given.
import { expect, test } from 'vitest';
import { payloadWithoutTokens } from '../../../src/core/session/without-tokens.ts';

const token = 'ghp_AAA4b5C6d7E8f9G0h1I2j3K4l5M6n7O8p9Q0';

test.each([
  ['a steering message', { id: 'm1', message: `use ${token}`, mode: 'interrupt' }],
  ['more work', { continueText: `again, with ${token}` }],
  ['an answer to a question', { id: 'q1', text: token, actor: 'mara' }],
  [
    'an approval',
    { id: 'c1', approve: true, actor: 'mara', argsDigest: 'd1', reason: `${token} is revoked` },
  ],
])('[FAULT-111a] %s has no token, and its fields are those that were given', (_what, payload) => {
  const sent = payloadWithoutTokens(payload);
  expect(JSON.stringify(sent)).toBe(JSON.stringify(payload).replace(token, '[redacted:github-token]'));
});
