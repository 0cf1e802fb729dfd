// Cuts texts to a size, between characters, with a mark where something is missing. Pure.
import { jsonBytes, utf8Bytes } from './sizes.ts';

/** Room for the mark and the quotes of JSON. */
const markBytes = 6;

/** The beginning: at most `length` UTF-16 units, the mark among them. An empty mark leaves no trace. */
export function cutText(text: string, length: number, mark = '…'): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, Math.max(0, length - mark.length)).replace(/[\ud800-\udbff]$/, '');
  return `${kept}${mark}`.slice(0, length);
}

/** The beginning for people: at most `length` UTF-16 units with the mark, and no part of a word, unless one word is very long. */
export function cutWords(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = cutText(text, length, '');
  // one more for the mark, before which no blank stands
  const end = kept.slice(0, -1).search(/\s+\S*$/);
  return end < length / 2 ? cutText(text, length) : `${kept.slice(0, end)}…`;
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

/**
 * Keeps the beginning and the end of a text: at most `cap` UTF-16 units, the notice included. `where` says how to get
 * the rest. `total` is the length of the whole output, of which this text may be a part.
 */
export function capText(text: string, cap: number, where: string, total = text.length): string {
  if (text.length <= cap) return text;
  const longest = notice(total, total, where).length;
  const room = Math.max(0, cap - longest);
  // the end gets a quarter: errors are at the end, and the beginning shows the kind of output
  const head = toLineEnd(cutText(text, Math.ceil(room * 0.75), ''));
  const tail = fromLineStart(endOfText(text, Math.floor(room * 0.25)));
  const left = total - head.length - tail.length;
  return cutText(head + notice(left, total, where) + tail, cap, '');
}

const leftOut = 'characters left out here.';

function notice(left: number, total: number, where: string): string {
  return `\n[... ${left} of ${total} ${leftOut} ${where}]\n`;
}

/** True if `capText` has left out a part of this text, or of one in it. */
export function isCapped(text: string): boolean {
  return text.includes(` ${leftOut} `);
}

// Whole lines are easier to quote; a line longer than the room is still cut.
function toLineEnd(text: string): string {
  const end = text.lastIndexOf('\n');
  return end > text.length / 2 ? text.slice(0, end) : text;
}

function fromLineStart(text: string): string {
  const start = text.indexOf('\n');
  if (start >= 0 && start < text.length / 2) return text.slice(start + 1);
  return text;
}
