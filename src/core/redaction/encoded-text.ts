// Tells the lines of an encoded text from those of a key: what a key encodes is no text. Pure.

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const enough = 60;

/** True if its first characters are base64 of printable ASCII, which of a key's they are not. */
export function isEncodedText(value: string): boolean {
  const sextets = Array.from(value.trim().slice(0, enough), (sign) => alphabet.indexOf(sign));
  if (sextets.length < enough || sextets.includes(-1)) return false;
  const bits = sextets.map((each) => each.toString(2).padStart(6, '0')).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return bytes.every((byte) => /[\n\r\t -~]/.test(String.fromCharCode(Number.parseInt(byte, 2))));
}
