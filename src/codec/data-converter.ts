// The SDK's settings that put the codec between this process and the server. Runs in Node.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import { createPayloadCodec, type EncryptionKeys } from './payload-codec.ts';

/** `encrypted`: the messages of failures are encrypted, too. A process that only reads them needs just the codec. */
export function toDataConverter(codec: PayloadCodec, encrypted = false): DataConverter {
  if (!encrypted) return { payloadCodecs: [codec] };
  const file = new URL(`./failure-converter${extname(import.meta.url)}`, import.meta.url);
  return { payloadCodecs: [codec], failureConverterPath: fileURLToPath(file) };
}

/** The converter of a process that has the keys of the namespace, if it is encrypted. */
export function dataConverterOf(namespace: string, keys: EncryptionKeys | undefined): DataConverter {
  return toDataConverter(createPayloadCodec(namespace, keys), keys !== undefined);
}
