// Prints a parsed command again. Only this text runs, never the original, so that bash reads exactly the judged command:
// literal words in one spelling, comments and line continuations gone, nested commands rebuilt as well.
import type {
  ArithmeticFor,
  Assignment,
  Case,
  Command,
  CommandExpansionPart,
  CompoundList,
  HereDoc,
  If,
  ProcessSubstitutionPart,
  Redirection,
  Script,
  Statement,
  SyntaxNode,
  TestExpression,
  Word,
  WordPart,
} from 'unbash';
import { present } from '@holdfast/base/present';
import { suffixOf } from './git-words.ts';
import { hasTilde, isExact, literalPart, literalValue } from './literal.ts';
import { escapeInDoubleQuotes, quote, quoteName } from './quote.ts';
import { Unsupported } from './unsupported.ts';

/** `source` is the text to which the positions of the nodes refer. */
export class Rebuild {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  script(script: Script, separator = '\n'): string {
    const inner = script.source === undefined ? this : new Rebuild(script.source);
    return inner.#statements(script.commands, separator);
  }

  /** A word in place of a command's name. */
  name(word: Word): string {
    return this.#parts(word, quoteName);
  }

  word(word: Word): string {
    return this.#parts(word, quote);
  }

  assignment(node: Assignment): string {
    const index = node.index === undefined ? '' : `[${node.index.text}]`;
    const operator = node.append ? '+=' : '=';
    const { value } = node;
    if (value.type === 'Word') return `${node.name}${index}${operator}${this.#assigned(value)}`;
    // `[key]=value` is special only while it is not quoted
    const elements = value.elements.map((element) =>
      element.text.startsWith('[') ? element.text : this.word(element),
    );
    return `${node.name}${index}${operator}(${elements.join(' ')})`;
  }

  command(node: Command): string {
    const words = present([
      ...node.prefix.map((item) =>
        item.type === 'Assignment' ? this.assignment(item) : this.redirection(item),
      ),
      node.name && this.name(node.name),
      ...suffixOf(node).map((item) => {
        if (item.type === 'Word') return this.word(item);
        return item.type === 'Assignment' ? this.assignment(item) : this.redirection(item);
      }),
    ]);
    return words.join(' ');
  }

  redirection(node: Redirection): string {
    const { descriptor } = node;
    const from =
      descriptor === undefined
        ? ''
        : descriptor.type === 'FileDescriptor'
          ? String(descriptor.value)
          : `{${descriptor.name}}`;
    if (node.type === 'HereDoc') return from + this.#hereDocument(node);
    if (node.target === undefined) throw new Unsupported('a redirection has no target');
    return `${from}${node.operator}${/[<>]&$/.test(node.operator) ? '' : ' '}${this.word(node.target)}`;
  }

  // a here-string gives the same input and needs no lines after the command
  #hereDocument({ body, delimiter, operator, closing }: HereDoc): string {
    if (closing === undefined || delimiter === undefined) throw new Unsupported('a here-document has no end');
    // bash joins such lines before it looks for expansions and for the end
    if (!delimiter.quoted && body.text.includes('\\\n'))
      throw new Unsupported('a here-document has a line that is continued by a backslash');
    const untab = (text: string, first: boolean): string =>
      operator === '<<' ? text : text.replaceAll(first ? /^\t+/gm : /(?<=\n)\t+/g, '');
    if (body.parts === undefined || delimiter.quoted) {
      const raw = delimiter.quoted ? body.text : body.text.replaceAll(/\\([\\$`])/g, '$1');
      return hereString(untab(raw, true), quote);
    }
    const parts = body.parts.map((part, index) => {
      if (part.type === 'Literal') return escapeInDoubleQuotes(untab(part.value, index === 0));
      // quotes inside ${...} are kept in a here-document and removed in a string
      if (part.type === 'ParameterExpansion' && /["'\\]/.test(part.text))
        throw new Unsupported('a here-document has ${...} with quotes inside');
      return this.#part(part);
    });
    return hereString(parts.join(''), (text) => `"${text}"`);
  }

  #statements(statements: readonly Statement[], separator = '; '): string {
    return statements
      .map((statement, index) => {
        const text = this.node(statement.command);
        const last = index === statements.length - 1;
        if (statement.background) return last ? `${text} &` : `${text} &${separator === '\n' ? '\n' : ' '}`;
        return last ? text : text + separator;
      })
      .join('');
  }

  /** A list before a keyword or a bracket. */
  #list({ commands }: CompoundList): string {
    if (commands.length === 0) throw new Unsupported('a list of commands is empty');
    return this.#statements(commands) + (commands.at(-1)?.background ? ' ' : '; ');
  }

  node(node: SyntaxNode): string {
    switch (node.type) {
      case 'Command':
        return this.command(node);
      case 'Redirected':
        return [this.node(node.command), ...node.redirects.map((item) => this.redirection(item))].join(' ');
      case 'Pipeline': {
        const prefixes = node.prefixes.map((prefix) => {
          if (prefix.type === 'Negation') return '! ';
          return `time ${prefix.posix ? '-p ' : ''}${prefix.endOfOptions ? '-- ' : ''}`;
        });
        return prefixes.join('') + this.#joined(node.commands, node.operators);
      }
      case 'AndOr':
        return this.#joined(node.commands, node.operators);
      case 'Statement':
        return this.#statements([node]);
      case 'CompoundList':
        return this.#statements(node.commands);
      case 'If':
        return this.#if(node);
      case 'While':
        return `${node.kind} ${this.#list(node.clause)}do ${this.#list(node.body)}done`;
      case 'For':
      case 'Select': {
        const words = node.wordlist?.map((word) => ` ${this.word(word)}`).join('');
        const head = `${node.type === 'For' ? 'for' : 'select'} ${node.name.text}`;
        return `${head}${words === undefined ? '' : ` in${words}`}; do ${this.#list(node.body)}done`;
      }
      case 'ArithmeticFor':
        return this.#arithmeticFor(node);
      case 'Case':
        return this.#case(node);
      case 'Subshell':
        return `( ${this.#statements(node.body.commands)} )`;
      case 'BraceGroup':
        return `{ ${this.#list(node.body)}}`;
      case 'TestCommand':
        return `[[ ${this.#test(node.expression)} ]]`;
      case 'ArithmeticCommand':
        return `((${node.body}))`;
      case 'Function':
        return `function ${node.name.text} ${this.node(node.body)}`;
      case 'Coproc':
        return `coproc ${node.name === undefined ? '' : `${node.name.text} `}${this.node(node.body)}`;
      default:
        throw new Unsupported(`${node.type} is not supported`);
    }
  }

  #joined(commands: readonly SyntaxNode[], operators: readonly string[]): string {
    return commands
      .map((command, index) => (index === 0 ? '' : ` ${operators[index - 1]} `) + this.node(command))
      .join('');
  }

  #if(node: If): string {
    const branches = node.elif.map((elif) => `elif ${this.#list(elif.clause)}then ${this.#list(elif.then)}`);
    const otherwise = node.else === undefined ? '' : `else ${this.#list(node.else)}`;
    return `if ${this.#list(node.clause)}then ${this.#list(node.then)}${branches.join('')}${otherwise}fi`;
  }

  #arithmeticFor(node: ArithmeticFor): string {
    const raw = (part: { pos: number; end: number } | undefined): string =>
      part === undefined ? '' : this.#source.slice(part.pos, part.end);
    const head = [node.initialize, node.test, node.update].map(raw).join('; ');
    return `for ((${head})); do ${this.#list(node.body)}done`;
  }

  // quotes change the matches of a pattern, so patterns keep their spelling
  #case(node: Case): string {
    const items = node.items.map((item) => {
      const patterns = item.pattern.map((pattern) => pattern.text).join(' | ');
      const last = item.body.commands.at(-1);
      const body = item.body.commands.length === 0 ? '' : `${this.#statements(item.body.commands)} `;
      return `(${patterns}) ${body}${last?.background ? '\n' : ''}${item.terminator ?? ';;'} `;
    });
    return `case ${this.word(node.word)} in ${items.join('')}esac`;
  }

  #test(node: TestExpression): string {
    switch (node.type) {
      case 'TestUnary':
        return node.operand.text === '' ? node.operator : `${node.operator} ${node.operand.text}`;
      case 'TestBinary':
        return `${node.left.text} ${node.operator} ${node.right.text}`;
      case 'TestLogical':
        return node.operands.map((operand) => this.#test(operand)).join(` ${node.operator} `);
      case 'TestNot':
        return '! '.repeat(node.negations.length) + this.#test(node.operand);
      case 'TestGroup':
        return `( ${this.#test(node.expression)} )`;
    }
  }

  #parts(word: Word, spell: (value: string) => string): string {
    if (word.parts === undefined) return hasTilde(word.text, true) ? word.text : spell(word.value);
    const literal = literalValue(word);
    if (literal !== undefined) return spell(literal);
    let text = '';
    // literal neighbours become one quoted piece, so that a word has one spelling
    let known: string | undefined;
    const flush = (): void => {
      if (known !== undefined) text += alwaysQuoted(known);
      known = undefined;
    };
    for (const [index, part] of word.parts.entries()) {
      // braces expand first: $x{1,2} means $x1 and $x2
      if (part.type === 'BraceExpansion' && word.parts[index - 1]?.type === 'SimpleExpansion')
        throw new Unsupported('a brace follows a variable: write ${name}{...}');
      const value = literalPart(part, index === 0);
      if (value !== undefined) known = (known ?? '') + value;
      else {
        flush();
        text += part.type === 'Literal' ? part.text : this.#part(part);
      }
    }
    flush();
    return text;
  }

  // after `=` a tilde means a folder at more places than in an argument
  #assigned(word: Word): string {
    return hasTilde(word.text, true) ? word.text : this.word(word);
  }

  #part(part: WordPart): string {
    switch (part.type) {
      case 'Literal':
        return alwaysQuoted(part.value);
      case 'SingleQuoted':
        return alwaysQuoted(part.value);
      case 'AnsiCQuoted':
        return isExact(part) ? quote(part.value) : part.text;
      case 'DoubleQuoted':
      case 'LocaleString': {
        const inside = part.parts.map((child) =>
          child.type === 'Literal' ? escapeInDoubleQuotes(child.value) : this.#part(child),
        );
        return `"${inside.join('')}"`;
      }
      case 'SimpleExpansion':
        // with braces a following letter can never become part of the name
        return `\${${part.text.replaceAll('\\\n', '').slice(1)}}`;
      case 'CommandExpansion':
      case 'ProcessSubstitution':
        return this.#substitution(part);
      case 'ParameterExpansion':
      case 'ArithmeticExpansion':
      case 'Glob':
      case 'BraceExpansion':
        return part.text;
      case 'ExtendedGlob':
        throw new Unsupported('extended globs such as @(a|b) are not supported: write the names');
    }
  }

  #substitution(part: CommandExpansionPart | ProcessSubstitutionPart): string {
    if (part.script === undefined) throw new Unsupported('a substitution could not be parsed');
    if (part.text.startsWith('${')) throw new Unsupported('${ ...; } is not supported: write $(...)');
    const body = this.script(part.script, '; ');
    const open = part.type === 'CommandExpansion' ? '$(' : `${part.operator}(`;
    return `${open}${body.startsWith('(') ? ' ' : ''}${body})`;
  }
}

function alwaysQuoted(value: string): string {
  const text = quote(value);
  return text === value ? `'${value}'` : text;
}

function hereString(text: string, spell: (text: string) => string): string {
  // a here-string adds its own newline
  return text === '' ? '< /dev/null' : `<<< ${spell(text.replace(/\n$/, ''))}`;
}
