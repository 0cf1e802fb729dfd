// Keys of the payload codec, for tests.
import { randomBytes } from 'node:crypto';
import type { EncryptionKeys } from '../../src/client.ts';

export function makeKeys(...ids: string[]): EncryptionKeys {
  return { activeKey: ids.at(-1) ?? '', keys: new Map(ids.map((id) => [id, randomBytes(32)])) };
}
