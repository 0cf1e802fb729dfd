// The forms in which a model writes down a line that it quotes: with marks around it, a number before it, or parts left
// out. Pure. Each is taken off by a rule with a name; nothing else of the line may change.
import { present } from '@holdfast/base/present';
import { defined } from '@holdfast/base/defined';
import { softBreak } from './plain-text.ts';

/**
 * A line without some of the marks around it. `number`: it had a number before it, which must be that of its line; `file`: that
 * too. `mark`: of a list. `forms` complete "it differs in".
 */
export type Candidate = {
  text: string;
  forms: readonly string[];
  number?: number;
  file?: string;
  mark?: string;
};

/** Parts in order; several where something was left out between them. */
export type Reading = { parts: Part[]; forms: readonly string[] };
/** `isInside`: it begins inside of a line, behind an ellipsis. */
type Part = { text: string; isInside: boolean };

type Form = { name: string; pattern: RegExp; isAtEnd?: true };

/** The last group is the line without the form. A blank before a quotation mark is gone. */
const forms: readonly Form[] = [
  // before a figure these are signs
  {
    name: 'a list mark',
    pattern: /^(?<mark>[-*•>·◦→])(?: (?!\d+(?:[.,]\d+)?(?:[\s%\p{L}]|$))|(?=["']))(.+)$/u,
  },
  { name: 'quotation marks around it', pattern: /^(["'])(.+)\1$/ },
  { name: 'marks of emphasis', pattern: /^([*_])(.+)\1$/ },
  { name: 'a sign at the end', pattern: /^(.+)[.,;]$/, isAtEnd: true },
  {
    name: 'the line number',
    pattern: /^(?:line |l)?(?<number>[1-9]\d{0,6}) ?(?:[:|→] |[:|→](?!\d)|- )(.+)$/i,
  },
  { name: 'the line number', pattern: /^line (?<number>[1-9]\d{0,6}) [-–] (.+)$/i },
  {
    name: 'file and line number',
    pattern: /^(?<file>[^\s:]{1,200}?)(?::(?<number>[1-9]\d{0,6}):|-(?<number>[1-9]\d{0,6})-) ?(.+)$/,
  },
];

/** Stands before a line of an output: the number of `cat -n`, or the file, with or without the number, of `grep`. */
export type Prefix = { length: number; number?: number; file?: string };

const prefixes: readonly RegExp[] = [
  /^(?<number>[1-9]\d{0,6})(?: ?[:|→] |[:|→](?!\d)|- )(?=.)/,
  /^(?<file>[^\s:]{1,200}?)(?::(?<number>[1-9]\d{0,6}):|-(?<number>[1-9]\d{0,6})-) ?(?=.)/,
  /^(?<file>[^\s:"]{1,200}?): ?(?=.)/,
];

/** Not a clock, not a key of YAML or a level of a log. */
const isFileName = (name: string) => /[/.]/.test(name) && /\p{L}/u.test(name);

/** Marks may be inside of marks. */
const deepest = 4;

/** A line that begins behind an ellipsis (`isInside`) has a form at its end only. */
export function candidatesOf(line: string, isInside: boolean): Candidate[] {
  const possible = forms.filter(({ isAtEnd }) => !isInside || isAtEnd);
  const found = new Map<string, Candidate>([[line, { text: line, forms: [] }]]);
  let open = [...found.values()];
  for (let depth = 0; depth < deepest && open.length > 0; depth += 1) {
    const next = open.flatMap((each) => withoutOne(each, possible));
    open = next.filter(({ text }) => !found.has(text));
    for (const each of open) found.set(each.text, each);
  }
  return [...found.values()];
}

function withoutOne(from: Candidate, possible: readonly Form[]): Candidate[] {
  return possible.flatMap(({ name, pattern }) => {
    const match = pattern.exec(from.text);
    const { number, file, mark } = match?.groups ?? {};
    const isNumberTwice = number !== undefined && from.number !== undefined;
    if (!match || isNumberTwice || (file !== undefined && !isFileName(file))) return [];
    const text = match.at(-1)?.trim() ?? '';
    const lineNumber = number === undefined ? from.number : Number(number);
    return [{ ...from, text, forms: [...from.forms, name], ...defined({ number: lineNumber, file, mark }) }];
  });
}

export function prefixesOf(line: string): Prefix[] {
  return prefixes.flatMap((pattern) => {
    const match = pattern.exec(line);
    const { number, file } = match?.groups ?? {};
    if (!match || (file !== undefined && !isFileName(file))) return [];
    const lineNumber = number === undefined ? undefined : Number(number);
    return [{ length: match[0].length, ...defined({ file, number: lineNumber }) }];
  });
}

const ellipsis =
  /[\s\uE000]*(?:[[(<] ?(?:\.{3}|(?:\.{3} ?)?\d+ (?:more )?lines? (?:omitted|skipped)(?: ?\.{3})?|snip|cut|omitted|truncated) ?[\])>]|\.{3,})[\s\uE000]*/gi;
const fence = /^[^\S\n]*(?:```|~~~)[\w+-]*[^\S\n]*(?:\n|$)/gm;

/** Ways to read a quote, the closest first; `plain` makes signs alike. */
export function readingsOf(quote: string, plain: (text: string) => string): Reading[] {
  const bare = quote.replaceAll(fence, '');
  const fenced = bare === quote ? [] : ['a fence'];
  const text = plain(bare);
  const inside = insideOf(text);
  const texts = present([
    { text, forms: fenced },
    inside !== undefined && { text: inside, forms: [...fenced, 'marks around it'] },
  ]);
  const whole = texts.map((each) => ({ parts: [{ text: each.text, isInside: false }], forms: each.forms }));
  const cut = texts.flatMap((each) => {
    const parts = partsOf(each.text);
    return parts.length > 1 ? [{ parts, forms: [...each.forms, 'what an ellipsis leaves out'] }] : [];
  });
  return [...whole, ...cut];
}

/** Takes off marks around several lines; undefined if there are none. */
function insideOf(text: string): string | undefined {
  return linesIn(text).length < 2 ? undefined : /^(["'*_])(.+)\1[.,;]?$/s.exec(text)?.[2];
}

function partsOf(text: string): Part[] {
  let at = 0;
  let isInside = false;
  const parts: Part[] = [];
  for (const { 0: dots, index } of text.matchAll(ellipsis)) {
    parts.push({ text: text.slice(at, index), isInside });
    at = index + dots.length;
    isInside = index > 0 && !/[\n\uE000]/.test(dots);
  }
  return [...parts, { text: text.slice(at), isInside }];
}

/** Drops lines without a character. */
export function linesIn(text: string): string[] {
  return text.split(new RegExp(`[\n${softBreak}]`)).filter((line) => line.trim() !== '');
}
