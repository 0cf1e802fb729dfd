// The SDK's settings that put the codec between this process and the server. Runs in Node.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DataConverter, PayloadCodec } from '@temporalio/common';

/** `encrypted`: the messages of failures are encrypted, too. A process that only reads them needs just the codec. */
export function toDataConverter(codec: PayloadCodec, encrypted = false): DataConverter {
  if (!encrypted) return { payloadCodecs: [codec] };
  const file = new URL(`./failure-converter${extname(import.meta.url)}`, import.meta.url);
  return { payloadCodecs: [codec], failureConverterPath: fileURLToPath(file) };
}
