// The answer of a source as its call returns it: rows, transforms and the line limit for the model, the whole for the
// store, a link for people. Runs in Node.
import { defined } from '../../core/base/defined.ts';
import { messageOf } from '../../core/base/message-of.ts';
import type { Json } from '../../core/base/json.ts';
import { timeWords } from '../../core/base/series.ts';
import { logPatterns } from '../logs/log-patterns.ts';
import type { ToolContext, ToolReturn } from '../tools/define-tool.ts';
import { type NoData, nothingFound } from './answer.ts';
import { cleanAnswer } from './clean-answer.ts';
import { changeLines } from './change-rows.ts';
import { readRows, rowsText } from './rows.ts';
import { type EarlierAnswer, seriesAnswer, type ShownSeries } from './series-answer.ts';
import { type ToolsetPlace, toValues } from './toolset-place.ts';
import { type Values, fillJson } from './template.ts';
import type { ToolsetTool, ToolsetLink } from './toolset.schema.ts';
import { applyTransforms } from './transforms.ts';
import { webAddress } from '../../core/base/web-address.ts';
import { fillAddress } from './address.ts';

/** A call that was answered. */
export type AnsweredCall = {
  declared: ToolsetTool;
  /** The arguments, with times in the tool's form. */
  input: Values;
  place: ToolsetPlace;
  redact: ToolContext['redact'];
};

/** `came`: the output as it came. `earlier`: the answer for the earlier window of a comparison. */
export async function shownAnswer(
  came: string,
  call: AnsweredCall,
  details: { [name: string]: Json },
  earlier?: EarlierAnswer,
): Promise<ToolReturn> {
  const { declared, input, place, redact } = call;
  const clean = (text: string): string => (place.clean ? cleanAnswer(text, place.clean) : text);
  const raw = clean(came);
  const link = declared.link && linkOf(declared.link, input, place.settings);
  const last = declared.transform?.at(-1);
  const shaped = await shapedText(raw, call);
  const before = earlier && { ...earlier, text: await shapedText(clean(earlier.text), call) };
  const series = last === 'series' ? seriesAnswer(shaped, before) : undefined;
  const made = series?.text ?? shaped;
  if (declared.effect === 'read' && saysNothing(made, declared)) {
    const text = nothingFound(askedTimes(declared, input));
    return {
      text,
      full: raw,
      details: { ...details, answer: 'nothing' satisfies NoData, ...defined({ link }) },
    };
  }
  // without secrets: a single line of a key would not be recognised as a part of one
  const whole = last === 'log-patterns' ? redact(made) : made;
  const patterns = last === 'log-patterns' ? await logPatterns(whole) : undefined;
  return {
    ...(patterns === undefined
      ? withinLines(whole, declared, input)
      : { text: patterns, isSelection: true as const }),
    full: made === raw ? whole : storedText(whole, raw, declared, series),
    details: { ...details, ...defined({ link, series: series?.count }) },
  };
}

/** Quotes of what the model reads are looked up in it, with the same line numbers. */
function storedText(made: string, raw: string, { rows }: ToolsetTool, series?: ShownSeries): string {
  const head = series ? `${made}\n\n${series.stored}` : made;
  // a transform keeps every number of its series
  if (series && series.count > 0 && rows === undefined) return head;
  return `${head}\n\n[As it came:]\n${raw}`;
}

async function shapedText(raw: string, { declared, input, redact }: AnsweredCall): Promise<string> {
  const { rows, rowsAre, reads, transform } = declared;
  if (raw.trim() === '') return '';
  if (rows === undefined) return applyTransforms(raw, transform);
  try {
    const found = await readRows(raw, { rows, ...defined({ reads }) }, input);
    if (rowsAre === 'changes') return changeLines(found, redact);
    return found.length === 0 ? '' : applyTransforms(rowsText(found), transform);
  } catch (error) {
    if (rowsAre === 'changes') return `[Its answer could not be read: ${messageOf(error)}]`;
    return `[Shown as it came: its rows could not be read (${messageOf(error)}).]\n${raw}`;
  }
}

/** A blank text always does. */
export function saysNothing(made: string, { nothing }: ToolsetTool): boolean {
  return made.trim() === '' || (nothing !== undefined && new RegExp(nothing, 'u').test(made));
}

/** Absence is absence in a time. */
function askedTimes({ parameters = {} }: ToolsetTool, input: Values): string {
  return Object.entries(parameters)
    .flatMap(([name, { type }]) => {
      const value = input[name];
      return type === 'time' && typeof value === 'string' ? [`${name} ${readable(value)}`] : [];
    })
    .join(', ');
}

/** From any form of a time: 13 digits are milliseconds. */
function readable(time: string): string {
  if (!/^\d{10,19}$/.test(time)) return time;
  return timeWords(Number(time.padEnd(13, '0').slice(0, 13)));
}

function withinLines(
  made: string,
  { lines }: Pick<ToolsetTool, 'lines'>,
  input: Values,
): Pick<ToolReturn, 'text' | 'isSelection'> {
  const limit = typeof lines === 'string' ? input[lines] : lines;
  if (typeof limit !== 'number') return { text: made };
  const all = made.replace(/\n$/, '').split('\n');
  if (all.length <= limit + 1) return { text: made };
  const notice = `[${all.length - limit} more lines: ask for more, or read the artifact]`;
  return { text: `${all.slice(0, limit).join('\n')}\n${notice}`, isSelection: true };
}

/** The address of a panel, a query or a log view. Undefined where it names an absent value, or is no address of a web page. */
function linkOf({ url, query = {} }: ToolsetLink, input: Values, settings: Values): string | undefined {
  const values = toValues(input, settings);
  const filled = fillAddress(url, values, settings);
  const address = filled && URL.parse(`${filled.base}${filled.rest}`);
  if (!address) return undefined;
  for (const [name, part] of Object.entries(query)) {
    const value = fillJson(part, values);
    if (value !== undefined)
      address.searchParams.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return webAddress(address.href);
}
