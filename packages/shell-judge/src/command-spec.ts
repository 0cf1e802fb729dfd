// The vocabulary of the tables that describe programs. A table lists reads; anything else is not a read.
import type { Argument } from './parse/argument.ts';

export interface CommandSpec {
  /**
   * Options that only read, as one list: "-a -n: --all --lines= --color=?". `:` and `=` take a value, `=?` takes one only
   * after the sign. 'any': no option of the program changes or reaches anything, so even words that are not literal may
   * be options.
   */
  flags?: string;
  /** 'words' if `-name` is one option and not four letters, as for find, openssl and Go's flag package. */
  style?: 'letters' | 'words';
  /**
   * Changing options, with the reason: a pattern over the whole word. Needed if `flags` is 'any'; otherwise it only adds
   * a better message.
   */
  unless?: [RegExp, string];
  /** The most operands of a read; a further one has another meaning. */
  operands?: number;
  /** The first operand decides. Options of this entry are allowed before and after it; `check` judges a line without one. */
  subcommands?: Record<string, CommandSpec>;
  /**
   * True if --help or --version alone only prints, by the manual of the program and its sub-commands. Default: true
   * unless it `changes` something.
   */
  usage?: boolean;
  /** The effect of a program that never reads: "removes files". The operands are the paths it changes if `changesOperands`. */
  changes?: string;
  changesOperands?: boolean;
  /** Like `optionsFirst`, and the first operand begins another command line. Unclear options must be asked about. */
  wraps?: true;
  /** Options end at the first operand. */
  optionsFirst?: true;
  /** Its operands are files, even bare words: rules over paths check them. */
  files?: boolean;
  /** The first operand is a pattern or a script, unless one of these options gives it: "-e -f --regexp --file". */
  pattern?: string;
  /**
   * It reads the whole content of the given folders, or of its own without one; a pattern: with such an option. Default
   * for a change: true.
   */
  walks?: boolean | RegExp;
  /** For a walking program with `flags` 'any': its options with a value, written as in `flags`. */
  values?: string;
  /** Words that name a list of files, or a file with further options, so that the read files are unknown. */
  lists?: RegExp;
  /** It may open an address: each URL in its words counts as a host, whatever option it belongs to. */
  opens?: boolean;
  /**
   * Must be asked about, whatever a rule of the policy allows. 'unclear': if some of its options are unknown; a pattern:
   * with such an option.
   */
  ask?: true | 'unclear' | RegExp;
  /**
   * Options that choose another account, region, cluster or server than the settings of the machine: a person is asked,
   * whatever the command does. `first`: only before the first operand, because a command that it runs has options, too.
   */
  chooses?: { options: string; abbreviated?: true; first?: true };
  /** Further conditions, checked once all options are known reads. */
  check?: (call: Call) => Finding | undefined;
}

/** A command line whose options are all known reads. */
export interface Call {
  name: string;
  /** Includes those before a sub-command. */
  flags: { name: string; value?: Argument | undefined }[];
  operands: Argument[];
  /** Every word after the name, in order. */
  args: Argument[];
  /** True if its standard input may not be empty. */
  hasInput: boolean;
  /** True if setting the variable changes the shell alone. */
  isOwn: (name: string) => boolean;
}

export interface Finding {
  /** The reason why it is not a read. */
  reason?: string;
  decision?: 'deny' | 'ask';
  paths?: string[];
  /** The beginnings of further paths: '' for any, './' for the folder that it runs in. */
  unknown?: string[];
  /** True if it may reach the whole content of the folders that it names. */
  walks?: boolean;
  hosts?: string[];
  /** The words that name files, if not all words may. */
  files?: Argument[];
  /** Command lines that it runs, each judged by its own argv. */
  runs?: Argument[][];
  /** These may receive input from each other. */
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
    table = { any: flags === 'any', arity: new Map(flags === 'any' ? [] : splitWords(flags).map(entry)) };
    parsed.set(flags, table);
  }
  return table;
}

export function splitWords(list: string): string[] {
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
  return Object.fromEntries(splitWords(names).map((name) => [name, spec]));
}
