// The SDK's settings that put the codec between this process and the server. Runs in Node.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DataConverter, PayloadCodec } from '@temporalio/common';

/** `encrypted`: failures get their words encrypted too. Whoever only reads them needs no more than the codec. */
export function toDataConverter(codec: PayloadCodec, encrypted = false): DataConverter {
  if (!encrypted) return { payloadCodecs: [codec] };
  const file = new URL(`./failure-converter${extname(import.meta.url)}`, import.meta.url);
  return { payloadCodecs: [codec], failureConverterPath: fileURLToPath(file) };
}
