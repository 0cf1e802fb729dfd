// Judges one simple command against the tables: does it only read? Unknown programs, options and words mean no.
import { defined } from '@holdfast/base/defined';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { flagTable, type Call, type CommandSpec, type Finding, splitWords } from './command-spec.ts';
import { mayBeFlag, type Argument } from './parse/argument.ts';
import { splitFlags } from './parse/flags.ts';
import { chosenBy, hasArgument, reachOf, walksWith } from './programs/reach.ts';
import { hostsIn, placesIn, urlHostsIn, type Placed, type Places } from './programs/places.ts';
import { table } from './table/table.ts';

/** A program is known by name only where the system installs it: a file of that name elsewhere is another program. */
const systemFolder = /^\/(?:usr\/)?s?bin\/(?=[^/]+$)/;

/** The surrounding shell: whether it may have input, and which variables no program sees. */
export type Shell = Pick<Call, 'hasInput' | 'isOwn'>;

/** The command itself, followed by every command that it runs. */
export function judgeArgv(argv: Argument[], shell: Shell, depth = 0): Placed[] {
  const command = argv.map(({ text }) => text).join(' ');
  const [first, ...args] = argv;
  if (first === undefined) return [];
  const name = first.value?.replace(systemFolder, '');
  const once = (reason: string, found: Finding = {}): Placed =>
    toAction(command, { ...found, reason }, name, args);
  if (name === undefined) {
    const reason = `the name of the program is not known before it runs: ${first.text}`;
    return [once(reason, { decision: 'ask' })];
  }
  if (depth > 8) return [once('commands run commands too deeply')];
  const spec = Object.hasOwn(table, name) ? table[name] : undefined;
  if (spec === undefined) return [once(`${name} is not known to only read`)];
  const {
    runs = [],
    givesInput = false,
    ...found
  } = judgeBySpec(name, args, spec, { ...shell, inherited: '', before: [], target: openTarget(spec, args) });
  const chosen = chosenBy(spec, args);
  const reason =
    chosen && `${name} ${chosen.text} leaves the account, region or cluster that the settings choose`;
  const judged: Finding = reason ? { ...found, reason: found.reason ?? reason, decision: 'ask' } : found;
  return [
    toAction(command, judged, name, args, spec),
    ...runs.flatMap((inner) =>
      judgeArgv(inner, { ...shell, hasInput: shell.hasInput || givesInput }, depth + 1),
    ),
  ];
}

/** Words for the question about a change whose account or cluster no word of it names. */
function openTarget(spec: CommandSpec, args: Argument[]): string {
  if (spec.chooses === undefined || chosenBy(spec, args)) return '';
  return `, where the settings point when it runs (no ${splitWords(spec.chooses.options)[0]})`;
}

/** A read names the hosts that its check found and those of its URLs; a change, every host that its words may mean. */
function toAction(
  command: string,
  found: Finding,
  name = '',
  args: Argument[] = [],
  spec: CommandSpec = {},
): Placed {
  const { reason, decision, hosts = [], paths = [], unknown = [] } = found;
  const isChange = reason !== undefined;
  const { wraps = false } = spec;
  const files = spec.files ?? spec.changesOperands ?? false;
  // a command that it runs is a separate action
  const looked = wraps && isChange ? args : (found.files ?? (wraps ? [] : args));
  const places = placesIn(looked, { files, pattern: spec.pattern !== undefined });
  const named = isChange ? hostsIn(name, args) : spec.opens ? urlHostsIn(args) : [];
  const reached: Places = {
    ...places,
    paths: [...paths, ...places.paths],
    unknown: [...unknown, ...places.unknown],
    // a change of a folder may reach its whole content
    walks: found.walks ?? isChange,
  };
  return defined({
    effect: isChange ? 'once' : 'read',
    command,
    places: reached,
    hosts: unlessEmpty([...new Set([...hosts, ...named])]),
    reason,
    decision,
  });
}

/** Inherited by a sub-command: the known options, and those given before it. */
type From = Shell & { inherited: string; before: Call['flags']; usage?: boolean; target: string };

function judgeBySpec(
  name: string,
  args: Argument[],
  spec: CommandSpec,
  { inherited, before, usage = false, target, ...shell }: From,
): Finding {
  const [only, ...others] = args;
  const printsUsage = spec.usage ?? (usage || spec.changes === undefined);
  if (others.length === 0 && printsUsage && /^--(?:help|version)$/.test(only?.value ?? '')) return {};
  const asks = spec.ask === true || (spec.ask instanceof RegExp && hasArgument(spec.ask, args));
  const ask = asks ? { decision: 'ask' as const } : {};
  if (spec.changes !== undefined) {
    const literals = args.flatMap(({ value }) =>
      value === undefined || value.startsWith('-') ? [] : [value],
    );
    return defined({
      reason: `${name} ${spec.changes}${target}`,
      paths: spec.changesOperands ? literals : undefined,
      walks: spec.walks === undefined ? undefined : walksWith(spec.walks, args),
      ...ask,
    });
  }
  const flags = spec.flags === 'any' ? 'any' : `${inherited} ${spec.flags ?? ''}`;
  const [pattern, meaning] = spec.unless ?? [];
  const end = args.findIndex(({ value }) => value === '--');
  const options = end === -1 ? args : args.slice(0, end);
  const bad = pattern && options.find((argument) => mayMatch(argument, pattern, flags === 'any'));
  if (bad) return { reason: `${name} ${meaning}: ${bad.text}`, ...ask };
  const optionsFirst = spec.wraps ?? spec.optionsFirst ?? false;
  const stopAtOperand = spec.subcommands !== undefined || optionsFirst;
  const split = splitFlags(args, flagTable(flags), spec.style, stopAtOperand);
  if (!split.ok)
    return defined({
      reason: `${name}: ${split.reason}`,
      decision: spec.wraps || spec.ask ? 'ask' : undefined,
    });
  const given = [...before, ...split.flags];
  if (spec.subcommands !== undefined)
    return judgeSubcommand(name, split.rest, args, spec, {
      ...shell,
      inherited: flags,
      before: given,
      target,
      usage: spec.usage ?? usage,
    });
  const { operands = Infinity } = spec;
  if (split.operands.length > operands || (operands < Infinity && split.operands.some(({ many }) => many)))
    return { reason: `${name} takes at most ${operands} operands to only read` };
  const found = spec.check?.({
    ...shell,
    name,
    args,
    flags: given,
    operands: optionsFirst ? split.rest : split.operands,
  });
  const judged = { ...reachOf(spec, args), ...found };
  return judged.reason === undefined ? judged : { ...judged, ...ask };
}

/** A word that is not literal may be any option; where options are listed, it is refused for that reason. */
function mayMatch(argument: Argument, pattern: RegExp, isOpen: boolean): boolean {
  return argument.value === undefined ? isOpen && mayBeFlag(argument) : pattern.test(argument.value);
}

function judgeSubcommand(
  name: string,
  [first, ...rest]: Argument[],
  args: Argument[],
  spec: CommandSpec,
  from: From,
): Finding {
  const { hasInput, isOwn, before: flags } = from;
  if (first === undefined)
    return spec.check === undefined
      ? { reason: `${name} without a command is not known to only read` }
      : (spec.check({ name, args, hasInput, isOwn, flags, operands: [] }) ?? {});
  const found =
    first.value !== undefined && Object.hasOwn(spec.subcommands ?? {}, first.value)
      ? spec.subcommands?.[first.value]
      : undefined;
  const path = `${name} ${first.text}`;
  if (found === undefined) return { reason: `${path} is not known to only read` };
  const style = spec.style ? { style: spec.style } : {};
  return judgeBySpec(path, rest, { ...style, ...found }, from);
}
