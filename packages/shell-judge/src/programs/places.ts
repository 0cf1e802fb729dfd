// Places that the words of a command name: paths and hosts. A rule that denies or asks should match too often rather than
// miss one, so every possible place counts here. A rule that allows never depends on these words alone.
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { meaningsOf, type Argument } from '../parse/argument.ts';
import type { ShellAction } from '../shell-action.ts';
import { toPlainHost } from './hosts.ts';

/** Paths of one action, as its words give them; absolute, or relative to the folder that the command runs in. */
export interface Places {
  paths: string[];
  /** For words that expand: the known folder, and its content. */
  around: string[];
  /** Words that are names in one folder and files in another: they count if the folder is not the usual one. */
  names: string[];
  /** The beginnings of further paths; '' for any. */
  unknown: string[];
  /** It may reach the whole content of the folders among its paths. */
  walks: boolean;
}

/** An action whose folder is not resolved yet. */
export type Placed = Omit<ShellAction, 'paths' | 'unknownPaths'> & { places: Places };

export const noPlaces: Places = { paths: [], around: [], names: [], unknown: [], walks: false };

/** Adds the folders that it may run in (undefined: any), '' for that of the line's beginning. */
export function inFolders(
  { places, ...action }: Placed,
  folders: string[] | undefined,
  beginsAtRoot: boolean,
): ShellAction {
  const { paths, around, names, unknown, walks } = places;
  const from = folders ?? [''];
  const whole = from.flatMap((folder) => {
    const within = folder === '' && beginsAtRoot ? paths : [...paths, ...names];
    return within.map((path) => join(folder, path));
  });
  const touched = [...whole, ...from.flatMap((folder) => around.map((path) => join(folder, path)))];
  const walked = walks ? whole.map((path) => path.replace(/\/*$/, '/')) : [];
  const begins = [
    ...from.flatMap((folder) => unknown.map((text) => (text === '' ? '' : join(folder, text)))),
    ...walked,
  ];
  const isAnywhere =
    folders === undefined &&
    (action.effect !== 'read' ||
      [...paths, ...around, ...names, ...unknown].some((text) => !isAbsolute(text)));
  const unknownPaths = isAnywhere ? [''] : [...new Set(begins)];
  return defined({
    ...action,
    paths: unlessEmpty([...new Set(touched)]),
    unknownPaths: unlessEmpty(unknownPaths),
  });
}

export function isAbsolute(path: string): boolean {
  return path.startsWith('/');
}

export function join(folder: string, path: string): string {
  return folder === '' || isAbsolute(path) ? path : `${folder}/${path.replace(/^\.\//, '')}`;
}

/** `files`: its bare words are files, too; `pattern`: the first of them is not, as for grep. */
export function placesIn(args: Argument[], { files, pattern }: { files: boolean; pattern: boolean }): Places {
  const skipped = pattern ? patternIn(args) : undefined;
  const found: Places = { ...noPlaces, paths: [], around: [], names: [], unknown: [] };
  for (const argument of args) {
    const known = knownPart(argument);
    if (argument.value === undefined) found.around.push(...around(known));
    else found.paths.push(...pathsInText(known));
    if (argument === skipped) continue;
    for (const { text, whole } of meaningsOf(argument)) {
      if (whole && text !== undefined) {
        if (argument.value === undefined) found.paths.push(...pathsInText(text));
        for (const word of bareWords(text))
          (files || word.includes('/') ? found.paths : found.names).push(word);
        if (expandsItself(text)) found.unknown.push('');
      } else if (files || mayNameFile(known)) found.unknown.push(beginning(text));
    }
  }
  return withFolders(found, foldersIn(args));
}

/** `-C /etc` of git, tar, make and others: nested folders that contain the other words. */
function foldersIn(args: Argument[]): (string | undefined)[] {
  const folders: (string | undefined)[] = [];
  const enter = (folder: string | undefined): void => {
    const last = folders.at(-1);
    folders.push(folder);
    if (folder !== undefined && last !== undefined) folders.push(join(last, folder));
  };
  for (const [index, { value, prefix, many }] of args.entries()) {
    const word = value ?? (many ? '' : prefix);
    const [, inline] = /^(?:-C|--(?:directory|chdir|work-tree)=)(.+)$/s.exec(word) ?? [];
    if (inline !== undefined) enter(value === undefined ? undefined : inline);
    const next = args[index + 1];
    if (next === undefined || !/^(?:-C|--(?:directory|chdir|work-tree))$/.test(word)) continue;
    for (const { text, whole } of meaningsOf(next)) enter(whole ? text : undefined);
  }
  return folders;
}

function withFolders(found: Places, folders: (string | undefined)[]): Places {
  if (folders.length === 0) return found;
  const known = folders.filter((folder) => folder !== undefined);
  const inside = (texts: string[]): string[] =>
    known.flatMap((folder) => texts.map((text) => (text === '' ? '' : join(folder, text))));
  return {
    ...found,
    paths: [...found.paths, ...inside([...found.paths, ...found.names])],
    around: [...found.around, ...inside(found.around)],
    unknown: present([...found.unknown, ...inside(found.unknown), known.length < folders.length && '']),
  };
}

/** A relative beginning keeps its dot: '' means anywhere. */
function beginning(text: string | undefined): string {
  if (text === undefined) return '';
  return isAbsolute(text) ? text : `./${text}`;
}

/** The first operand, unless an option may have given the pattern: -e, -f, or a long one that begins so. */
function patternIn(args: Argument[]): Argument | undefined {
  if (args.some(({ value, prefix }) => /^-[A-Za-z0-9]*[ef]|^--[efr]/.test(value ?? prefix))) return undefined;
  const first = args.find(({ value }) => !value?.startsWith('-'));
  return first?.many ? undefined : first;
}

/** A file may be named by a URL. For aws, `file://hosts` is a file of its working folder. */
const scheme = /(?<![\w+.-])fileb?:(?:\/\/(?:(?:localhost|127\.0\.0\.1)(?=\/))?)?(?=[^\s])/gi;

/** The program itself expands the home folder or a variable: aws in a URL of a file, az after `@`. */
function expandsItself(text: string): boolean {
  return (/(?:^|=)fileb?:/i.test(text) && /[$~]/.test(text)) || /(?:^|=)@~[a-z_/]/i.test(text);
}

function withoutScheme(text: string): string {
  return text.replaceAll(scheme, '');
}

/** The word, and the text after a sign or an option in it; letters alone are further options, except after -f. */
function bareWords(word: string): string[] {
  const text = withoutScheme(word);
  if (text.includes('://')) return [];
  const parts = [
    /^-(?:f|[A-Za-z](?![A-Za-z]+$))(.+)$/s.exec(text)?.[1],
    /^[^=]*=(.+)$/s.exec(text)?.[1],
    /^(?:[^@]*=)?@(.+)$/s.exec(text)?.[1],
  ];
  return present([!text.startsWith('-') && text, ...parts]).filter(
    (part) => part !== '' && !isAbsolute(part),
  );
}

/** A path where a word begins, after a sign such as =, : (but not of a URL) or @, or after the letters of an option. */
const path = /(?:^|:(?!\/\/)|[=,;\s'"(<>|&@]|^-[A-Za-z]+)(\.{0,2}\/[^:,;\s'")<>|&]*)/g;

/** True if the text after the known part of a word is certainly in a path, or the name of a file. */
function mayNameFile(known: string): boolean {
  return withoutScheme(`${known}\0`).match(path) !== null || /(?:^|=)(?:@|fileb?:(?:\/\/)?)$/i.test(known);
}

/** Absolute paths, and explicitly relative ones, of a word that expands. */
function around(known: string): string[] {
  const [whole] = pathsInText(known);
  return whole === undefined ? [] : [folderOf(whole), `${whole}*`];
}

function pathsInText(word: string): string[] {
  const text = withoutScheme(word);
  const found = [...text.matchAll(path)];
  const [first] = found;
  if (first?.[1] === undefined) return [];
  // the path may contain blanks or signs
  const whole = text.slice(first.index + first[0].length - first[1].length);
  return [whole, ...found.flatMap(([, part = '']) => part)];
}

/** The certain part of a word before its first expansion. */
function knownPart({ value, prefix, text }: Argument): string {
  return value ?? (prefix || (/^[^$`*?[{(]*(?=[$`*?[{(])/.exec(text)?.[0] ?? '').replaceAll(/['"\\]/g, ''));
}

function folderOf(begins: string): string {
  return begins.replace(/\/[^/]*$/, '') || '/';
}

/** Programs whose bare words are hosts, and programs that name a host by an option. */
const byWord = new Set(
  'curl wget ssh slogin mosh telnet rlogin rsh scp sftp rsync ftp lftp nc ncat netcat socat nmap ping ping6 traceroute mtr dig host nslookup whois getent openssl'.split(
    ' ',
  ),
);
const byOption = new Set(
  'redis-cli psql mysql mariadb mysqladmin pg_isready pg_dump pg_dumpall pg_restore mysqldump mongodump mongosh mongo createdb dropdb clickhouse-client cqlsh influx sqlcmd git'.split(
    ' ',
  ),
);

const url = /:\/\/(?:[^\s/?#'"@]*@)?(\[[\da-f:.]+\]|[\w.-]+)/gi;
const address = /^(?:[^\s@/]+@)?(\[?[\da-f]*(?::[\da-f.]*){2,}\]?|[\w.-]+)(?::[^\s]*|\/\S*)?$/i;

/** Each URL's host part, except buckets. Anything but a plain name and a port counts as written, and is no allowed host. */
export function urlHostsIn(args: Argument[]): string[] {
  const authorities = args
    .map(knownPart)
    .flatMap((word) =>
      [...word.matchAll(/(?<!\b(?:s3|gs)):\/\/([^\s/?#'"]*)/gi)].map(([, authority = '']) => authority),
    );
  return authorities.map((authority) =>
    toPlainHost(/^([\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.exec(authority)?.[1] ?? (authority || '(not known)')),
  );
}

/** Numbers name addresses (2130706433 is 127.0.0.1), but those of 0.0.0.1 to 0.255.255.255 lead nowhere (RFC 1122 3.2.1.3). */
const isCount = (word: string): boolean => /^\d+$/.test(word) && Number(word) > 0 && Number(word) < 2 ** 24;

/** Hosts of URLs in any word; for programs that talk to hosts also bare names and addresses. */
export function hostsIn(program: string, args: Argument[]): string[] {
  const words = args.map(knownPart);
  const urls = words.flatMap((word) => [...word.matchAll(url)].map(([, host = '']) => host));
  const bare = words.flatMap((word, index) => {
    if (word.includes('://')) return [];
    const isNamed = /^(?:-h|-H|--host|--hostname)$/.test(words[index - 1] ?? '');
    const parts = word.replace(/^--?[\w-]+=|^-[a-zA-Z]/, '').split(/[\s,]+/);
    const isOption = /^(?:-h.|--host(?:name)?=)/s.test(word);
    return parts.flatMap((part) => {
      const [, host] = address.exec(part.replace(/^(?:host|hostaddr)=/, '')) ?? [];
      if (host === undefined || host.startsWith('-') || isCount(host)) return [];
      const isPlace =
        isNamed || isOption || /^(?:host|hostaddr)=|^[\w.-]+@|^[\w.-]+:/.test(part) || /[.:]/.test(host);
      if (byWord.has(program)) return word.startsWith('-') && !isPlace ? [] : [host];
      return byOption.has(program) && isPlace ? [host] : [];
    });
  });
  return [...urls, ...bare].map(toPlainHost);
}
