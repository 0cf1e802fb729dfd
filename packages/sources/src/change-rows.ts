// The rows of a tool that tells changes (`rowsAre: changes`): each is checked and becomes one line that begins with its
// time. Pure.
import { toSecond } from '@holdfast/base/words';
import { z } from 'zod';
import { cutText } from '@holdfast/base/cut-text';
import { present } from '@holdfast/base/present';
import { toOneLine } from '@holdfast/redaction/sanitise';
import { fitting } from './misfits.ts';
import { type SourceAnswer, withGaps } from './source-answer.ts';

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

const maxLine = 2_000;

/** With a line for each row, in their order; rows of another form are a gap. Redacted before it is cut. */
export function toChangeLines(read: SourceAnswer, redact: (text: string) => string): SourceAnswer {
  if (read.is !== 'rows' && read.is !== 'partial') return read;
  const found = fitting(read.rows, z.array(changeSchema));
  if ('why' in found) return { is: 'unknown', why: found.why };
  const rows = found.fit.map((change) => cutText(redact(toLine(change)), maxLine));
  return withGaps({ ...read, rows, came: read.came ?? read.rows.length }, found.gaps);
}

function toLine({ at, what, who, where, id, link }: z.output<typeof changeSchema>): string {
  const parts = present([
    isGiven(who) ? `${who}: ${what}` : what,
    isGiven(where) && `(${where})`,
    isGiven(id) && `${id}`,
    isGiven(link) && `<${link}>`,
  ]);
  return `${toSecond(Date.parse(at))} ${toOneLine(parts.join(' '), Infinity)}`;
}

function isGiven(part: string | number | null | undefined): part is string | number {
  return part !== undefined && part !== null && part !== '';
}
