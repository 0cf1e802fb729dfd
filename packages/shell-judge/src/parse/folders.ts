// The folders in which the parts of a line may run, by every `cd` in it: relative to the folder of the line's beginning.
// A `cd` may fail or not run, so each one adds folders and removes none.
import type { SyntaxNode } from 'unbash';
import { literalValue } from './literal.ts';
import { meaningsOf, type Argument } from './argument.ts';
import { isAbsolute, join } from '../programs/places.ts';

const maxFolders = 16;

export class Folders {
  #known: string[] | undefined = [''];
  #moves = 0;
  readonly #hasOtherRules: boolean;

  constructor(source: string) {
    // with these a word of cd, or `cd -`, means another folder
    this.#hasOtherRules = /\b(?:CDPATH|OLDPWD)\b/.test(source);
  }

  /** Undefined if unknown. A part that runs only after the line's single `cd` is in that folder alone. */
  of(moved: boolean): string[] | undefined {
    const [, ...targets] = this.#known ?? [];
    return moved && this.#moves === 1 && targets.length > 0 ? targets : this.#known;
  }

  /** In a loop a relative `cd` goes deeper each time. */
  enter(argv: readonly Argument[], inLoop: boolean): void {
    const words = argv.map(({ value }) => value);
    const start = words.findIndex((word) => !/^(?:builtin|command|-p|--)$/.test(word ?? ''));
    const name = words[start];
    const movesPrograms = words.some((word) => /^-(?:exec|ok)dir$/.test(word ?? ''));
    if (name === 'alias' || movesPrograms) this.#known = undefined;
    if (name !== 'cd' && name !== 'pushd' && name !== 'popd') return;
    this.#moves += 1;
    const to = argv.slice(start + 1).filter(({ value }) => !/^-[LPe@n-]+$/.test(value ?? ''));
    // popd, pushd and `cd -` return to a folder that is listed already
    const leadsBack = to.length === 0 ? name !== 'cd' : to.length === 1 && to[0]?.value === '-';
    if (leadsBack && !this.#hasOtherRules) return;
    const targets = to.length === 1 && to[0] ? meaningsOf(to[0]) : [{}];
    this.#add(
      targets.map(({ text, whole }) => (whole && !this.#hasOtherRules ? text : undefined)),
      inLoop,
    );
  }

  #add(targets: readonly (string | undefined)[], inLoop: boolean): void {
    const before = this.#known;
    const isCertain = targets.every((target) => target !== undefined && (!inLoop || isAbsolute(target)));
    if (before === undefined || !isCertain) {
      this.#known = undefined;
      return;
    }
    const after = before.flatMap((folder) => targets.map((target = '') => join(folder, target)));
    const all = [...new Set([...before, ...after])];
    this.#known = all.length > maxFolders ? undefined : all;
  }
}

/** True if a command of `a && b && c` runs only after a successful `cd`. */
export function hasMoved(node: SyntaxNode, child: SyntaxNode): boolean {
  if (node.type !== 'AndOr') return false;
  const at = node.commands.findIndex((command) => command === child);
  const or = node.operators.slice(0, Math.max(0, at)).lastIndexOf('||');
  return node.commands
    .slice(or + 1, Math.max(0, at))
    .some(
      (command) =>
        command.type === 'Command' && command.name && /^(?:cd|pushd)$/.test(literalValue(command.name) ?? ''),
    );
}
