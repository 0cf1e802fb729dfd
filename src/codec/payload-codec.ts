// Encrypts every payload before it leaves this process, and decrypts received ones: AES-256-GCM, shared by client,
// worker and command line. Runs in Node; keys never leave it.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec, DataConverter } from '@temporalio/common';
import proto from '@temporalio/proto';
import { defined } from '@holdfast/base/defined';
import { cannotDecrypt } from '@holdfast/base/failures';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

export type EncryptionKeys = {
  /** Id of the key that encrypts new payloads. */
  activeKey: string;
  /** Keys by id, 32 bytes each. All of them decrypt. */
  keys: ReadonlyMap<string, Uint8Array>;
};

/** The workflow of a payload, if the SDK names it. */
type Context = Parameters<PayloadCodec['decode']>[1];

/** A payload that this process cannot read. Fails the workflow task or activity, which Temporal retries. */
export class CodecError extends Error {
  override readonly name = cannotDecrypt;
}

const cipherName = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const encryptedEncoding = 'binary/encrypted';
/** Fields of a payload's metadata, which stays clear. */
const field = { encoding: 'encoding', key: 'encryption-key-id', scope: 'encryption-scope' } as const;
/** Length of a scope, enough that no two workflows share one. */
const scopeBytes = 16;

const { Payload: wire } = proto.temporal.api.common.v1;

/**
 * With keys everything is encrypted; payloads in clear from earlier, or from callers without keys, are still read.
 * Without keys nothing is encrypted, and an encrypted payload is refused instead of being taken for a broken one.
 */
export function createPayloadCodec(namespace: string, encryption?: EncryptionKeys): PayloadCodec {
  const { activeKey = '', keys = new Map<string, Uint8Array>() } = encryption ?? {};
  const key = keys.get(activeKey);
  if (encryption && !key)
    throw new Error(`The active key "${activeKey}" is none of ${[...keys.keys()].join(', ')}.`);
  return {
    encode: async (payloads, context) =>
      key
        ? payloads.map((payload) => encrypt(payload, { id: activeKey, key }, namespace, context))
        : payloads,
    decode: async (payloads, context) =>
      payloads.map((payload) =>
        isEncrypted(payload) ? decrypt(payload, keys, namespace, context) : payload,
      ),
  };
}

/** For listings: an unreadable payload becomes a text that says so. */
export function withoutRefusals(codec: PayloadCodec): PayloadCodec {
  return {
    encode: (payloads, context) => codec.encode(payloads, context),
    decode: (payloads, context) => Promise.all(payloads.map((payload) => readable(codec, payload, context))),
  };
}

async function readable(codec: PayloadCodec, payload: Payload, context: Context): Promise<Payload> {
  try {
    const [decoded = payload] = await codec.decode([payload], context);
    return decoded;
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    return { metadata: { encoding: bytesOf('json/plain') }, data: bytesOf(JSON.stringify('(encrypted)')) };
  }
}

function encrypt(
  payload: Payload,
  { id, key }: { id: string; key: Uint8Array },
  namespace: string,
  context: Context,
): Payload {
  const scope = scopeOf(context?.workflowId);
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(cipherName, key, iv, { authTagLength: tagBytes });
  cipher.setAAD(associatedData(context?.namespace ?? namespace, id, scope));
  const body = Buffer.concat([cipher.update(wire.encode(payload).finish()), cipher.final()]);
  return {
    metadata: defined({
      [field.encoding]: bytesOf(encryptedEncoding),
      [field.key]: bytesOf(id),
      [field.scope]: scope === '' ? undefined : bytesOf(scope),
    }),
    data: Buffer.concat([iv, body, cipher.getAuthTag()]),
  };
}

function decrypt(
  payload: Payload,
  keys: ReadonlyMap<string, Uint8Array>,
  namespace: string,
  context: Context,
): Payload {
  const id = metadataText(payload, field.key);
  const key = keys.get(id);
  if (!key) throw new CodecError(describeMissing(id, [...keys.keys()]));
  const scope = metadataText(payload, field.scope);
  const data = payload.data ?? new Uint8Array();
  try {
    if (!isOf(scope, context?.workflowId)) throw new Error('of another workflow');
    const end = data.length - tagBytes;
    const decipher = createDecipheriv(cipherName, key, data.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(associatedData(context?.namespace ?? namespace, id, scope));
    decipher.setAuthTag(data.subarray(Math.max(0, end)));
    return wire.decode(Buffer.concat([decipher.update(data.subarray(ivBytes, end)), decipher.final()]));
  } catch (error) {
    const message =
      `A payload of key "${id}" cannot be decrypted: it was changed, it is of another workflow or namespace, ` +
      'or the key of this id is not the one that encrypted it. Give this process the keys of the one that wrote it.';
    throw new CodecError(message, { cause: error });
  }
}

function describeMissing(id: string, known: string[]): string {
  const own = known.length === 0 ? 'no encryption keys' : `the keys ${known.join(', ')}`;
  return (
    `A payload is encrypted with the key "${id}", and this process has ${own}. ` +
    'Add the key to "encryption.keys" of its config; the work continues by itself then.'
  );
}

/**
 * Binds a payload to its workflow. A digest travels with the payload, because the id itself could exceed the server's
 * size limit, and the codec server of the UI does not get it.
 */
function scopeOf(workflowId: string | undefined): string {
  if (workflowId === undefined) return '';
  return createHash('sha256')
    .update(workflowId)
    .digest('hex')
    .slice(0, 2 * scopeBytes);
}

/** The time that a schedule appends to the workflow id under which its input was encrypted. */
const scheduledAt = /-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** Without a scope, or for an unknown workflow, only the namespace binds the payload. */
function isOf(scope: string, workflowId: string | undefined): boolean {
  if (scope === '' || workflowId === undefined) return true;
  return scope === scopeOf(workflowId) || scope === scopeOf(workflowId.replace(scheduledAt, ''));
}

function associatedData(namespace: string, id: string, scope: string): Uint8Array {
  return bytesOf(JSON.stringify(['holdfast', 1, namespace, id, scope]));
}

function isEncrypted(payload: Payload): boolean {
  return metadataText(payload, field.encoding) === encryptedEncoding;
}

function metadataText({ metadata }: Payload, name: string): string {
  const value = metadata?.[name];
  return value ? Buffer.from(value).toString('utf8') : '';
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

/**
 * The SDK's settings that put the codec between this process and the server. `encrypted`: the messages of failures are
 * encrypted, too. A process that only reads them needs just the codec.
 */
export function toDataConverter(codec: PayloadCodec, encrypted = false): DataConverter {
  if (!encrypted) return { payloadCodecs: [codec] };
  const file = new URL(`./failure-converter${extname(import.meta.url)}`, import.meta.url);
  return { payloadCodecs: [codec], failureConverterPath: fileURLToPath(file) };
}

/** The converter of a process that has the keys of the namespace, if it is encrypted. */
export function dataConverterOf(namespace: string, keys: EncryptionKeys | undefined): DataConverter {
  return toDataConverter(createPayloadCodec(namespace, keys), keys !== undefined);
}
