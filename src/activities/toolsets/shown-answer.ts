// The answer of a source as its call returns it: rows, transforms and the line limit for the model, the whole for the
// store, a link for people. Runs in Node.
import { defined } from '../../core/base/defined.ts';
import { messageOf } from '../../core/base/message-of.ts';
import type { Json } from '../../core/base/json.ts';
import type { ToolReturn } from '../tools/define-tool.ts';
import { nothingFound } from './answer.ts';
import { linkOf } from './link.ts';
import { readRows, rowsText } from './rows.ts';
import { type EarlierAnswer, seriesAnswer, type ShownSeries } from './series-answer.ts';
import { toValues, type ToolsetPlace } from './toolset-place.ts';
import type { Values } from './template.ts';
import type { ToolsetTool } from './toolset.schema.ts';
import { applyTransforms } from './transforms.ts';

/**
 * `raw`: the output as it came. `input`: the arguments, with times in the tool's form. `earlier`: what came for the
 * window before, of a tool that compares two.
 */
export async function shownAnswer(
  raw: string,
  declared: ToolsetTool,
  input: Values,
  place: ToolsetPlace,
  details: { [name: string]: Json },
  earlier?: EarlierAnswer,
): Promise<ToolReturn> {
  const link = declared.link && linkOf(declared.link, toValues(input, place.settings));
  const shaped = await shapedText(raw, declared, input);
  const before = earlier && { ...earlier, text: await shapedText(earlier.text, declared, input) };
  const series = declared.transform?.at(-1) === 'series' ? seriesAnswer(shaped, before) : undefined;
  const made = series?.text ?? shaped;
  if (isNothing(made, declared)) {
    const nothing = nothingFound(askedTimes(declared, input));
    return { ...nothing, full: raw, details: { ...details, answer: 'nothing', ...defined({ link }) } };
  }
  return {
    text: withinLines(made, declared, input),
    full: storedText(made, raw, declared, series),
    details: { ...details, ...defined({ link, series: series?.count }) },
  };
}

/** Quotes of what the model reads are looked up in it, with the same line numbers. */
function storedText(made: string, raw: string, { rows }: ToolsetTool, series?: ShownSeries): string {
  const head = series ? `${made}\n\n${series.stored}` : made;
  // a transform keeps every number of its series
  if (series && series.count > 0 && rows === undefined) return head;
  return head === raw ? raw : `${head}\n\n[As it came:]\n${raw}`;
}

async function shapedText(
  raw: string,
  { rows, reads, transform }: Pick<ToolsetTool, 'rows' | 'reads' | 'transform'>,
  input: Values,
): Promise<string> {
  if (rows === undefined) return applyTransforms(raw, transform);
  try {
    const found = await readRows(raw, { rows, ...defined({ reads }) }, input);
    return found.length === 0 ? '' : applyTransforms(rowsText(found), transform);
  } catch (error) {
    return `[Shown as it came: its rows could not be read (${messageOf(error)}).]\n${raw}`;
  }
}

function isNothing(made: string, { effect, nothing }: ToolsetTool): boolean {
  if (effect !== 'read') return false;
  return made.trim() === '' || (nothing !== undefined && new RegExp(nothing, 'u').test(made));
}

/** Absence is absence in a time. */
function askedTimes({ parameters = {} }: ToolsetTool, input: Values): string {
  return Object.entries(parameters)
    .flatMap(([name, { type }]) =>
      type === 'time' && typeof input[name] === 'string' ? [`${name} ${input[name]}`] : [],
    )
    .join(', ');
}

function withinLines(made: string, { lines }: Pick<ToolsetTool, 'lines'>, input: Values): string {
  const limit = typeof lines === 'string' ? input[lines] : lines;
  if (typeof limit !== 'number') return made;
  const all = made.split('\n');
  if (all.length <= limit + 1) return made;
  return `${all.slice(0, limit).join('\n')}\n[${all.length - limit} more lines: ask for more, or read the artifact]`;
}
