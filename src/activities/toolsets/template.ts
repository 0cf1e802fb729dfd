// Fills the words of a command and the parts of a URL: `{{name}}` is a parameter, `{{settings.name}}` a setting. A value
// never becomes more than the one word that it is in, so nothing has to be quoted. Pure.
import type { Json } from '../../core/base/json.ts';
import type { ToolsetWord } from './toolset.schema.ts';

export type Values = { [name: string]: Json | undefined };

const placeholder = /\{\{\s*([\w.]+)\s*\}\}/g;

/** Names in a text, each once. */
export function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(placeholder)].flatMap(([, name]) => name ?? []))];
}

/** Undefined where a value that the text names is absent. */
export function fill(
  text: string,
  values: Values,
  encode: (value: string) => string = (value) => value,
): string | undefined {
  if (namesIn(text).some((name) => values[name] === undefined)) return undefined;
  return text.replaceAll(placeholder, (_, name: string) => encode(toText(values[name])));
}

/** The argument of a placeholder alone, as it is; the text with values in it otherwise. */
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
    return filled === undefined ? [] : [[key, filled] as const];
  });
  return Object.fromEntries(fields);
}

/** A value that a program would read as an option. */
class OptionLikeError extends Error {
  override readonly name = 'OptionLikeError';
}

/**
 * The words of a command. A word that is one list parameter becomes a word for each item. Throws an OptionLikeError for a
 * value at the beginning of a word that begins with "-", unless `mayBeginWithDash` has its name, or the word follows `--`.
 */
export function fillWords(
  words: readonly ToolsetWord[],
  values: Values,
  mayBeginWithDash: ReadonlySet<string>,
): string[] {
  const flat = words.flatMap((word) => {
    if (typeof word === 'string') return [word];
    const value = values[word.when];
    const holds = word.is === undefined ? value !== undefined && value !== false : value === word.is;
    return holds ? word.words : [];
  });
  const filled: string[] = [];
  for (const text of flat) {
    const [name] = namesIn(text);
    const list = name !== undefined && text.replace(placeholder, '') === '' ? values[name] : undefined;
    const made = Array.isArray(list) ? list.map(toText) : [fill(text, values)];
    for (const word of made) {
      if (word === undefined) throw new Error(`${namesIn(text).join(', ')} has no value`);
      if (word.includes('\0')) throw new Error(`${name ?? 'a word'} holds a NUL character`);
      const begins = name !== undefined && text.startsWith('{{') && !mayBeginWithDash.has(name);
      if (begins && word.startsWith('-') && !filled.includes('--')) {
        throw new OptionLikeError(
          `${name} is ${JSON.stringify(word)}: expected a value that does not begin with "-", which ${filled[0] ?? 'the program'} would read as an option`,
        );
      }
      filled.push(word);
    }
  }
  return filled;
}

function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
