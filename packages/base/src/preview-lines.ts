// The first lines of what a tool shows of a call, the same in a terminal and in messages. Pure.
import { toVisible } from './visible.ts';

const mostLines = 12;

/** `more`: the number of lines that are left out; never one, because its notice would take the place of a single line. */
export function previewLines(preview: string): { lines: string[]; more: number } {
  const lines = preview.trim() === '' ? [] : toVisible(preview).trimEnd().split('\n');
  const room = lines.length === mostLines + 1 ? lines.length : mostLines;
  return { lines: lines.slice(0, room), more: Math.max(0, lines.length - room) };
}
