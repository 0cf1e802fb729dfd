// Cuts a tool's text for the model: the beginning and the end stay, and the notice between them names the size
// and where the rest is. Runs in Node, once per result.
import { cutText, endOfText } from '../../core/base/cut-text.ts';

/** The text, at most `cap` UTF-16 units with the notice. `where` tells how to get the rest. */
export function capText(text: string, cap: number, where: string): string {
  if (text.length <= cap) return text;
  const longest = notice(text.length, text.length, where).length;
  const room = Math.max(0, cap - longest);
  // The end gets a quarter: errors stand there, while the beginning says what the output is.
  const head = toLineEnd(cutText(text, Math.ceil(room * 0.75), ''));
  const tail = fromLineStart(endOfText(text, Math.floor(room * 0.25)));
  const left = text.length - head.length - tail.length;
  return cutText(head + notice(left, text.length, where) + tail, cap, '');
}

function notice(left: number, total: number, where: string): string {
  return `\n[... ${left} of ${total} characters left out here. ${where}]\n`;
}

// Whole lines are easier to quote; a line longer than the room is cut all the same.
function toLineEnd(text: string): string {
  const end = text.lastIndexOf('\n');
  return end > text.length / 2 ? text.slice(0, end) : text;
}

function fromLineStart(text: string): string {
  const start = text.indexOf('\n');
  return start >= 0 && start < text.length / 2 ? text.slice(start + 1) : text;
}
