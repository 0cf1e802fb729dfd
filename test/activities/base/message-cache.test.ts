import { expect, test } from 'vitest';
import { canonicalJson, digestOf } from '../../../src/activities/base/digest.ts';
import { createMessageCache } from '../../../src/activities/base/message-cache.ts';
import { userMessage } from '@holdfast/vocabulary/messages';

test('digests are over canonical JSON: key order and absent keys make no difference, everything else does', () => {
  expect(canonicalJson({ b: [1, { d: undefined, c: 'ü' }], a: null })).toBe('{"a":null,"b":[1,{"c":"ü"}]}');
  expect(digestOf({ a: 1, b: 2 })).toBe(digestOf({ b: 2, a: 1, c: undefined }));
  expect(digestOf([1, 2])).not.toBe(digestOf([2, 1]));
  expect(digestOf('1')).not.toBe(digestOf(1));
  expect(digestOf({ a: 1 })).toMatch(/^[0-9a-f]{32}$/);
});

test('the cache gives back what it was given, by session and digest', () => {
  const cache = createMessageCache();
  const digest = cache.remember('a', userMessage('one'));
  cache.remember('b', userMessage('one'));
  expect(digest).toBe(digestOf(userMessage('one')));
  expect(cache.recall('a', digest)).toEqual(userMessage('one'));
  cache.forget('a', digest);
  expect(cache.recall('a', digest)).toBeUndefined();
  expect(cache.recall('b', digest)).toEqual(userMessage('one'));
  expect(cache.recall('b', 'unknown')).toBeUndefined();
});

test('it is bounded in bytes: the longest unused goes first, and one too large is not kept', () => {
  const cache = createMessageCache(5_000);
  const [one, two, three] = ['1', '2', '3'].map((text) =>
    cache.remember('a', userMessage(text.repeat(2_000))),
  );
  expect([one, two, three].map((digest) => cache.recall('a', digest ?? '') !== undefined)).toEqual([
    false,
    true,
    true,
  ]);
  expect(cache.recall('a', cache.remember('a', userMessage('x'.repeat(6_000))))).toBeUndefined();
});
