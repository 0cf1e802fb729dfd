// The certain beginning of some commands' output, on any machine: for `$(...)` as a word.
import type { Script, Word } from 'unbash';
import { literalValue } from './literal.ts';

/** One possible text of a variable or a command. `plain`: without a blank or a pattern, at which bash would split it. */
export type Held = { begins: string; plain: boolean };

/** Undefined if nothing is known. `isOperand` is true for a word that is no option. An empty output counts as one, too. */
export function deriveOutput(
  script: Script | undefined,
  isOperand: (word: Word) => boolean,
): readonly Held[] | undefined {
  const command = script?.commands[0]?.command;
  if (script?.commands.length !== 1 || command?.type !== 'Command' || command.prefix.length > 0)
    return undefined;
  if (command.name === undefined || command.redirects.some((item) => !isQuiet(item))) return undefined;
  const words = command.suffix.flatMap((item) => (item.type === 'Word' ? [item] : []));
  if (words.length < command.suffix.filter(({ type }) => type !== 'Redirect').length) return undefined;
  const begins = beginning(literalValue(command.name) ?? '', words, isOperand);
  return begins && [{ begins: '', plain: true }, begins];
}

function beginning(
  name: string,
  words: readonly Word[],
  isOperand: (word: Word) => boolean,
): Held | undefined {
  const values = words.map(literalValue);
  const safe = (word: Word): boolean => {
    const value = literalValue(word);
    return value === undefined ? isOperand(word) : !value.startsWith('-');
  };
  switch (name) {
    case 'pwd':
      return words.length === 0 ? { begins: '/', plain: false } : undefined;
    case 'realpath':
      return words.every(safe) ? { begins: '/', plain: false } : undefined;
    case 'readlink':
      return /^-[fem]$/.test(values[0] ?? '') && words.slice(1).every(safe)
        ? { begins: '/', plain: false }
        : undefined;
    // for a path without a leading dash: its own beginning, / or .
    case 'dirname':
      return words.every(safe) ? { begins: '/', plain: false } : undefined;
    // in the folders of PATH, whose names have no blanks
    case 'which':
      return values.every((value) => /^[\w][\w.+-]*$/.test(value ?? ''))
        ? { begins: '/', plain: true }
        : undefined;
    case 'uname':
      return values.every((value) => /^-[rsm]$/.test(value ?? '')) ? { begins: 'x', plain: true } : undefined;
    case 'date':
      return values.length === 1 && /^\+%[YmdHMFT][\w%.:+-]*$/.test(values[0] ?? '')
        ? { begins: '2', plain: false }
        : undefined;
    default:
      return undefined;
  }
}

function isQuiet({ operator, target }: { operator: string; target?: Word | undefined }): boolean {
  return operator === '>' && target?.text === '/dev/null';
}
