// Words and parts of words that bash takes unchanged.
import type { Word, WordPart } from 'unbash';

/** The word's text if it has exactly one meaning and bash changes nothing of it; undefined if something expands. */
export function literalValue(word: Word): string | undefined {
  if (word.parts === undefined) return hasTilde(word.text, true) ? undefined : word.value;
  let value = '';
  for (const [index, part] of word.parts.entries()) {
    const known = literalPart(part, index === 0);
    if (known === undefined) return undefined;
    value += known;
  }
  return value;
}

/** Like `literalValue`, for one part of a word; `first` if no part precedes it. */
export function literalPart(part: WordPart, first: boolean): string | undefined {
  switch (part.type) {
    case 'Literal':
      return hasTilde(part.text, first) ? undefined : part.value;
    case 'SingleQuoted':
      return part.value;
    case 'AnsiCQuoted':
      return isExact(part) ? part.value : undefined;
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.every((child) => child.type === 'Literal')
        ? part.parts.map((child) => (child.type === 'Literal' ? child.value : '')).join('')
        : undefined;
    default:
      return undefined;
  }
}

// bytes above 127 that were written as escapes have no certain text
export function isExact({ text, value }: { text: string; value: string }): boolean {
  // oxlint-disable-next-line no-control-regex -- ASCII without NUL
  return !/\\[xuU0-7c]/.test(text) || /^[\u0001-\u007f]*$/.test(value);
}

/** An unquoted tilde where bash may insert a home folder. */
export function hasTilde(text: string, first: boolean): boolean {
  return (first ? /(?:^|[=:])~/ : /[=:]~/).test(text);
}
