// What callers send, and what is said about it when it is wrong.
import { describe, expect, test } from 'vitest';
import { parsePrompt, parseQueued } from '../../../src/core/session/prompt.ts';
import { userMessage } from '@holdfast/vocabulary/messages';

const image = { type: 'image', artifactId: 'a', mediaType: 'image/png', sha256: 'f' };

describe('prompts', () => {
  test.each([
    ['a text', 'go', [userMessage('go')]],
    ['a message', { role: 'user', content: [{ type: 'text', text: 'go' }] }, [userMessage('go')]],
    ['a message with a text', { role: 'user', content: 'go' }, [userMessage('go')]],
    ['several', ['go', { role: 'user', content: 'on' }], [userMessage('go'), userMessage('on')]],
    [
      'an image alone',
      { role: 'user', content: [image] },
      [{ role: 'user', content: [image], origin: 'prompt' }],
    ],
  ])('[LOOP-18a] takes %s', (_, input, value) => {
    expect(parsePrompt(input)).toEqual({ ok: true, value });
  });

  test.each([
    ['', 'EmptyPrompt'],
    ['  \n', 'EmptyPrompt'],
    [[], 'EmptyPrompt'],
    [{ role: 'user', content: [] }, 'EmptyPrompt'],
    [undefined, 'InvalidMessage'],
    [42, 'InvalidMessage'],
    [{ role: 'assistant', content: 'go' }, 'InvalidMessage'],
    [{ role: 'user', content: [{ type: 'text' }] }, 'InvalidMessage'],
    [['go', null], 'InvalidMessage'],
  ])('[LOOP-19a] refuses %j as %s', (input, code) => {
    expect(parsePrompt(input)).toMatchObject({ ok: false, code });
  });

  test('[LOOP-19a] refuses more than 256 KiB, and says how much it was', () => {
    const refused = parsePrompt('x'.repeat(300_000));
    expect(refused).toMatchObject({ ok: false, code: 'TooLarge', reason: expect.stringContaining('3000') });
    expect(parseQueued({ id: 'x', message: 'x'.repeat(300_000) }, 'steer')).toMatchObject({
      code: 'TooLarge',
    });
  });

  test('[MSG-03d] an image inside a message is at most 128 KiB, in prompts and in queued messages', () => {
    const content = (bytes: number) => [{ ...image, data: 'A'.repeat(Math.ceil(bytes / 3) * 4) }];
    const small = { role: 'user', content: content(128 * 1024) };
    const large = { role: 'user', content: content(129 * 1024) };
    expect(parsePrompt(small)).toMatchObject({ ok: true });
    const refused = { ok: false, code: 'ImageTooLarge', reason: expect.stringContaining('128 KiB') };
    expect(parsePrompt(['look', large])).toMatchObject(refused);
    expect(parseQueued({ id: 'x', message: large }, 'steer')).toMatchObject(refused);
  });

  test('says which of several is wrong, and never repeats what was sent', () => {
    const refused = parsePrompt(['fine', { secret: 'hunter2' }]);
    expect(JSON.stringify(refused)).toMatch(/prompt 1 /);
    expect(JSON.stringify(refused)).not.toContain('hunter2');
  });
});

describe('queued messages', () => {
  test('[QUEUE-16a] takes {id, message, mode?}, and marks where it came from', () => {
    expect(parseQueued({ id: 'x', message: 'look' }, 'steer')).toEqual({
      ok: true,
      value: { id: 'x', message: { ...userMessage('look', 'steer'), messageId: 'x' }, mode: 'next_turn' },
    });
    expect(parseQueued({ id: 'x', message: 'look', mode: 'interrupt' }, 'steer')).toMatchObject({
      value: { mode: 'interrupt' },
    });
    // a sender cannot pass a message off as another's
    const forged = { role: 'user', content: 'look', origin: 'injected', messageId: 'y' };
    expect(parseQueued({ id: 'x', message: forged }, 'follow_up')).toMatchObject({
      value: { message: { origin: 'follow_up', messageId: 'x' } },
    });
  });

  test.each([
    undefined,
    null,
    'text',
    7,
    [],
    {},
    { id: 'x' },
    { message: 'no id' },
    { id: '', message: 'x' },
    { id: 1, message: 'x' },
    { id: 'i'.repeat(201), message: 'x' },
    { id: 'x', message: ' ' },
    { id: 'x', message: { role: 'user', content: [null] } },
  ])('[QUEUE-16a] refuses %j with a reason and without a throw', (payload) => {
    const parsed = parseQueued(payload, 'steer');
    expect(parsed).toMatchObject({ ok: false, reason: expect.stringMatching(/.{10}/) });
  });
});
