// The words in which the tables say what a program does. A table names what reads; what it does not name is not a read.
import type { Argument } from './parse/argument.ts';

export interface CommandSpec {
  /**
   * Options that only read, as one list: "-a -n: --all --lines= --color=?". `:` and `=` take a value, `=?` takes one only
   * behind the sign. 'any' says that no option of the program changes anything or reaches anything, so that words that
   * are not literal may be options, too.
   */
  flags?: string;
  /** 'words' where `-name` is one option and not four letters, as for find, openssl and Go's flag package. */
  style?: 'letters' | 'words';
  /**
   * Options that change something, and what: a pattern over the whole word. Needed where `flags` is 'any'; elsewhere it only
   * says more than that the option is not known.
   */
  unless?: [RegExp, string];
  /** Most operands with which it still reads; a further one has another meaning. */
  operands?: number;
  /** The first operand decides. Options of this entry are allowed before and after it; `check` judges it without one. */
  subcommands?: Record<string, CommandSpec>;
  /**
   * Whether --help or --version alone only prints, by its manual, and that of its sub-commands. Where nothing is said, it does
   * unless it `changes` something.
   */
  usage?: boolean;
  /** What it does, where it never reads: "removes files". The operands are the paths it changes if `changesOperands`. */
  changes?: string;
  changesOperands?: boolean;
  /** As `optionsFirst`, and the first operand begins a command line of its own. Unclear options must be asked about. */
  wraps?: true;
  /** Options end at the first operand. */
  optionsFirst?: true;
  /** Its operands are files, also bare words: rules over paths look at them. */
  files?: boolean;
  /** The first operand is a pattern or a script, unless one of these options gives it: "-e -f --regexp --file". */
  pattern?: string;
  /**
   * It looks at all that is in the folders that it is given, or in its own without one; a pattern: with such an option. A
   * change does it to all that is in them, where nothing else is said.
   */
  walks?: boolean | RegExp;
  /** Where `flags` is 'any' and it walks: those of its options that take a value, written as in `flags`. */
  values?: string;
  /** Words that name a list of files, or what holds further options: which files it reads is not known. */
  lists?: RegExp;
  /** It may open an address: each URL in its words counts as a host, whatever option it belongs to. */
  opens?: boolean;
  /**
   * Must be asked about, whatever a rule of the policy allows; 'unclear': where not all of its options are known; a pattern:
   * with such an option.
   */
  ask?: true | 'unclear' | RegExp;
  /** Further conditions, after the options are known to read. */
  check?: (call: Call) => Finding | undefined;
}

/** A command line whose options are all known to read. */
export interface Call {
  name: string;
  /** Also those before a sub-command. */
  flags: { name: string; value?: Argument | undefined }[];
  operands: Argument[];
  /** Every word after the name, in order. */
  args: Argument[];
  /** Something may be on its standard input. */
  hasInput: boolean;
  /** Whether setting the variable changes the shell alone. */
  isOwn: (name: string) => boolean;
}

export interface Finding {
  /** Why it is not a read. */
  reason?: string;
  decision?: 'deny' | 'ask';
  paths?: string[];
  /** What further paths begin with: '' where they may be anywhere, './' for the folder that it runs in. */
  unknown?: string[];
  /** Whether it may reach all that is in the folders that it names. */
  walks?: boolean;
  hosts?: string[];
  /** Those of its words that name files, where not all of them may. */
  files?: Argument[];
  /** Command lines that it runs, each judged by its own argv. */
  runs?: Argument[][];
  /** They may get input from each other. */
  givesInput?: boolean;
}

type Arity = 'none' | 'value' | 'attached';

export interface FlagTable {
  any: boolean;
  arity: Map<string, Arity>;
}

const parsed = new Map<string, FlagTable>();

export function flagTable(flags = ''): FlagTable {
  let table = parsed.get(flags);
  if (table === undefined) {
    table = { any: flags === 'any', arity: new Map(flags === 'any' ? [] : words(flags).map(entry)) };
    parsed.set(flags, table);
  }
  return table;
}

export function words(list: string): string[] {
  return list.split(/\s+/).filter((word) => word !== '');
}

function entry(word: string): [string, Arity] {
  if (word.endsWith('=?')) return [word.slice(0, -2), 'attached'];
  if (/[:=]$/.test(word)) return [word.slice(0, -1), 'value'];
  return [word, 'none'];
}

/** Each of these works on the files that its operands name. */
export function onFiles(family: Record<string, CommandSpec>): Record<string, CommandSpec> {
  return Object.fromEntries(
    Object.entries(family).map(([name, spec]): [string, CommandSpec] => [name, { files: true, ...spec }]),
  );
}

/** Each of these may open an address. */
export function opening(family: Record<string, CommandSpec>): Record<string, CommandSpec> {
  return Object.fromEntries(
    Object.entries(family).map(([name, spec]): [string, CommandSpec] => [name, { opens: true, ...spec }]),
  );
}

/** The same entry for many names. */
export function each(names: string, spec: CommandSpec): Record<string, CommandSpec> {
  return Object.fromEntries(words(names).map((name) => [name, spec]));
}
