// Options and operands of one command line, by the list of options that are known to read.
import type { CommandSpec, FlagTable } from '../command-spec.ts';
import { mayBeFlag, type Argument } from './argument.ts';

export type Split =
  | {
      ok: true;
      flags: { name: string; value?: Argument | undefined }[];
      operands: Argument[];
      rest: Argument[];
    }
  | { ok: false; reason: string };

/**
 * Reads options until the end, or with `stopAtOperand` until the first operand. Options after operands count, as getopt and
 * most parsers allow it. A separate value that begins with a dash is refused: the option may take no value in some version.
 */
export function splitFlags(
  args: Argument[],
  table: FlagTable,
  style: CommandSpec['style'] = 'letters',
  stopAtOperand = false,
): Split {
  const flags: { name: string; value?: Argument | undefined }[] = [];
  const operands: Argument[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index];
    if (argument === undefined) break;
    if (argument.value === '--') {
      operands.push(...args.slice(index + 1));
      return { ok: true, flags, operands, rest: stopAtOperand ? operands.splice(0) : [] };
    }
    if (!mayBeFlag(argument)) {
      if (stopAtOperand) return { ok: true, flags, operands, rest: args.slice(index) };
      operands.push(argument);
      continue;
    }
    if (table.any) {
      flags.push({ name: argument.value ?? argument.prefix });
      continue;
    }
    const found = readFlag(argument, table, style);
    if (found === undefined) return { ok: false, reason: notKnown(argument) };
    for (const { name, value } of found.flags) flags.push({ name, value });
    if (!found.wantsValue) continue;
    const value = args[index + 1];
    index += 1;
    if (value === undefined) return { ok: false, reason: `${found.wantsValue} has no value` };
    if (value.many || (value.value !== undefined && /^-[^\d]/.test(value.value)))
      return { ok: false, reason: `the value of ${found.wantsValue} may be an option: ${value.text}` };
    flags.push({ name: found.wantsValue, value });
  }
  return { ok: true, flags, operands, rest: [] };
}

function notKnown({ text, value }: Argument): string {
  return value === undefined
    ? `${text} may become an option when bash expands it`
    : `${text} is not an option that is known to only read`;
}

type Read = { flags: { name: string; value?: Argument }[]; wantsValue?: string };

function readFlag(argument: Argument, table: FlagTable, style: CommandSpec['style']): Read | undefined {
  const text = argument.value ?? argument.prefix;
  if (argument.many) return undefined;
  if (text.startsWith('--') || style === 'words') return readWord(argument, text, table, style);
  return readLetters(argument, text, table);
}

function readWord(
  argument: Argument,
  text: string,
  table: FlagTable,
  style: CommandSpec['style'],
): Read | undefined {
  const sign = text.indexOf('=');
  const name = sign === -1 ? text : text.slice(0, sign);
  // Go's flag package treats -name and --name alike
  const known = table.arity.has(name) || style !== 'words' ? name : name.replace(/^--/, '-');
  const arity = table.arity.get(known);
  if (arity === undefined) return undefined;
  if (sign !== -1) {
    // --all=false gives a value to a known flag, and reads as well
    return { flags: [{ name: known, value: tail(argument, sign + 1) }] };
  }
  if (argument.value === undefined) return undefined;
  return arity === 'value' ? { flags: [], wantsValue: known } : { flags: [{ name: known }] };
}

function readLetters(argument: Argument, text: string, table: FlagTable): Read | undefined {
  const flags: Read['flags'] = [];
  if (/^-\d+$/.test(text) && argument.value !== undefined && table.arity.has('-0-9'))
    return { flags: [{ name: text }] };
  for (let at = 1; at < text.length; at += 1) {
    const name = `-${text[at]}`;
    const arity = table.arity.get(name);
    if (arity === undefined) return undefined;
    if (arity === 'none') flags.push({ name });
    else {
      const last = at === text.length - 1;
      if (last && arity === 'value' && argument.value !== undefined) return { flags, wantsValue: name };
      return { flags: [...flags, { name, value: tail(argument, at + 1) }] };
    }
  }
  // the rest of a word that expands would be further letters
  return argument.value === undefined ? undefined : { flags };
}

function tail(argument: Argument, from: number): Argument {
  const { value, prefix, text, many } = argument;
  if (value === undefined) return { text, prefix: prefix.slice(from), many };
  return { text: value.slice(from), value: value.slice(from), prefix: value.slice(from), many };
}
