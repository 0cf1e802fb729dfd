// Makes any output valid, harmless text: no NUL, no terminal escapes, no broken UTF-8 or UTF-16, no binary data. Runs in
// Node before redaction, so that a secret cannot hide between escapes.
import { oneLine } from '@holdfast/base/one-line';
import { cutText } from '@holdfast/base/cut-text';
import { toReadable } from '@holdfast/base/visible';

/** Bytes to text: binary data becomes a one-line notice, broken UTF-8 becomes U+FFFD. */
export function decodeText(bytes: Uint8Array, encoding = 'utf-8'): string {
  if (looksBinary(bytes)) return binaryNotice(bytes.byteLength);
  return sanitiseText(decodeWith(encoding, bytes));
}

/** True if the first 8 KiB contain a NUL. */
export function looksBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8_192).includes(0);
}

export function binaryNotice(sizeBytes: number): string {
  return `[binary data, ${sizeBytes} bytes: not shown]`;
}

/** Valid text without control characters other than tab, newline and carriage return. */
export function sanitiseText(text: string): string {
  const { kept, isBinary } = stripControls(text);
  return isBinary ? binaryNotice(Buffer.byteLength(text)) : kept;
}

/** Like `sanitiseText`, for a part of a text: reports binary data, and leaves the notice to the caller. */
export function stripControls(text: string): { kept: string; isBinary: boolean } {
  const plain = text.toWellFormed().replace(terminalEscapes, '');
  const kept = plain.replace(controlCharacters, '');
  // more than a tenth of control or broken characters is a program or a picture, not coloured text
  const broken = plain.length - kept.length + countBroken(kept);
  return { kept, isBinary: broken > 8 && broken * 10 > plain.length };
}

/** The output on one line: without control characters, with marks of text direction as escapes, cut between characters. */
export function toOneLine(text: string, length: number): string {
  return cutText(oneLine(toReadable(sanitiseText(text))), length);
}

function countBroken(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) count++;
  return count;
}

// CSI (colours, cursor), then OSC, DCS, PM, APC and SOS up to their terminator, then two-character escapes. Every piece
// has a bounded or exclusive character class, so it is linear on any input.
const terminalEscapes =
  // oxlint-disable-next-line no-control-regex -- control characters are what this removes
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]|(?:\u001b[\]P^_X]|[\u009d\u0090\u009e\u009f\u0098])[^\u0007\u001b\u009c\n]{0,4096}(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]{0,8}[0-~]/g;

// oxlint-disable-next-line no-control-regex -- as above
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

function decodeWith(encoding: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return new TextDecoder('utf-8').decode(bytes); // an unknown label
  }
}
