// The hosts that a cloud's command line names: a bucket or an account may be anybody's, and its owner sees the requests.
// The servers of the caller's own account are settings of the machine, and not named.
import type { Finding } from '../command-spec.ts';
import type { Argument } from '../parse/argument.ts';
import { toPlainHost } from './hosts.ts';

/** An unknown word could name any of them, or be an option. */
export function notKnown(program: string, args: readonly Argument[]): Finding | undefined {
  const unknown = args.find(({ value }) => value === undefined);
  return (
    unknown && { reason: `${program}: ${unknown.text} is not known before it runs, and may name a host` }
  );
}

/** `aws s3 ls` takes a bucket with and without s3://; other services take one by --bucket, which may be abbreviated. */
export function awsHosts(args: readonly Argument[]): string[] {
  const words = textsOf(args);
  const at = words.findIndex((word, index) => word === 'ls' && words.includes('s3') && index > 0);
  const listed =
    at === -1 ? [] : words.slice(at + 1).filter((word, index, all) => isOperand(word, all[index - 1]));
  const given = valuesOf(words, /^--b(?:u(?:c(?:k(?:et?)?)?)?)?$/);
  return [...listed, ...given].map((bucket) => hostOf(bucket.replace(/^s3:\/\//, ''), 's3.amazonaws.com'));
}

export function gcloudHosts(args: readonly Argument[]): string[] {
  const buckets = textsOf(args).flatMap((word) => /gs:\/\/(.*)$/s.exec(word)?.[1] ?? []);
  return buckets.map((bucket) => hostOf(bucket, 'storage.googleapis.com'));
}

export function azHosts(args: readonly Argument[]): string[] {
  const words = textsOf(args);
  const isRegistry = words[0] === 'acr' && /^(?:repository|manifest)$/.test(words[1] ?? '');
  const registries = isRegistry ? valuesOf(words, /^(?:-n|--na?m?e?|--r)/) : [];
  return [
    ...valuesOf(words, /^--ac/).map((name) => hostOf(name, 'blob.core.windows.net')),
    ...valuesOf(words, /^--va/).map((name) => hostOf(name, 'vault.azure.net')),
    ...registries.map((name) => hostOf(name, 'azurecr.io')),
  ];
}

function textsOf(args: readonly Argument[]): string[] {
  return args.flatMap(({ value }) => value ?? []);
}

/** Options of `s3 ls` that take a value. aws completes abbreviations: their values count as buckets, so none is missed. */
const valued =
  /^--(?:region|profile|output|query|color|page-size|request-payer|bucket-name-prefix|bucket-region|cli-read-timeout|cli-connect-timeout)$/;

function isOperand(word: string, before = ''): boolean {
  return !word.startsWith('-') && !valued.test(before);
}

/** A value follows the sign, or is the next word; after one letter it needs neither: `-nshop`. */
function valuesOf(words: readonly string[], option: RegExp): string[] {
  return words.flatMap((word, index) => {
    const [name = '', inline] = word.split('=', 2);
    if (!option.test(name)) return [];
    const attached = /^-\w=?(.+)$/s.exec(word)?.[1];
    return attached ?? inline ?? words[index + 1] ?? [];
  });
}

/** Anything but a plain name counts as it is written. */
function hostOf(name: string, domain: string): string {
  const [plain = ''] = name.split('/', 1);
  return toPlainHost(/^[\w.-]+$/.test(plain) ? `${plain}.${domain}` : name);
}
