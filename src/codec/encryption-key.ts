// Keys of the payload codec: 32 bytes, written as hex or base64. Pure but for node's Buffer.

const keyBytes = 32;

/** The bytes of a key. Throws an Error with the length found, and never with the key. */
export function parseEncryptionKey(text: string): Uint8Array {
  const written = text.trim();
  const bytes = decode(written);
  if (bytes?.length === keyBytes) return bytes;
  const found = bytes === undefined ? 'neither hex nor base64' : `${bytes.length} bytes`;
  throw new Error(
    `is ${found}: expected ${keyBytes} bytes as 64 hex digits or as base64; "openssl rand -base64 ${keyBytes}" makes one`,
  );
}

function decode(text: string): Uint8Array | undefined {
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}
