// awk programs: system(), pipes, output to files and getline are no reads. The rest of the language only computes and prints.
import type { Call, Finding } from '../command-spec.ts';
import type { Argument } from '../parse/argument.ts';

export function judgeAwk({ operands, name }: Call): Finding | undefined {
  const [program, ...files] = operands;
  if (program?.value === undefined) return { reason: `${name}: the program is not known before it runs` };
  // gawk reads a file of such a name from a connection
  if (/ARGV|SYMTAB/.test(program.value))
    return { reason: `${name}: the program names files to read, which could be connections` };
  const reason = awkReason(program.value);
  if (reason !== undefined) return { reason: `${name}: ${reason}` };
  const file = name === 'mawk' ? undefined : files.find(mayBeConnection);
  return file && { reason: `${name} may connect to ${file.text}: write a folder before the name` };
}

function mayBeConnection({ value, prefix, text }: Argument): boolean {
  if (value !== undefined) return value.startsWith('/inet');
  if (/^(?:"?\$\{HOME\}"?'?\/)/.test(text)) return false;
  return prefix.startsWith('/inet') || '/inet'.startsWith(prefix);
}

type Token = { type: 'word' | 'number' | 'string' | 'regex' | 'sign'; text: string };

const keywordsBeforeRegex = /^(?:print|printf|return|case|in|do|else|delete)$/;

function awkReason(program: string): string | undefined {
  // without any of these nothing can be run or written, however the rest is parsed
  if (!/system|getline|[|>@]|\\\r?\n/.test(program)) return undefined;
  if (/\\\r?\n/.test(program)) return 'a line is continued by a backslash';
  const tokens = tokenize(program);
  if (typeof tokens === 'string') return tokens;
  // the beginning of a print statement, and the open brackets in it: `>` outside them writes a file
  let printing: number | undefined;
  let depth = 0;
  for (const [index, { type, text }] of tokens.entries()) {
    if (type === 'word') {
      if (/(?:^|:)system$/.test(text)) return 'system() runs a command';
      if (/(?:^|:)getline$/.test(text)) return 'getline reads files or commands that no rule sees';
      if (text === 'print' || text === 'printf') printing = depth;
    } else if (type === 'sign') {
      if (text === '@') return '@ loads or calls what is not known';
      if (text === '|' || text === '|&') return '| runs a command';
      if (/^[([{]$/.test(text)) depth += 1;
      if (/^[)\]}]$/.test(text)) depth -= 1;
      // a newline may continue the statement: after a comma, an operator, in brackets
      if (printing !== undefined && (text === ';' || depth < printing)) printing = undefined;
      if (printing === depth && /^>{1,2}$/.test(text) && !isStandard(tokens[index + 1], tokens[index + 2]))
        return '> writes a file';
    }
  }
  return undefined;
}

function isStandard(target: Token | undefined, next: Token | undefined): boolean {
  const ends = next === undefined || /^[;}\n]$/.test(next.text);
  return ends && target?.type === 'string' && /^"\/dev\/(?:stdout|stderr|null)"$/.test(target.text);
}

/** Tokens of the program, or the reason why it could not be read with certainty. */
function tokenize(program: string): Token[] | string {
  const tokens: Token[] = [];
  let at = 0;
  while (at < program.length) {
    const rest = program.slice(at);
    const blank = /^(?:[ \t\r]+|#[^\n]*)/.exec(rest);
    if (blank !== null) {
      at += blank[0].length;
      continue;
    }
    const slash = rest.startsWith('/') ? slashMeaning(tokens.at(-1)) : undefined;
    if (slash === 'unclear') return 'a / could be a division or a pattern';
    const token = slash === 'regex' ? regex(rest) : plainToken(rest);
    if (token === undefined) return `it is not understood at ${JSON.stringify(rest.slice(0, 10))}`;
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function plainToken(rest: string): Token | undefined {
  const string = /^"(?:\\[^]|[^"\\\n])*"/.exec(rest);
  if (string !== null) return { type: 'string', text: string[0] };
  if (rest.startsWith('"')) return undefined;
  const number = /^(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/.exec(rest);
  if (number !== null) return { type: 'number', text: number[0] };
  const word = /^[A-Za-z_][\w:]*/.exec(rest);
  if (word !== null) return { type: 'word', text: word[0].replace(/:+$/, '') };
  const sign = /^(?:\*\*=|\|\||&&|\|&|\+\+|--|>>|[-+*/%^=!<>]=|\*\*|!~|[-+*/%^=!<>~?:,;(){}[\]$@|\n])/.exec(
    rest,
  );
  return sign === null ? undefined : { type: 'sign', text: sign[0] };
}

function slashMeaning(before: Token | undefined): 'regex' | 'division' | 'unclear' {
  if (before === undefined) return 'regex';
  switch (before.type) {
    case 'number':
    case 'string':
      return 'division';
    case 'regex':
      return 'unclear';
    case 'word':
      if (keywordsBeforeRegex.test(before.text)) return 'regex';
      return /^(?:length|getline|next|exit|BEGIN|END)$/.test(before.text) ? 'unclear' : 'division';
    case 'sign':
      if (before.text === '++' || before.text === '--') return 'unclear';
      // `)` ends an operand, or the condition of an if, after which a pattern could follow
      if (before.text === ')') return 'unclear';
      return before.text === ']' ? 'division' : 'regex';
  }
}

// a slash in brackets ends the pattern in some versions of awk only
function regex(rest: string): Token | undefined {
  const found = /^\/(?:\\[^\n]|\[\^?\]?(?:\\[^\n]|\[:\w+:\]|[^\]/\n\\])*\]|[^/\\[\n])*\//.exec(rest);
  return found === null ? undefined : { type: 'regex', text: found[0] };
}
