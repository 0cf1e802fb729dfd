// The sections of a report's document in Markdown. Pure. Texts from outside are escaped (packages/base/src/plain-markdown.ts), so
// that they cannot pass for a heading or a mark.
import { plainLine, plainLines } from '@holdfast/base/plain-markdown';
import { present } from '@holdfast/base/present';
import { capital } from '@holdfast/base/words';
import type { Body, Item, LeftOut, NamedWords, Timed, Value, Words } from './document.ts';
import { markedLine } from './last-words.ts';
import { markOf } from './marks.ts';
import { type RenderQuote, span } from './quote-markdown.ts';
import type { CheckedClaim } from './report.ts';

export function bodyLines(body: Body, show: RenderQuote): string[] {
  switch (body.kind) {
    case 'rows':
      return body.items.map((row) => `- ${rowOf(row)}`);
    case 'cause': {
      const { component, kind, text } = body.cause;
      const name = body.isFault ? `**${plainLine(component)}** (${plainLine(kind)}): ` : '';
      return [`${name}${plainLine(text)}`];
    }
    case 'list':
      return body.items.map((item, index) => itemOf(item, body.isNumbered ? `${index + 1}.` : '-', show));
    case 'times':
      return timesLines(body, show);
    case 'parts':
      return body.items.map(([title, lines]) =>
        [`- ${title}:`, ...lines.map((line) => `  - ${lineOf(line)}`)].join('\n'),
      );
    case 'quotes':
      return body.items.map((quote) => `- ${plainLine(quote.quote)}\n${show(quote)}`);
    case 'claims':
      return body.items.map((claim, index) => renderClaim(claim, index, show));
    case 'answer':
      return body.isNews ? answerLines(body) : [];
  }
}

function answerLines({ words, marks }: Body & { kind: 'answer' }): string[] {
  const lines = marks.map((mark) => `- ${markedLine(mark)}`);
  return present([...lines, lines.length > 0 && '', plainLines(words)]);
}

function timesLines({ items, introduction, leftOut }: Body & { kind: 'times' }, show: RenderQuote): string[] {
  const lines = items.map((item) => itemOf(item, '-', show));
  const half = leftOut?.isBetween ? lines.length / 2 : lines.length;
  return present([
    introduction,
    introduction !== undefined && lines.length > 0 && '',
    ...lines.slice(0, half),
    leftOut && describeLeftOut(leftOut),
    ...lines.slice(half),
  ]);
}

function describeLeftOut({ what, isBetween }: LeftOut): string {
  return `- ${what} ${isBetween ? 'between these' : 'from the middle'} are left out: they are in the log.`;
}

function itemOf(item: Item | Timed, lead: string, show: RenderQuote): string {
  const { words, result, notes = [], rows = [], quotes = [], items = [] } = item;
  const came = result ? `: ${lineOf(result)}` : '';
  const indent = lead === '-' ? '  ' : '   ';
  return [
    `${lead} ${headOf(item)}${lineOf(words)}${came}`,
    ...notes.map((note) => `${indent}- ${lineOf(note)}`),
    ...rows.map((row) => `${indent}- ${rowOf(row)}`),
    ...quotes.map(show),
    ...items.map((each) => itemOf(each, '-', show).replaceAll(/^/gm, '  ')),
  ].join('\n');
}

/** Such as `03:55:10 UTC **Done**, approved by maria, 03:55:48 UTC: `; empty for an item without a time. */
function headOf({ at, outcome, by }: Partial<Timed>): string {
  if (at === undefined) return '';
  const why = outcome?.why === undefined ? '' : ` (${outcome.why})`;
  const mark = outcome ? ` **${plainLine(capital(`${outcome.mark}${why}`))}**` : '';
  return `${present([valueOf(at) + mark, by && lineOf(by)]).join(', ')}: `;
}

function renderClaim(claim: CheckedClaim, index: number, show: RenderQuote): string {
  const { role, confidence, reason } = claim;
  const words = [role, confidence && `${confidence} confidence`].filter(Boolean).join(', ');
  const why = reason === undefined ? '' : ` (${plainLine(reason)})`;
  return [
    `${index + 1}. **${markOf(claim)}.**${why} ${plainLine(claim.text)}${words === '' ? '' : ` (${words})`}`,
    ...claim.quotes.map(show),
  ].join('\n');
}

function rowOf([name, value]: NamedWords): string {
  return `${name}: ${lineOf(value)}`;
}

export function lineOf({ parts, values }: Words): string {
  return parts.map((part, index) => part + valueOf(values[index] ?? '')).join('');
}

function valueOf(value: Value): string {
  if (typeof value === 'string') return plainLine(value);
  if ('code' in value) return span(value.code);
  if ('state' in value) return value.state + (value.end ?? '');
  if ('span' in value) return value.span;
  if ('shown' in value) return plainLine(value.shown);
  if ('parts' in value) return lineOf(value);
  const { mark, end = '' } = value;
  return end === '.' ? `**${plainLine(mark)}.**` : `**${plainLine(mark)}**${end}`;
}
