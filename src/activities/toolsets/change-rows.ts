// The rows of a tool that tells changes (`rowsAre: changes`): each is checked and becomes one line that begins with its
// time. Pure.
import { z } from 'zod';
import { cutText } from '../../core/base/cut-text.ts';
import type { Json } from '../../core/base/json.ts';
import { describeIssues } from '../../core/base/schema-issues.ts';
import { counted } from '../../core/base/words.ts';
import { toOneLine } from '../redaction/sanitise.ts';

const text = z.union([z.string(), z.number()]).nullish();

const changeSchema = z.strictObject({
  /** RFC 3339, with a zone. */
  at: z.iso.datetime({ offset: true }),
  what: z.string().min(1),
  who: text,
  where: text,
  id: text,
  link: text,
});

/** A row that is no change: the reason why the list is not whole. */
const noteSchema = z.strictObject({ note: z.string().min(1) });

const maxLine = 2_000;

/** A line for each row, in their order. Notes, and one for rows of another form, are in brackets. Redacted before it is cut. */
export function changeLines(rows: readonly Json[], redact: (text: string) => string): string {
  const faults: string[] = [];
  const lines = rows.flatMap((row) => {
    const note = noteSchema.safeParse(row);
    if (note.success) return [`[${toOneLine(note.data.note, Infinity)}]`];
    const change = changeSchema.safeParse(row);
    if (change.success) return [toLine(change.data)];
    faults.push(describeIssues(change.error, 'row').join('; '));
    return [];
  });
  if (faults.length > 0)
    lines.push(`[${counted(faults.length, 'row')} could not be read: ${toOneLine(faults[0] ?? '', 200)}]`);
  return redact(lines.join('\n'))
    .split('\n')
    .map((line) => cutText(line, maxLine))
    .join('\n');
}

function toLine({ at, what, who, where, id, link }: z.output<typeof changeSchema>): string {
  const parts = [
    isGiven(who) ? `${who}: ${what}` : what,
    ...(isGiven(where) ? [`(${where})`] : []),
    ...(isGiven(id) ? [`${id}`] : []),
    ...(isGiven(link) ? [`<${link}>`] : []),
  ];
  return `${timeText(Date.parse(at))} ${toOneLine(parts.join(' '), Infinity)}`;
}

function isGiven(part: string | number | null | undefined): part is string | number {
  return part !== undefined && part !== null && part !== '';
}

/** In UTC and whole seconds, so that texts sort as times do. */
export function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
