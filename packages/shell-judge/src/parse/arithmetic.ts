// Arithmetic can run commands: a variable whose text is `a[$(rm x)]` is evaluated, and its subscript expanded. An
// expression is a read only if every name in it certainly holds a number.
import {
  forEachChild,
  type ArithmeticExpression,
  type Assignment,
  type Command,
  type Redirection,
  type Script,
  type SyntaxNode,
  type Word,
} from 'unbash';
import { literalValue } from './literal.ts';

const number = /^(?:\d+(?:#[\da-zA-Z@_]+)?|0[xX][\da-fA-F]+)$/;
/** Variables that bash itself keeps as numbers, and lengths. */
const numeric =
  /^\$?\{?(?:[#?$!]|RANDOM|SECONDS|LINENO|EPOCHSECONDS|UID|EUID|PPID|BASHPID|#[A-Za-z_]\w*(?:\[[@*]\])?)\}?$/;
/** bash itself puts the last word of each command into `_` */
const variable = /^\$?\{?(?!_\}?$)([a-z_][a-z0-9_]*)\}?$/;
const setters = /^(?:read|mapfile|readarray|printf|getopts|declare|typeset|local|export|readonly)$/;

/** Names that get text anywhere in the script: their value could be a subscript. */
export function namesWithText(script: Script): Set<string> {
  const names = new Set<string>();
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Assignment' && !isNumberAssignment(node)) names.add(node.name);
    if (node.type === 'For' || node.type === 'Select') {
      if (!node.wordlist?.every(isNumberWord)) names.add(node.name.value);
    }
    if (node.type === 'ParameterExpansion' && node.operation?.type === 'Default') names.add(node.parameter);
    if (node.type === 'Command') for (const name of namesSetBy(node)) names.add(name);
    if (node.type === 'Coproc') names.add(node.name?.value ?? 'COPROC');
    forEachChild(node, visit);
  };
  visit(script);
  return names;
}

/** Every name that a builtin may set, also after `command` or `builtin` and in the letters of an option, as in `-rax`. */
export function namesSetBy({ name, suffix }: Command): string[] {
  const words = [name, ...suffix].flatMap((item) =>
    item?.type === 'Word' ? [literalValue(item) ?? item.value] : [],
  );
  if (!words.some((word) => setters.test(word))) return [];
  return words.flatMap((word) => {
    const known = word.replace(/\+?=.*$/s, '');
    return known.startsWith('-') ? Array.from(known, (_, index) => known.slice(index)) : [known];
  });
}

/** The reason why the expression may do more than compute; undefined if it cannot. */
export function arithmeticReason(node: ArithmeticExpression, withText: Set<string>): string | undefined {
  switch (node.type) {
    case 'ArithmeticBinary':
      return arithmeticReason(node.left, withText) ?? arithmeticReason(node.right, withText);
    case 'ArithmeticUnary':
      return arithmeticReason(node.operand, withText);
    case 'ArithmeticGroup':
      return arithmeticReason(node.expression, withText);
    case 'ArithmeticTernary':
      return (
        arithmeticReason(node.test, withText) ??
        arithmeticReason(node.consequent, withText) ??
        arithmeticReason(node.alternate, withText)
      );
    case 'ArithmeticCommandExpansion':
      return isNumberCommand(node.script) ? undefined : evaluated(node.text);
    case 'ArithmeticWord':
      return numberReason(node.value.trim(), withText);
  }
}

/** Like `arithmeticReason`, for a word that bash evaluates as arithmetic: a subscript, an operand of -eq. */
export function numberReason(text: string, withText: Set<string>): string | undefined {
  const bare = text.replace(/^"(.*)"$/s, '$1');
  if (bare === '' || number.test(bare.replace(/^[-+]/, '')) || numeric.test(bare)) return undefined;
  const name = variable.exec(bare)?.[1];
  return name !== undefined && !withText.has(name) ? undefined : evaluated(text);
}

function evaluated(text: string): string {
  return `${text} is evaluated as arithmetic, and its text could hold a command`;
}

function isNumberAssignment({
  value,
  index,
}: {
  value: Word | { type: 'ArrayValue' };
  index: Word | undefined;
}): boolean {
  return value.type === 'Word' && index === undefined && isNumberWord(value);
}

function isNumberWord(word: Word): boolean {
  if (number.test(word.text)) return true;
  const [part, ...more] = word.parts ?? [];
  if (part === undefined || more.length > 0) return false;
  if (part.type === 'ArithmeticExpansion') return true;
  if (part.type === 'BraceExpansion') return /^\{\d+\.\.\d+\}$/.test(part.text);
  return part.type === 'CommandExpansion' && isNumberCommand(part.script);
}

/** Commands that print only a number, whatever the files contain. */
function isNumberCommand(script: Script | undefined): boolean {
  const command = script?.commands[0]?.command;
  if (script?.commands.length !== 1 || command?.type !== 'Command' || command.prefix.length > 0) return false;
  const line = [command.name, ...command.suffix.filter((item) => item.type === 'Word')]
    .map((word) => word?.text)
    .join(' ');
  const plain = command.suffix.every((item) => item.type === 'Word' || isPlainInput(item));
  return plain && /^(?:date (?:-u )?\+%[sYmdHMSjN]|nproc|wc -[lcw]|id -u|seq [\d ]+)$/.test(line);
}

// a message about the file is text, and must not join the number
function isPlainInput(item: Redirection | Assignment): boolean {
  if (item.type !== 'Redirect') return false;
  return item.operator === '<' || (item.operator === '>' && item.target?.text === '/dev/null');
}
