// Payloads encrypted and decrypted: what binds them, and what is said of those that cannot be read.
import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { parseEncryptionKey } from '../../src/codec/encryption-key.ts';
import {
  CodecError,
  createPayloadCodec,
  type EncryptionKeys,
  withoutRefusals,
} from '../../src/codec/payload-codec.ts';

const k1 = randomBytes(32);
const k2 = randomBytes(32);
const under = (activeKey: string, keys: Record<string, Uint8Array>): EncryptionKeys => ({
  activeKey,
  keys: new Map(Object.entries(keys)),
});
const workflow = (workflowId: string, namespace = 'default') => ({
  type: 'workflow' as const,
  workflowId,
  namespace,
});
const activity = (workflowId: string) => ({
  type: 'activity' as const,
  workflowId,
  activityId: '1',
  isLocal: false,
  namespace: 'default',
});
const payload = defaultPayloadConverter.toPayload({ text: 'plain zebrafish' });
const codec = createPayloadCodec('default', under('k1', { k1 }));
const next = createPayloadCodec('default', under('k2', { k1, k2 }));

function first(payloads: Payload[]): Payload {
  const [one] = payloads;
  if (!one) throw new Error('no payload');
  return one;
}
const encode = async (context?: ReturnType<typeof workflow>) => first(await codec.encode([payload], context));
const valueOf = (decoded: Payload[]): unknown => defaultPayloadConverter.fromPayload(first(decoded));

test('an encrypted payload holds nothing of its value or of its encoding, and differs each time', async () => {
  const [one, two] = await codec.encode([payload, payload]);
  const text = JSON.stringify([one, Buffer.from(one?.data ?? []).toString('latin1')]);
  expect(text).not.toMatch(/zebrafish|json/);
  expect(one?.data).not.toEqual(two?.data);
  expect(Buffer.from(one?.metadata?.['encoding'] ?? []).toString()).toBe('binary/encrypted');
  expect(Buffer.from(one?.metadata?.['encryption-key-id'] ?? []).toString()).toBe('k1');
  expect(valueOf(await codec.decode([first([one ?? {}])]))).toEqual({ text: 'plain zebrafish' });
});

test('every kind of payload comes back as it was, empty and undefined ones too', async () => {
  for (const value of [undefined, null, '', 0, new Uint8Array([0, 255]), { deep: [1, { a: '界' }] }]) {
    const plain = defaultPayloadConverter.toPayload(value);
    const [decoded] = await codec.decode(await codec.encode([plain]));
    expect(defaultPayloadConverter.fromPayload(decoded ?? {})).toEqual(value);
  }
  expect(await codec.encode([])).toEqual([]);
});

test('[FAULT-87] the next key encrypts, and the old one is still read', async () => {
  const old = await encode();
  expect(valueOf(await next.decode([old]))).toEqual({ text: 'plain zebrafish' });
  const [fresh] = await next.encode([payload]);
  await expect(codec.decode([fresh ?? {}])).rejects.toThrow(
    /encrypted with the key "k2", and this process has the keys k1\. Add the key to "encryption\.keys"/,
  );
});

test('payloads in clear are read, from before the keys and from callers without them', async () => {
  expect(await codec.decode([payload])).toEqual([payload]);
});

test('[FAULT-87] a process without keys refuses an encrypted payload, and sends in clear', async () => {
  const none = createPayloadCodec('default');
  await expect(none.decode([await encode()])).rejects.toThrow(/this process has no encryption keys/);
  expect(await none.encode([payload])).toEqual([payload]);
});

describe('[FAULT-87] a payload is refused', () => {
  test('when one bit of it was changed, wherever', async () => {
    const encrypted = await encode(workflow('w'));
    const data = encrypted.data ?? new Uint8Array();
    for (const at of [0, 11, 12, 20, data.length - 17, data.length - 16, data.length - 1]) {
      const changed = Uint8Array.from(data);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(codec.decode([{ ...encrypted, data: changed }]), `byte ${at}`).rejects.toThrow(CodecError);
    }
  });

  test.each([0, 5, 12, 27, 28])('when only %i bytes are left of it', async (length) => {
    const encrypted = await encode();
    const data = (encrypted.data ?? new Uint8Array()).subarray(0, length);
    await expect(codec.decode([{ ...encrypted, data }])).rejects.toThrow(
      /cannot be decrypted: it was changed/,
    );
  });

  test('when another key has its id', async () => {
    const other = createPayloadCodec('default', under('k1', { k1: k2 }));
    await expect(other.decode([await encode()])).rejects.toThrow(/the key of this id is not the one/);
  });

  test('in another namespace, another workflow, or under another id of the same key', async () => {
    const encrypted = await encode(workflow('w'));
    await expect(createPayloadCodec('prod', under('k1', { k1 })).decode([encrypted])).rejects.toThrow(
      CodecError,
    );
    await expect(codec.decode([encrypted], workflow('w', 'prod'))).rejects.toThrow(CodecError);
    await expect(codec.decode([encrypted], workflow('other'))).rejects.toThrow(CodecError);
    const renamed = createPayloadCodec('default', under('kx', { kx: k1 }));
    const metadata = { ...encrypted.metadata, 'encryption-key-id': Buffer.from('kx') };
    await expect(renamed.decode([{ ...encrypted, metadata }])).rejects.toThrow(CodecError);
    const { 'encryption-scope': _, ...unbound } = encrypted.metadata ?? {};
    await expect(codec.decode([{ ...encrypted, metadata: unbound }])).rejects.toThrow(CodecError);
  });
});

test('a payload of a workflow is read by its activities, where the workflow is not known, and after a schedule', async () => {
  const encrypted = await encode(workflow('w'));
  for (const context of [workflow('w'), activity('w'), undefined, workflow('w-2026-11-22T13:00:00Z')]) {
    expect(valueOf(await codec.decode([encrypted], context))).toEqual({ text: 'plain zebrafish' });
  }
});

test('for listings a payload that cannot be read becomes a word', async () => {
  const lenient = withoutRefusals(createPayloadCodec('default', under('k2', { k2 })));
  const decoded = await lenient.decode([payload, await encode()]);
  expect(decoded.map((one) => defaultPayloadConverter.fromPayload(one))).toEqual([
    { text: 'plain zebrafish' },
    '(encrypted)',
  ]);
});

test('an active key that is none of the keys is refused at once', () => {
  expect(() => createPayloadCodec('default', under('k9', { k1 }))).toThrow(
    /The active key "k9" is none of k1/,
  );
});

describe('a key', () => {
  const bytes = Buffer.from(k1);
  test.each([
    ['hex', bytes.toString('hex')],
    ['hex in capitals', bytes.toString('hex').toUpperCase()],
    ['base64', bytes.toString('base64')],
    ['base64url', bytes.toString('base64url')],
    ['base64 with a line end', `${bytes.toString('base64')}\n`],
  ])('is read as %s', (_name, text) => {
    expect(Buffer.from(parseEncryptionKey(text))).toEqual(bytes);
  });

  test.each([
    ['too short', Buffer.alloc(16, 7).toString('base64'), 'is 16 bytes'],
    ['too long', Buffer.alloc(33, 7).toString('hex'), 'is 33 bytes'],
    ['no key', 'my password, with blanks', 'is neither hex nor base64'],
    ['empty', '', 'is neither hex nor base64'],
  ])('that is %s is refused by its length, and not shown', (_name, text, reason) => {
    const refuse = () => parseEncryptionKey(text);
    expect(refuse).toThrow(`${reason}: expected 32 bytes as 64 hex digits or as base64`);
    if (text !== '') expect(refuse).not.toThrow(text);
  });
});
