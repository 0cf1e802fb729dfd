// The certain results of a line's words without running it, for rules over paths only. A variable with one literal value
// is replaced by it; a pattern keeps the folder before it.
import {
  forEachChild,
  type For,
  type Script,
  type Statement,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';
import { namesSetBy } from './arithmetic.ts';
import { literalPart, literalValue } from './literal.ts';

/** One text that a word may become. Without `whole` it is only the beginning; without a text it may be anything. */
export type Meaning = { text?: string; whole?: true };

/** The form while a text is joined: a NUL, which no command contains, marks the match of a pattern. */
type Raw = string | undefined;
const anything: readonly Raw[] = [undefined];
const maxMeanings = 64;
/** No blank, no pattern, no character that IFS could split at: quoted or not, the word is the same. */
const plain = /^[\w./@%+\0-]+$/;
/** Commands that change the meaning of a variable or a word in untracked ways. */
const obscures = /^(?:eval|source|\.|trap|unset|let|alias|shopt|wait)$/;

export class Meanings {
  readonly #certain = new Set<string>();
  readonly #values = new Map<string, readonly Raw[]>();

  readonly #leading: ReadonlySet<SyntaxNode>;

  constructor(script: Script) {
    this.#leading = new Set(script.commands.flatMap(firstOf));
    const counts = new Map<string, number>();
    const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
    let obscure = false;
    const visit = (node: SyntaxNode): void => {
      if (node.type === 'Assignment') count(node.name);
      if (node.type === 'For' || node.type === 'Select') count(node.name.value);
      if (node.type === 'ArithmeticWord') [node.value.trim(), node.value.trim()].forEach(count);
      if (node.type === 'Command') {
        for (const name of namesSetBy(node)) [name, name].forEach(count);
        obscure ||= [node.name, ...node.args].some(
          (word) => word?.type === 'Word' && obscures.test(literalValue(word) ?? ''),
        );
      }
      obscure ||= node.type === 'Function' || node.type === 'Coproc';
      forEachChild(node, visit);
    };
    visit(script);
    if (obscure || counts.has('IFS')) return;
    for (const [name, times] of counts) if (times === 1) this.#certain.add(name);
  }

  /** Call it after a command: its settings apply to all later ones, if it certainly runs before them. */
  learn(node: SyntaxNode): void {
    if (!this.#leading.has(node) || node.type !== 'Command' || node.name !== undefined) return;
    // a failing redirection keeps bash from setting anything
    if (node.redirects.length > 0) return;
    for (const item of node.prefix) {
      if (item.type !== 'Assignment' || item.append || item.index !== undefined) continue;
      const { name, value } = item;
      // a pattern in it is matched where the variable is used
      if (value.type === 'Word' && literalValue(value) !== undefined) this.#set(name, [value]);
    }
  }

  /** Inside a loop, its variable has one of the loop's words. */
  enter({ name, wordlist = [] }: For): void {
    if (wordlist.length > 0) this.#set(name.value, wordlist);
  }

  leave({ name }: For): void {
    this.#values.delete(name.value);
  }

  of(word: Word): readonly Meaning[] {
    return this.#raw(word).map(toMeaning);
  }

  #raw(word: Word): readonly Raw[] {
    const value = literalValue(word);
    if (value !== undefined) return [value];
    return word.parts === undefined ? anything : this.#join(word.parts, false);
  }

  #set(name: string, words: readonly Word[]): void {
    if (!this.#certain.has(name)) return;
    const values = words.flatMap((word) => this.#raw(word));
    if (values.length > 0 && values.every((value) => value !== undefined && plain.test(value)))
      this.#values.set(name, values);
  }

  #join(parts: readonly WordPart[], isQuoted: boolean): readonly Raw[] {
    let found: readonly Raw[] = [''];
    for (const [index, part] of parts.entries()) {
      const next = this.#part(part, index === 0, isQuoted);
      found = found.flatMap((before) =>
        next.map((after) => (before === undefined || after === undefined ? undefined : before + after)),
      );
      if (found.length > maxMeanings) return anything;
    }
    return found;
  }

  #part(part: WordPart, first: boolean, isQuoted: boolean): readonly Raw[] {
    const value = literalPart(part, first);
    if (value !== undefined) return [value];
    switch (part.type) {
      case 'DoubleQuoted':
        return this.#join(part.parts, true);
      case 'SimpleExpansion':
        return this.#variable(part.text.slice(1), isQuoted);
      case 'ParameterExpansion':
        return /^\$\{\w+\}$/.test(part.text) ? this.#variable(part.parameter, isQuoted) : anything;
      case 'Glob':
        return ['\0'];
      // its content is judged itself, and its name leads nowhere else
      case 'ProcessSubstitution':
        return ['/dev/null'];
      default:
        return anything;
    }
  }

  /** A file name that a pattern matches may have blanks, at which bash splits it without quotes. */
  #variable(name: string, isQuoted: boolean): readonly Raw[] {
    const values = this.#values.get(name) ?? anything;
    return isQuoted || values.every((value) => !value?.includes('\0')) ? values : anything;
  }
}

/** A pattern keeps the folder before it, unless its form may also match `..`. */
function toMeaning(raw: Raw): Meaning {
  if (raw === undefined) return {};
  const at = raw.indexOf('\0');
  if (at === -1) return { text: raw, whole: true };
  return /(?:^|\/)\.[^/]*\0|\0.*(?:\.\.|\/\.)/s.test(raw) ? {} : { text: raw.slice(0, at) };
}

/** The commands that a statement certainly runs, in the line's own shell. */
function firstOf({ command, background }: Statement): SyntaxNode[] {
  const first = command.type === 'AndOr' ? command.commands[0] : command;
  return background || first === undefined ? [] : [first];
}
