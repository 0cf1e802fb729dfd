// find: places, then an expression. Its tests read; its actions may not, and -exec runs other commands.
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { splitWords, type Call, type Finding } from '../command-spec.ts';
import type { Meaning } from '../parse/meanings.ts';
import { mayBeFlag, meaningsOf, withMark, type Argument } from '../parse/argument.ts';

/** Tests and actions that only read, by the number of words that they take. */
const alone =
  splitWords(`-a -and -o -or -not ! ( ) , -daystart -depth -d -follow -ignore_readdir_race -mount -noleaf
  -noignore_readdir_race -warn -nowarn -xdev -dev -empty -executable -false -nogroup -nouser -readable -true -writable -print
  -print0 -prune -quit -ls -x -X -s -E`);
const withWord =
  splitWords(`-regextype -maxdepth -mindepth -amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group
  -ilname -iname -inum -ipath -iregex -iwholename -links -lname -mmin -mtime -name -newer -path -perm -regex -samefile -size
  -type -uid -used -user -wholename -xtype -context -printf -Bmin -Btime`);
const arity = new Map([
  ...alone.map((name): [string, number] => [name, 0]),
  ...withWord.map((name): [string, number] => [name, 1]),
]);
const reasons: Record<string, string> = {
  '-delete': 'removes files',
  '-fprint': 'writes a file',
  '-fprint0': 'writes a file',
  '-fprintf': 'writes a file',
  '-fls': 'writes a file',
};

export function judgeFind({ args }: Call): Finding {
  const places: Argument[] = [];
  let at = 0;
  for (; at < args.length; at += 1) {
    const argument = args[at];
    if (argument === undefined || /^(?:[(!),]|-(?![HLP]$|O\d$))/.test(argument.value ?? '')) break;
    if (mayBeFlag(argument) && !/^-[HLPO]/.test(argument.value ?? '') && !isNoAction(argument))
      return { reason: `find: ${argument.text} may become -delete or -exec when bash expands it` };
    if (argument.value?.startsWith('-') !== true) places.push(argument);
  }
  const begins = beginning(places);
  const runs: Argument[][] = [];
  while (at < args.length) {
    const argument = args[at];
    const name = argument?.value;
    if (argument === undefined || name === undefined)
      return { reason: `find: ${argument?.text} may become -delete or -exec when bash expands it` };
    if (/^-(?:exec|execdir|ok|okdir)$/.test(name)) {
      const end = endOfCommand(args, at + 1);
      if (end === undefined) return { reason: `find: ${name} has no end`, decision: 'ask' };
      const begin = name.endsWith('dir') ? './' : begins;
      // `{} +` becomes many words
      const many = args[end]?.value === '+';
      const inPlaces = name.endsWith('dir') ? undefined : meaningsInside(places);
      const command = args.slice(at + 1, end).map((word) => withMark(word, '{}', begin, inPlaces));
      runs.push(
        command.map((word, index) => (many && index === command.length - 1 ? { ...word, many } : word)),
      );
      at = end + 1;
      continue;
    }
    const takes = arity.get(name) ?? (/^-newer[aBcmt][aBcmt]$/.test(name) ? 1 : undefined);
    if (takes === undefined) return notRead(name, args[at + 1]);
    const value = args[at + 1];
    if (takes === 1 && (value === undefined || (value.many && !isNoAction(value))))
      return { reason: `find: the value of ${name} is not one word` };
    at += 1 + takes;
  }
  const unknown = places.length === 0 ? ['./'] : undefined;
  return defined({ files: places, walks: true, unknown, runs: unlessEmpty(runs) });
}

/**
 * Tests, actions and operators are letters and dashes, or one sign. File names that match a pattern with another
 * character, such as `*.log`, are none.
 */
function isNoAction({ kept = '', prefix }: Argument): boolean {
  return kept !== '' && (/[^\w!(),-]/.test(kept) || /^\w/.test(prefix));
}

/** Its results begin with a place. */
function meaningsInside(places: Argument[]): Meaning[] {
  if (places.length === 0) return [{ text: '' }];
  return places.flatMap(meaningsOf).map(({ text }) => (text === undefined ? {} : { text }));
}

function notRead(name: string, next: Argument | undefined): Finding {
  const meaning = reasons[name];
  if (meaning === undefined) return { reason: `find: ${name} is not known to only read` };
  const path = name.startsWith('-f') ? next?.value : undefined;
  return { reason: `find ${meaning} with ${name}`, paths: present([path]) };
}

/** Every name that find prints begins with one of its places, so `.` and `/x` make operands and never options. */
function beginning(places: Argument[]): string {
  if (places.length === 0) return './';
  return places.every((place) => place.prefix !== '' && !place.prefix.startsWith('-')) ? './' : '';
}

function endOfCommand(args: Argument[], from: number): number | undefined {
  for (let at = from; at < args.length; at += 1) {
    const { value } = args[at] ?? {};
    if (value === ';' && at > from) return at;
    if (value === '+' && at > from + 1 && args[at - 1]?.value === '{}') return at;
    // a word that expands could be the end of the command, and the next words another action
    if (args[at]?.many) return undefined;
    if (value === undefined && args[at]?.prefix === '') return undefined;
  }
  return undefined;
}
