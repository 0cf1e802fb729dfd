// Fills the words of a command and the parts of a URL: `{{name}}` is a parameter, `{{settings.name}}` a setting. A value
// never becomes more than its one word, so nothing has to be quoted. Pure.
import type { Json } from '@holdfast/base/json';
import type { ToolsetWord } from './toolset.schema.ts';

export type Values = { [name: string]: Json | undefined };

const placeholder = /\{\{\s*([\w.]+)\s*\}\}/g;

/** Names in a text, each once. */
export function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(placeholder)].flatMap(([, name]) => name ?? []))];
}

/** A filled text, in order: the operator's own parts, in which references to secrets are resolved, and the model's values. */
export type FilledText = { text: string; isArgument: boolean }[];

/** Undefined if the text names an absent value. */
export function fill(text: string, values: Values, encode?: (value: string) => string): string | undefined {
  const filled = fillParts(text, values, encode);
  return filled && joined(filled);
}

/** The filled texts of a record, without those that name an absent value. */
export function fillFields(
  texts: Readonly<Record<string, string>> = {},
  values: Values,
): Record<string, string> {
  const filled = Object.entries(texts).flatMap(([name, text]) => {
    const value = fill(text, values);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(filled);
}

/** For a person: references to secrets stay references. */
export function joined(filled: FilledText): string {
  return filled.map(({ text }) => text).join('');
}

/** With the values of secrets. A reference in an argument stays text, or the model could ask for any secret. */
export async function resolveOwn(
  filled: FilledText,
  resolve: (text: string) => Promise<string>,
): Promise<string> {
  const parts = filled.map(async ({ text, isArgument }) => (isArgument ? text : resolve(text)));
  return (await Promise.all(parts)).join('');
}

function fillParts(
  text: string,
  values: Values,
  encode: (value: string) => string = (value) => value,
): FilledText | undefined {
  const parts: FilledText = [];
  const add = (part: string, isArgument: boolean): void => {
    const last = parts.at(-1);
    // a reference may begin in the file and end in a setting
    if (last && !last.isArgument && !isArgument) last.text += part;
    else parts.push({ text: part, isArgument });
  };
  let end = 0;
  for (const { 0: mark, 1: name = '', index } of text.matchAll(placeholder)) {
    const value = values[name];
    if (value === undefined) return undefined;
    add(text.slice(end, index), false);
    add(encode(toText(value)), !name.startsWith('settings.'));
    end = index + mark.length;
  }
  add(text.slice(end), false);
  return parts;
}

/** The unchanged argument for a placeholder alone; otherwise the text with the values in it. */
export function fillJson(value: Json, values: Values): Json | undefined {
  if (typeof value === 'string') {
    const [name] = namesIn(value);
    const isAlone = name !== undefined && value.trim().replace(placeholder, '') === '';
    return isAlone ? values[name] : fill(value, values);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.flatMap((part) => fillJson(part, values) ?? []);
  const fields = Object.entries(value).flatMap(([key, part]) => {
    const filled = fillJson(part, values);
    // a field of a query may be a setting, e.g. the one with the time
    return filled === undefined ? [] : [[fill(key, values) ?? key, filled] as const];
  });
  return Object.fromEntries(fields);
}

/** A value that a program would read as an option. */
class OptionLikeError extends Error {
  override readonly name = 'OptionLikeError';
}

/**
 * The words of a command. A word that is one list parameter becomes a word for each item. Throws an OptionLikeError for a
 * value at the beginning of a word that begins with "-", unless `mayBeginWithDash` has its name, or the word follows
 * `--`.
 */
export function fillWords(
  words: readonly ToolsetWord[],
  values: Values,
  mayBeginWithDash: ReadonlySet<string>,
): FilledText[] {
  const flat = words.flatMap((word) => {
    if (typeof word === 'string') return [word];
    const value = values[word.when];
    const hasValue = value !== undefined && value !== false && value !== '';
    const holds = word.is === undefined ? hasValue : value === word.is;
    return holds ? word.words : [];
  });
  const filled: FilledText[] = [];
  let afterOptions = false;
  for (const text of flat) {
    const [name] = namesIn(text);
    const list = name !== undefined && text.replace(placeholder, '') === '' ? values[name] : undefined;
    const made = Array.isArray(list)
      ? list.map((item): FilledText => [{ text: toText(item), isArgument: true }])
      : [fillParts(text, values)];
    for (const parts of made) {
      if (parts === undefined) throw new Error(`${namesIn(text).join(', ')} has no value`);
      const word = joined(parts);
      if (word.includes('\0')) throw new Error(`${name ?? 'a word'} holds a NUL character`);
      const begins = name !== undefined && text.startsWith('{{') && !mayBeginWithDash.has(name);
      if (begins && word.startsWith('-') && !afterOptions) {
        throw new OptionLikeError(
          `${name} is ${JSON.stringify(word)}: expected a value that does not begin with "-", which ${filled[0] ? joined(filled[0]) : 'the program'} would read as an option`,
        );
      }
      afterOptions ||= word === '--';
      filled.push(parts);
    }
  }
  return filled;
}

function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
