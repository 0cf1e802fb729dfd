// The actions of a bash command line, by a real parse: each simple command in it, however nested, and the plan by which
// the line runs. Executes nothing, and reads nothing from the machine.
import { parse, type ParsedScript } from 'unbash';
import { present } from '@holdfast/base/present';
import { suffixOf } from './parse/git-words.ts';
import { literalValue } from './parse/literal.ts';
import { Rebuild } from './parse/rebuild.ts';
import { Unsupported } from './parse/unsupported.ts';
import { judgeScript } from './judge-script.ts';
import { markChanges } from './mark-changes.ts';
import type { ShellAction } from './shell-action.ts';
import { builtins } from './table/builtins.ts';

export type { ShellAction };

export type CommandPlan = { type: 'argv'; argv: string[] } | { type: 'script'; script: string };

export type CommandJudgement =
  | {
      ok: true;
      actions: ShellAction[];
      plan: CommandPlan;
      shown: string;
      /** The script of the plan with progress marks: it writes a byte to a descriptor for each change that it has made. */
      marked(descriptor: number): string | undefined;
    }
  | { ok: false; reason: string };

/** Longer commands are not judged: 32 Ki UTF-16 units, more than a person can approve. */
export const maxCommandLength = 32_768;

/**
 * `shown` is the whole line as it will run. With `ok: false` nothing may run. `cwd` is the folder of the line's
 * beginning, `environment` lists the variables that the runner sets beside its own.
 */
export function judgeCommand(
  command: string,
  cwd = '/',
  environment: readonly string[] = [],
): CommandJudgement {
  const refusal = textRefusal(command);
  if (refusal !== undefined) return { ok: false, reason: refusal };
  try {
    const script = parse(command);
    const actions = judgeScript(script, command, { beginsAtRoot: cwd === '/', environment });
    if (script.commands.length === 0) return { ok: false, reason: 'The command is empty.' };
    const plan = toPlan(script, command);
    const marked = (descriptor: number) => markChanges(script, new Rebuild(command), descriptor);
    return { ok: true, actions, plan, shown: showPlan(plan, script, command), marked };
  } catch (error) {
    if (error instanceof Unsupported)
      return { ok: false, reason: `The command is refused: ${error.message}.` };
    if (error instanceof RangeError) return { ok: false, reason: 'The command is nested too deeply.' };
    throw error;
  }
}

/** False for a refused line. */
export function isRead(judgement: CommandJudgement): boolean {
  return judgement.ok && judgement.actions.every(({ effect }) => effect === 'read');
}

function textRefusal(command: string): string | undefined {
  if (command.length > maxCommandLength)
    return `The command has ${command.length} characters: expected at most ${maxCommandLength}.`;
  if (command.includes('\0')) return 'The command has a NUL character, which bash drops.';
  if (!command.isWellFormed()) return 'The command has half a character (a lone surrogate).';
  return undefined;
}

function toPlan(script: ParsedScript, source: string): CommandPlan {
  return toArgv(script) ?? { type: 'script', script: new Rebuild(source).script(script) };
}

/** One simple command of literal words needs no shell, except builtins: echo and printf differ from their programs. */
function toArgv({ commands }: ParsedScript): CommandPlan | undefined {
  const [statement] = commands;
  if (commands.length !== 1 || statement?.background || statement?.command.type !== 'Command')
    return undefined;
  const { name, prefix } = statement.command;
  const argv = present([name, ...suffixOf(statement.command)]).map((item) =>
    item.type === 'Word' ? literalValue(item) : undefined,
  );
  const [first] = argv;
  if (prefix.length > 0 || first === undefined || first === '' || needsShell(first)) return undefined;
  return argv.every((word) => word !== undefined) ? { type: 'argv', argv } : undefined;
}

const shellOnly = new Set(['command', 'builtin', 'exec']);

function needsShell(name: string): boolean {
  return (Object.hasOwn(builtins, name) && name !== 'sleep' && name !== 'yes') || shellOnly.has(name);
}

function showPlan(plan: CommandPlan, script: ParsedScript, source: string): string {
  return plan.type === 'script' ? plan.script : new Rebuild(source).script(script);
}
