// Adds progress marks to a command line: after each change but the last it writes a byte to a separate descriptor.
// Nothing else about the line differs. Nothing is executed here.
import { parse, type ParsedScript } from 'unbash';
import { judgeScript } from './judge-script.ts';
import type { Rebuild } from './parse/rebuild.ts';

type Node = ParsedScript['commands'][number]['command'];

/** Constructs that would notice a further command: by its exit code, by a trap, by `set -e`. */
const seesCommands = /\$[?{]|PIPESTATUS|\b(?:set|trap|shopt)\b/;

/** The line may have a descriptor with the same number: marks would go into its file, or fail once it is closed. */
const movesDescriptors = /(?<!-)\bexec\b/;

/** Undefined if its parts cannot be told apart. */
export function markChanges(script: ParsedScript, rebuild: Rebuild, descriptor: number): string | undefined {
  const { commands } = script;
  const chains = commands.map(({ command }) => chainOf(command).map((node) => rebuild.node(node)));
  if (commands.some(({ background }) => background)) return undefined;
  const whole = rebuild.script(script);
  if (movesDescriptors.test(whole) || (chains.length > 1 && seesCommands.test(whole))) return undefined;
  // `$_` keeps its value: the last argument of the command before
  const mark = ` && printf '.%.0s' "$_" >&${descriptor}`;
  const last = chains.at(-1)?.at(-1);
  const marked = chains.map((parts) =>
    parts.map((part) => (part === last || !changes(part) ? part : part + mark)).join(' && '),
  );
  return marked.join('\n');
}

/** The parts of `a && b`; any other list is one part. */
function chainOf(node: Node): readonly Node[] {
  return node.type === 'AndOr' && node.operators.every((operator) => operator === '&&')
    ? node.commands
    : [node];
}

function changes(part: string): boolean {
  try {
    const actions = judgeScript(parse(part), part, { beginsAtRoot: false, environment: [] });
    return actions.some(({ effect }) => effect !== 'read');
  } catch {
    return true;
  }
}
