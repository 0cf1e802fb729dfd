// sed scripts: `w` and `W` write files, `e` runs commands, `r` and `R` read files that no rule sees. The rest reads.
import type { Call, Finding } from '../command-spec.ts';

export function judgeSed({ flags, operands, args }: Call): Finding | undefined {
  const given = flags.filter(({ name }) => name === '-e' || name === '--expression');
  const scripts = given.length > 0 ? given.map(({ value }) => value) : operands.slice(0, 1);
  for (const script of scripts) {
    if (script?.value === undefined) return unclear('the script is not known before it runs');
    const reason = sedReason(script.value);
    if (reason !== undefined) return unclear(reason);
  }
  // pieces of a script are joined, so a piece could end a text that the one before it began
  if (scripts.length > 1 && scripts.some((script) => /[aic\\]/.test(lastCommand(script?.value ?? ''))))
    return unclear('the pieces of the script depend on each other');
  const inPlace = flags.filter(({ name }) => name === '-i' || name === '--in-place');
  if (inPlace.length === 0) return undefined;
  const option = args.find(({ value }) => /^-[nErsuz]*i|^--in-place/.test(value ?? ''));
  const files = (given.length > 0 ? operands : operands.slice(1)).map(({ value = '' }) => value);
  const backups = inPlace.flatMap(({ value }) => files.flatMap((file) => backupOf(file, value?.value ?? '')));
  return { reason: `sed edits files in place: ${option?.text}`, walks: false, paths: backups };
}

/** The file that keeps the old content: the name with a suffix, or the suffix with the name in place of `*`. */
function backupOf(file: string, suffix: string): string[] {
  const [, folder = '', name = ''] = /^(.*\/)?([^/]*)$/s.exec(file) ?? [];
  const backup = suffix.includes('*') ? suffix.replaceAll('*', name) : name + suffix;
  if (suffix === '') return [];
  return [backup.includes('/') ? backup : folder + backup];
}

/** An unclear script could run a command. */
function unclear(reason: string): Finding {
  return { reason: `sed: ${reason}`, decision: 'ask' };
}

function lastCommand(script: string): string {
  return /^(?:\d+|\$|\/[^/]*\/)?\s*([aic])/.exec(script)?.[1] ?? (script.endsWith('\\') ? '\\' : '');
}

/** Undefined if every command of the script certainly only reads; else the reason. */
function sedReason(script: string): string | undefined {
  let at = 0;
  while (at < script.length) {
    at = skip(script, at, /[\s;{}]/);
    if (at >= script.length) break;
    if (script[at] === '#') {
      at = skip(script, at, /[^\n]/);
      continue;
    }
    const addressed = skipAddresses(script, at);
    if (addressed === undefined) return 'an address is not understood';
    const read = readCommand(script, skip(script, addressed, /[\s!]/));
    if (typeof read === 'string') return read;
    at = read;
  }
  return undefined;
}

function skip(script: string, from: number, chars: RegExp): number {
  let at = from;
  while (at < script.length && chars.test(script[at] ?? '')) at += 1;
  return at;
}

/** The position after the command at `from`, or the reason why it is no read. */
function readCommand(script: string, from: number): number | string {
  const command = script[from] ?? '';
  const at = from + 1;
  switch (command) {
    case '':
      return 'a command is missing';
    case '{':
    case '}':
    case ';':
      return at;
    case 'a':
    case 'i':
    case 'c':
      // one line of text, with further lines after a backslash
      return at + (/^(?:\\\n|\\.|[^\n\\])*/s.exec(script.slice(at))?.[0].length ?? 0);
    case 'w':
    case 'W':
      return `${command} writes a file`;
    case 'e':
      return 'e runs a command';
    case 'r':
    case 'R':
      return `${command} reads a file that is named in the script`;
    default: {
      const end = readArguments(script, command, at);
      if (typeof end === 'string') return end;
      const next = skip(script, end, /[ \t]/);
      if (next >= script.length || /[\n;}#]/.test(script[next] ?? '')) return next;
      return `${script[next]} after ${command} is not understood`;
    }
  }
}

/** The position after the arguments of a command that ends at a line end, a semicolon or a brace. */
function readArguments(script: string, command: string, at: number): number | string {
  if (command === 's' || command === 'y') {
    const end = skipSubstitution(script, at);
    if (end === undefined) return `${command} is not understood`;
    const flagged = end + (/^[gpiImM\d]*/.exec(script.slice(end))?.[0].length ?? 0);
    const flag = script[flagged] ?? '';
    if (/[we]/.test(flag)) return `s///${flag} ${flag === 'w' ? 'writes a file' : 'runs a command'}`;
    return flagged;
  }
  // a label ends at a blank, after which sed reads the next command
  if (/[:btT]/.test(command)) return skip(script, skip(script, at, /[ \t]/), /[^\s;}]/);
  if (/[lLqQ]/.test(command)) return skip(script, at, /[ \d]/);
  return /[dDgGhHnNpPxz=F]/.test(command) ? at : `${command} is not known to only read`;
}

function skipAddresses(script: string, from: number): number | undefined {
  const first = skipAddress(script, from);
  if (first === undefined || first === from) return first;
  const comma = /^\s*,\s*[~+]?/.exec(script.slice(first));
  if (comma === null) return first;
  const second = skipAddress(script, first + comma[0].length);
  return second === first + comma[0].length ? undefined : second;
}

function skipAddress(script: string, from: number): number | undefined {
  const number = /^(?:\d+(?:~\d+)?|\$)/.exec(script.slice(from));
  if (number !== null) return from + number[0].length;
  const custom = script[from] === '\\';
  if (script[from] !== '/' && !custom) return from;
  const end = skipDelimited(script, from + (custom ? 2 : 1), (custom ? script[from + 1] : '/') ?? '');
  return end === undefined ? undefined : end + (/^[IM]*/.exec(script.slice(end))?.[0].length ?? 0);
}

function skipSubstitution(script: string, from: number): number | undefined {
  const delimiter = script[from] ?? '';
  const middle = skipDelimited(script, from + 1, delimiter);
  return middle === undefined ? undefined : skipDelimited(script, middle, delimiter);
}

/** The position after the next unescaped delimiter. A bracket with the delimiter is ambiguous, and refused. */
function skipDelimited(script: string, from: number, delimiter: string): number | undefined {
  if (/^[\\\n\w]?$/.test(delimiter) && !/\w/.test(delimiter)) return undefined;
  for (let at = from; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1;
    else if (script[at] === delimiter) {
      const open = script
        .slice(from, at)
        .replaceAll(/\\./gs, '')
        .replaceAll(/\[\^?\]?(?:\[:\w+:\]|[^\]])*\]/g, '');
      return open.includes('[') && /\[\^?\]?[^\]]*$/.test(open) && script.slice(at + 1).includes(']')
        ? undefined
        : at + 1;
    }
  }
  return undefined;
}
