// The files that a program reads beyond its operands: the content of a folder, and files that another file names.
import { flagTable, splitWords, type CommandSpec, type Finding } from '../command-spec.ts';
import type { Argument } from '../parse/argument.ts';

export function reachOf(spec: CommandSpec, args: Argument[]): Finding {
  const { walks, lists } = spec;
  if (lists !== undefined && hasArgument(lists, args)) return { unknown: [''] };
  if (walks === undefined || !walksWith(walks, args)) return {};
  return hasPlace(spec, args) ? { walks: true } : { walks: true, unknown: ['./'] };
}

export function walksWith(walks: boolean | RegExp, args: Argument[]): boolean {
  return typeof walks === 'boolean' ? walks : hasArgument(walks, args);
}

export function hasArgument(pattern: RegExp, args: Argument[]): boolean {
  return args.some(({ value }) => value !== undefined && pattern.test(value));
}

/** The first option that chooses another account, region, cluster or server. */
export function chosenBy({ chooses }: CommandSpec, args: Argument[]): Argument | undefined {
  if (chooses === undefined) return undefined;
  const known = splitWords(chooses.options);
  const isChosen = ({ value, prefix }: Argument): boolean => {
    const [name = ''] = (value ?? prefix).split('=', 1);
    if (
      known.some(
        (option) => name === option || (/^-\w$/.test(option) && /^-\w/.test(name) && name.startsWith(option)),
      )
    )
      return true;
    return (
      chooses.abbreviated === true && /^--\w/.test(name) && known.some((option) => option.startsWith(name))
    );
  };
  const end = args.findIndex(({ value = '' }) => value === '--' || (chooses.first && !value.startsWith('-')));
  return (end === -1 ? args : args.slice(0, end)).find(isChosen);
}

/** True if a folder or file is certainly given; a value of an option and a pattern are none. */
function hasPlace({ flags, values, pattern }: CommandSpec, args: Argument[]): boolean {
  const { arity } = flagTable(flags === 'any' ? values : flags);
  const given: string[] = [];
  let operands = 0;
  for (let at = 0; at < args.length; at += 1) {
    const { value } = args[at] ?? {};
    if (value === '--') {
      operands += args.length - at - 1;
      break;
    }
    const option = value?.startsWith('-') && value !== '-' ? valueOption(value, arity) : undefined;
    if (option !== undefined) {
      given.push(option.name);
      if (option.takesNext) at += 1;
    } else if (!value?.startsWith('-') || value === '-') operands += 1;
  }
  const needsPattern = pattern !== undefined && !splitWords(pattern).some((name) => given.includes(name));
  return operands > (needsPattern ? 1 : 0);
}

/** The option of a word that takes a value, even if its name is abbreviated. */
function valueOption(
  word: string,
  arity: ReadonlyMap<string, string>,
): { name: string; takesNext: boolean } | undefined {
  if (word.startsWith('--')) {
    const [name = '', inline] = word.split('=', 2);
    if (inline !== undefined) return { name, takesNext: false };
    const isValued = [...arity].some(([known, takes]) => takes === 'value' && known.startsWith(name));
    return isValued ? { name, takesNext: true } : undefined;
  }
  for (let at = 1; at < word.length; at += 1) {
    const name = `-${word[at]}`;
    const takes = arity.get(name);
    if (takes === 'value') return { name, takesNext: at === word.length - 1 };
    if (takes === 'attached') return undefined;
  }
  return undefined;
}
