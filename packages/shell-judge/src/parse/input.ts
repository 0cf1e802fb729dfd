// Checks whether a command may have standard input, which matters for programs that send their input away. Commands of
// bash itself begin without any; a pipe, a redirection or a loop that reads a file provides some.
import { forEachChild, type Command, type Redirection, type Script, type SyntaxNode } from 'unbash';
import { literalValue } from './literal.ts';
import { descriptorOf } from './redirections.ts';

/** For a child of a node, from the result for the node itself. */
export function childHasInput(node: SyntaxNode, child: SyntaxNode, has: boolean): boolean {
  switch (node.type) {
    case 'Pipeline': {
      const before = node.commands[node.commands.findIndex((command) => command === child) - 1];
      return before === undefined ? has : !saysNothing(before);
    }
    case 'Redirected':
      return node.command === child ? redirectedInput(node.redirects, has) : has;
    case 'ProcessSubstitution':
      return node.operator === '>' || has;
    case 'Coproc':
      return true;
    default:
      return has;
  }
}

/** The last redirection of descriptor 0 counts. */
export function redirectedInput(redirects: readonly Redirection[], has: boolean): boolean {
  const input = redirects.findLast((redirect) => descriptorOf(redirect) === 0);
  if (input === undefined) return has;
  return !(input.operator === '<' && input.target && literalValue(input.target) === '/dev/null');
}

/** `exec < file` provides input to all later commands. */
export function execHasInput(script: Script): boolean {
  let found = false;
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command') {
      const isExec = [node.name, ...node.suffix].some(
        (word) => word?.type === 'Word' && literalValue(word) === 'exec',
      );
      found ||= isExec && redirectedInput(node.redirects, false);
    }
    forEachChild(node, visit);
  };
  visit(script);
  return found;
}

/** `echo |` and `echo Q |` end a connection that would wait for input, and carry nothing. */
function saysNothing(node: SyntaxNode): boolean {
  if (node.type !== 'Command' || node.name === undefined) return false;
  const words = literalWords(node);
  return words !== undefined && /^(?:(?:echo(?: Q?)?)|true|:)$/.test(words.join(' '));
}

function literalWords({ name, args }: Command): string[] | undefined {
  const words = [name, ...args].map((word) => (word?.type === 'Word' ? literalValue(word) : undefined));
  return words.every((word) => word !== undefined) ? words : undefined;
}
