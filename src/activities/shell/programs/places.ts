// Places that the words of a change name: paths and hosts. A rule that denies or asks should rather match too often than miss
// one, so that everything that may be a place counts here. A rule that allows never rests on these words alone.
import type { Argument } from '../parse/argument.ts';
import { toPlainHost } from './hosts.ts';

/** A path where a word begins, behind a sign such as = or :, or behind the letters of an option. */
const path = /(?:^|[=:,;\s'"(<>|&]|^-[A-Za-z]+)(?!\/\/)(\.{0,2}\/[^:,;\s'")<>|&]*)/g;

/** Absolute paths, and relative ones that say so. Of a word that expands: the folder that is known, and what lies in it. */
export function pathsIn(args: Argument[]): string[] {
  return args.flatMap((argument) => {
    const known = knownPart(argument);
    const found = [...known.matchAll(path)];
    const [first] = found;
    if (first?.[1] === undefined) return [];
    // the path may have blanks or signs in it
    const whole = known.slice(first.index + first[0].length - first[1].length);
    if (argument.value === undefined) return [folderOf(whole), `${whole}*`];
    return [whole, ...found.flatMap(([, text = '']) => text)];
  });
}

/** What is certain of a word before its first expansion. */
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
    const isOption = /^(?:-h.|--host(?:name)?=)/.test(word);
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
