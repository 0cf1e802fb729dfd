// Every text that is cut to a size: between characters, and with a mark where something is missing. Pure.
import { jsonBytes, utf8Bytes } from './sizes.ts';

/** Room for the mark and the quotes of JSON. */
const markBytes = 6;

/** The beginning: at most `length` UTF-16 units, the mark among them. An empty mark leaves no trace. */
export function cutText(text: string, length: number, mark = '…'): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, Math.max(0, length - mark.length)).replace(/[\ud800-\udbff]$/, '');
  return `${kept}${mark}`.slice(0, length);
}

/** The end: at most `length` UTF-16 units, without a mark. */
export function endOfText(text: string, length: number): string {
  return length <= 0 ? '' : text.slice(-length).replace(text.length > length ? /^[\udc00-\udfff]/ : '', '');
}

/** The beginning: at most `limit` UTF-8 bytes. */
export function cutToBytes(text: string, limit: number): string {
  return beginningOf(text, limit, utf8Bytes);
}

/** The beginning: at most `limit` bytes as JSON, where a quote or a control character counts for more. */
export function cutToJsonBytes(text: string, limit: number): string {
  return beginningOf(text, limit, jsonBytes);
}

/** The end: at most `limit` bytes as JSON. */
export function newestOf(text: string, limit: number): string {
  if (jsonBytes(text) <= limit) return text;
  let length = Math.min(text.length, limit - markBytes);
  while (length > 0 && jsonBytes(text.slice(-length)) > limit - markBytes) length = Math.floor(length * 0.9);
  return `…${endOfText(text, length)}`;
}

function beginningOf(text: string, limit: number, measure: (text: string) => number): string {
  if (measure(text) <= limit) return text;
  let end = Math.min(text.length, limit - markBytes);
  while (end > 0 && measure(text.slice(0, end)) > limit - markBytes) end = Math.floor(end * 0.9);
  return `${cutText(text, end, '')}…`;
}
