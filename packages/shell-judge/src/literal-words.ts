// Checks whether all words of a simple command are known before it runs. Pure.
import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { literalValue } from './parse/literal.ts';

/**
 * `command` is in the judge's form. False if a word expands (a variable, a pattern, a substitution), if `find` replaces a
 * word by names, and if the text is only a part of a command.
 */
export function hasLiteralWords(command: string): boolean {
  const script = parse(command);
  return (script.errors ?? []).length === 0 && isLiteral(script);
}

/** True if xargs adds words to some command of a line. */
export function takesWordsFromInput(commands: readonly string[]): boolean {
  return commands.some((command) => /^(?:\S*\/)?xargs(?:\s|$)/.test(command));
}

function isLiteral(node: SyntaxNode): boolean {
  if (node.type === 'Word') {
    const value = literalValue(node);
    return value !== undefined && !value.includes('{}');
  }
  let all = true;
  forEachChild(node, (child) => {
    all = all && isLiteral(child);
  });
  return all;
}
