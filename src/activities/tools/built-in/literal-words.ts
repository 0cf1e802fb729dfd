// Whether all words of a simple command are known before it runs. Pure.
import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { literalValue } from '../../shell/parse/literal.ts';

/**
 * Of a command as the judge shows it. False where a word expands (a variable, a pattern, a substitution), where `find` puts
 * names in place of a word, and where the text is only a part of a command.
 */
export function hasLiteralWords(command: string): boolean {
  const script = parse(command);
  return (script.errors ?? []).length === 0 && isLiteral(script);
}

/** Whether some command of a line is run with words that xargs reads. */
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
