// The one digest of bytes and texts. Runs in Node.
import { createHash } from 'node:crypto';

/** SHA-256 (hex) of bytes or UTF-8 text. */
export function sha256Hex(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
