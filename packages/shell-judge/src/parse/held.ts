// The possible values of a script's variables, wherever it reads them: enough to prove that a word never begins with a
// dash and so is no option, whatever has run before. Also the variables that no program sees.
import {
  forEachChild,
  type ArithmeticExpression,
  type Assignment,
  type ParameterExpansionPart,
  type Script,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';
import { namesSetBy } from './arithmetic.ts';
import { literalPart, literalValue } from './literal.ts';
import { deriveOutput, type Held } from './outputs.ts';

type Texts = readonly Held[] | undefined;

const maxTexts = 64;
const maxRounds = 16;
const empty: Held = { begins: '', plain: true };
const plain = /^[\w./@%+:,=-]*$/;
/** Variables that bash reads or sets itself (man bash, "Shell Variables"), and those of the runner. */
const ofBash =
  /^(?:_|BASH.*|CDPATH|CHILD_MAX|COLUMNS|COMP.*|COPROC|DIRSTACK|EMACS|ENV|EPOCH.*|EUID|EXECIGNORE|FCEDIT|FIGNORE|FUNC.*|GLOB.*|GROUPS|HIST.*|HOME|HOST.*|IFS|IGNOREEOF|INPUTRC|INSIDE_EMACS|LANG|LANGUAGE|LC_.*|LINENO|LINES|LOC.*|MACHTYPE|MAIL.*|MALLOC.*|MAPFILE|NLSPATH|OLDPWD|OPT.*|OSTYPE|PATH|PIPESTATUS|POSIX.*|PPID|PROMPT.*|PS\d|PWD|RANDOM|READLINE.*|REPLY|SECONDS|SHELL.*|SHLVL|SRANDOM|TERM.*|TEXTDOMAIN.*|TIMEFORMAT|TMOUT|TMPDIR|TZ|UID|auto_resume|histchars|(?:\w+_)?PAGER|GIT_.*)$/s;
/** With these a variable may get a value, or be seen, in untracked ways. */
const obscures =
  /^(?:eval|source|\.|trap|let|alias|shopt|wait|enable|export|declare|typeset|local|readonly|mapfile|readarray|getopts|hash)$/;

/** Words of `set` that change neither parameters nor exports. */
const settings = /^(?:set|[-+][eu]+|-[eu]*o|pipefail|errexit|nounset)$/;

export class HeldTexts {
  readonly #texts = new Map<string, Texts>();
  readonly #environment: ReadonlySet<string>;
  #isObscure = false;
  #hasNews = true;

  /** `environment`: names that the runner sets beside its own. */
  constructor(script: Script, environment: readonly string[]) {
    this.#environment = new Set(environment);
    const nodes: SyntaxNode[] = [];
    const visit = (node: SyntaxNode): void => {
      nodes.push(node);
      forEachChild(node, visit);
    };
    visit(script);
    for (const node of nodes) this.#lookForSetters(node);
    // a value may be that of a variable that is set later
    for (let round = 0; this.#hasNews && round < maxRounds; round += 1) {
      this.#hasNews = false;
      for (const node of nodes) this.#learn(node);
    }
    this.#isObscure ||= this.#hasNews;
  }

  /** True if setting the variable changes this shell alone: no program sees it, and bash ignores it. */
  isPrivate(name: string): boolean {
    return (
      !this.#isObscure && /^[A-Za-z]\w*$/.test(name) && !ofBash.test(name) && !this.#environment.has(name)
    );
  }

  /** `isOperand`: no result of the word begins with a dash. `isOne`: it is certainly one word. */
  look({ parts = [] }: Word): { isOperand: boolean; isOne: boolean } {
    let begun = false;
    let isOperand = parts.length > 0;
    let isOne = false;
    let splits = false;
    for (const [index, part] of parts.entries()) {
      const finds = part.type === 'Glob';
      const quoted = part.type === 'DoubleQuoted' || literalPart(part, index === 0) !== undefined;
      const texts: Texts = begun && finds ? [empty] : this.#textsOf(part, index === 0);
      isOperand &&= begun || (texts?.every(({ begins }) => !begins.startsWith('-')) ?? false);
      const isWhole = quoted || (texts?.every((text) => text.plain) ?? false);
      // after a split, the rest may begin with anything
      isOperand &&= isWhole;
      splits ||= finds || !isWhole || (quoted && hasList(part));
      const isSomething: boolean = texts !== undefined && texts.every(({ begins }) => begins !== '');
      begun ||= isSomething;
      isOne ||= isSomething || quoted;
    }
    return { isOperand, isOne: isOne && !splits };
  }

  #lookForSetters(node: SyntaxNode): void {
    if (node.type === 'Function' || node.type === 'Coproc' || node.type === 'Select') this.#isObscure = true;
    if (node.type !== 'Command') return;
    const words = [node.name, ...node.args].flatMap((word) => (word?.type === 'Word' ? [word] : []));
    const values = words.map(literalValue);
    const sets = namesSetBy(node);
    const isOpen =
      values.includes(undefined) && (values[0] !== 'printf' || sets.some((name) => /^-?v/.test(name)));
    // before a command, IFS applies to that command alone
    const splits =
      node.name === undefined &&
      node.prefix.some((item) => item.type === 'Assignment' && item.name === 'IFS');
    this.#isObscure ||=
      (node.name !== undefined && values[0] === undefined) ||
      values.some((value) => obscures.test(value ?? '')) ||
      (sets.length > 0 && (isOpen || sets.includes('IFS'))) ||
      (values.includes('set') && !values.every((value) => settings.test(value ?? ''))) ||
      splits;
  }

  #learn(node: SyntaxNode): void {
    if (node.type === 'Assignment') this.#add(node.name, this.#assigned(node));
    if (node.type === 'For') {
      const lists = node.wordlist?.map((word) => this.#valueOf(word)) ?? [undefined];
      for (const texts of lists) this.#add(node.name.value, texts);
    }
    if (node.type === 'Command') for (const name of namesSetBy(node)) this.#add(name, undefined);
    if (node.type === 'ParameterExpansion' && node.operation?.type === 'Default')
      if (node.operation.operator.endsWith('=')) this.#add(node.parameter, undefined);
    if (node.type === 'ArithmeticBinary' && /^(?:<<|>>|[-+*/%&|^])?=$/.test(node.operator))
      this.#add(nameOf(node.left), undefined);
    if (node.type === 'ArithmeticUnary') this.#add(nameOf(node.operand), undefined);
    if (node.type === 'Redirect' && node.descriptor?.type === 'FileDescriptorVariable')
      this.#add(node.descriptor.name, undefined);
  }

  #add(name: string, texts: Texts): void {
    const known = this.#texts.has(name) ? this.#texts.get(name) : [];
    const isNew = ({ begins, plain: isPlain }: Held): boolean =>
      known?.every((held) => held.begins !== begins || held.plain !== isPlain) ?? false;
    const news = texts?.filter(isNew);
    const isUnknown = texts === undefined || (known?.length ?? 0) > maxTexts;
    if (this.#texts.has(name) && (known === undefined || (!isUnknown && news?.length === 0))) return;
    this.#hasNews = true;
    this.#texts.set(name, isUnknown ? undefined : [...(known ?? []), ...(news ?? [])]);
  }

  #assigned({ value, index }: Assignment): Texts {
    return value.type === 'Word' && index === undefined ? this.#valueOf(value) : undefined;
  }

  /** For an assigned word, which is not split. */
  #valueOf(word: Word): Texts {
    const literal = literalValue(word);
    if (literal !== undefined) return [toHeld(literal)];
    // without parts it is a tilde, which becomes a path, or stays
    return word.parts === undefined ? [{ begins: '~', plain: false }] : this.#join(word.parts, true);
  }

  /** The possible beginnings of the joined parts: after an empty part, the next one begins the text. */
  #join(parts: readonly WordPart[], isWord: boolean): Texts {
    const found: Held[] = [];
    let isOpen = parts.length > 0 || isWord;
    for (const [index, part] of parts.entries()) {
      const texts = this.#textsOf(part, isWord && index === 0);
      if (texts === undefined) return undefined;
      const isAll = parts.length === 1;
      found.push(
        ...texts.flatMap(({ begins, plain: isPlain }) =>
          begins === '' ? [] : [{ begins, plain: isPlain && isAll }],
        ),
      );
      isOpen = texts.some(({ begins }) => begins === '');
      if (!isOpen) break;
    }
    return isOpen || parts.length === 0 ? [...found, empty] : found;
  }

  #textsOf(part: WordPart, first: boolean): Texts {
    const literal = part.type === 'Literal' ? part.value : literalPart(part, first);
    // a tilde becomes a path, or stays
    if (literal !== undefined) return [toHeld(literal)];
    switch (part.type) {
      case 'DoubleQuoted':
        return this.#join(part.parts, false);
      case 'SimpleExpansion':
        return this.#variable(part.text.slice(1));
      case 'ParameterExpansion':
        return this.#parameter(part);
      case 'CommandExpansion':
        return this.#isObscure || this.#texts.has('PATH')
          ? undefined
          : deriveOutput(part.script, (word) => this.look(word).isOperand);
      default:
        return undefined;
    }
  }

  #parameter({ text, parameter, operation }: ParameterExpansionPart): Texts {
    if (/^\$\{\w+\}$/.test(text)) return this.#variable(parameter);
    if (operation?.type !== 'Default' || !/^:?-$/.test(operation.operator) || !/^\$\{\w+:?-/.test(text))
      return undefined;
    const [own, other] = [this.#variable(parameter), this.#valueOf(operation.operand)];
    return own === undefined || other === undefined ? undefined : [...own, ...other];
  }

  /** A variable that is never set is empty: a script gets no parameters, and no variables but the runner's. */
  #variable(name: string): Texts {
    if (/^[1-9@*]$/.test(name)) return this.#isObscure ? undefined : [empty];
    if (!this.isPrivate(name)) return undefined;
    const texts = this.#texts.has(name) ? this.#texts.get(name) : [];
    return texts && [empty, ...texts];
  }
}

function hasList(part: WordPart): boolean {
  return part.type === 'DoubleQuoted' && part.parts.some(({ text }) => /[@*]/.test(text));
}

function toHeld(text: string): Held {
  return { begins: text, plain: plain.test(text) };
}

function nameOf(node: ArithmeticExpression): string {
  return node.type === 'ArithmeticWord' ? node.value.trim() : '';
}
