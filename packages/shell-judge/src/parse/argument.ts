// A word of a command, as far as it is known before bash expands it.
import type { Assignment, ParameterExpansionPart, Word, WordPart } from 'unbash';
import { literalPart, literalValue } from './literal.ts';
import type { Meaning } from './meanings.ts';
import type { Rebuild } from './rebuild.ts';

export interface Argument {
  /** The word for bash. */
  text: string;
  /** Undefined if the word expands: a variable, a substitution, a glob, a brace, a tilde. */
  value?: string;
  /** The beginning of every result of the expansion; '' if unknown. */
  prefix: string;
  /** The word may become several words, or none. */
  many: boolean;
  /** No result begins with a dash. */
  isOperand?: boolean;
  /** Every result contains this text, which a pattern of names keeps. */
  kept?: string;
  /** Every text that it may become, if more is known than `value` and `prefix`. */
  meanings?: readonly Meaning[];
}

export function meaningsOf({ value, meanings = [{}] }: Argument): readonly Meaning[] {
  return value === undefined ? meanings : [{ text: value, whole: true }];
}

/**
 * True if the word may become an option. A glob or a brace keeps its prefix in every result, so `./*` and `/x/*` are
 * operands while `*` may match a file that is named `-exec`. An unquoted variable may split, so its prefix does not cover
 * the second word.
 */
export function mayBeFlag({ value, prefix, many, isOperand = false }: Argument): boolean {
  if (isOperand) return false;
  if (value !== undefined) return value.startsWith('-') && value !== '-';
  return many ? prefix === '' : prefix === '' || prefix.startsWith('-');
}

export function literal(value: string, text = value): Argument {
  return { text, value, prefix: value, many: false };
}

/** Words that another program adds, for example xargs. */
export function unknownArguments(text: string): Argument {
  return { text, prefix: '', many: true };
}

/**
 * A word in which another program replaces `mark` by text with a known beginning. `meanings` are those of a word that is
 * only the mark.
 */
export function withMark(
  word: Argument,
  mark: string,
  begins: string,
  meanings?: readonly Meaning[],
): Argument {
  const known = word.value ?? word.prefix;
  const at = word.value === undefined ? markAt(known, mark) : known.indexOf(mark);
  if (at === -1 && word.value !== undefined) return word;
  // the mark may be in the unknown part, or result from it
  if (at === -1) return { text: word.text, prefix: known, many: word.many };
  if (word.value === mark && meanings) return { text: word.text, prefix: begins, many: word.many, meanings };
  return { text: word.text, prefix: known.slice(0, at) + (at === 0 ? begins : ''), many: word.many };
}

/** The position of the mark in a beginning, or of a part of the mark that the rest may complete. */
function markAt(begins: string, mark: string): number {
  const at = begins.indexOf(mark);
  if (at !== -1) return at;
  for (let from = Math.max(0, begins.length - mark.length + 1); from < begins.length; from += 1)
    if (mark.startsWith(begins.slice(from))) return from;
  return -1;
}

export function toArgument(node: Word | Assignment, rebuild: Rebuild): Argument {
  if (node.type === 'Assignment') {
    const text = rebuild.assignment(node);
    const value = node.value.type === 'Word' && !node.index ? literalValue(node.value) : undefined;
    const sign = node.append ? '+=' : '=';
    return value === undefined
      ? { text, prefix: node.name, many: false }
      : literal(node.name + sign + value, text);
  }
  const text = rebuild.word(node);
  const value = literalValue(node);
  if (value !== undefined) return literal(value, text);
  // a number or nothing
  if (/^"?\$\{?!\}?"?$/.test(node.text)) return { text, prefix: '0', many: !node.text.startsWith('"') };
  const parts = node.parts ?? [];
  if (parts.some(splits)) return { text, prefix: '', many: true };
  const prefix = literalPrefix(node);
  // a brace may put a dash before the following text; a glob only matches existing names
  const many = parts.some((part) => part.type === 'Glob' || part.type === 'BraceExpansion');
  const known = { text, prefix: many && prefix.startsWith('-') ? '' : prefix, many };
  const pieces = parts.map((part, index) => (part.type === 'Glob' ? '' : literalPart(part, index === 0)));
  return pieces.includes(undefined) ? known : { ...known, kept: pieces.join('') };
}

/**
 * Values with a known beginning and no blank: bash's own numbers, and the home folder, which the runner sets. Not `$!`,
 * which is empty until something runs in the background.
 */
function knownStart(text: string): string | undefined {
  if (/^\$\{?(?:[#?$]|#[A-Za-z_]\w*(?:\[[@*]\])?)\}?$/.test(text)) return '0';
  return /^\$\{?HOME\}?$/.test(text) ? '/' : undefined;
}

function splits(part: WordPart): boolean {
  switch (part.type) {
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return knownStart(part.text) === undefined;
    case 'CommandExpansion':
      return true;
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.some(
        (child) =>
          (child.type === 'SimpleExpansion' && child.text === '$@') ||
          (child.type === 'ParameterExpansion' && isList(child)),
      );
    default:
      return false;
  }
}

/** "$@" and "${a[@]}" are several words although they are quoted. */
function isList({ parameter, index, operation, prefix }: ParameterExpansionPart): boolean {
  return parameter === '@' || index?.text === '@' || operation?.type === 'Names' || prefix === '!';
}

function literalPrefix(word: Word): string {
  // a tilde becomes an absolute path, or stays
  if (word.text.startsWith('~')) return '~';
  if (word.parts === undefined) return word.value;
  let prefix = '';
  for (const part of word.parts) {
    if (part.type === 'Literal' || part.type === 'SingleQuoted') prefix += part.value;
    else if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') {
      for (const child of part.parts) {
        if (child.type !== 'Literal') return prefix + (knownStart(child.text) ?? '');
        prefix += child.value;
      }
    } else if (part.type === 'ProcessSubstitution') return `${prefix}/dev/fd/`;
    else return prefix + (knownStart(part.text) ?? '');
  }
  return prefix;
}
