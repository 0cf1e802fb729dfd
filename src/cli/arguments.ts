// Parsers of command line values: each refuses what it cannot read with words, before anything is done.
import { readFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import type { Cli } from './cli.ts';
import { UserError, messageOf } from './user-error.ts';

/** From 0 on. */
export function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(value);
}

/** From 1 on. */
export function count(value: string): number {
  const number = wholeNumber(value);
  if (number < 1) throw new InvalidArgumentError('Expected a whole number above 0.');
  return number;
}

/** Of a session that is to be started: it is typed again, and stands in addresses and file names. */
export function newSessionId(value: string): string {
  if (!/^[A-Za-z0-9][\w.:-]{0,199}$/.test(value)) {
    throw new InvalidArgumentError(
      'Expected 1 to 200 letters, digits, ".", "_", ":" and "-", beginning with a letter or digit.',
    );
  }
  return value;
}

/** Names one that there may be; which there are the server knows. */
export function anySession(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('Expected the id of a session; "list" shows them.');
  return value;
}

/** Some words. */
export function someWords(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('Expected some words.');
  return value;
}

/** Not empty: names a thing. */
export function name(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('Expected a name.');
  return value;
}

export function portNumber(value: string): number {
  const port = wholeNumber(value);
  if (port < 1 || port > 65_535) throw new InvalidArgumentError('Expected a port from 1 to 65535.');
  return port;
}

export function amount(value: string): number {
  const number = /^(\d+\.?\d*|\.\d+)$/.test(value) ? Number(value) : 0;
  if (!Number.isFinite(number) || number <= 0) throw new InvalidArgumentError('Expected a number above 0.');
  return number;
}

/** Collects `--label key=value`. */
export function label(value: string, labels: Record<string, string> = {}): Record<string, string> {
  const [, key, text] = /^([^=]*[^=\s][^=]*)=(.*\S.*)$/s.exec(value) ?? [];
  if (key === undefined || text === undefined)
    throw new InvalidArgumentError('Expected key=value, with both of them.');
  return { ...labels, [key]: text };
}

/** The words of a task or message; a single `-` reads standard input. */
export async function readWords(cli: Cli, words: string[], what: string): Promise<string> {
  const text = words.length === 1 && words[0] === '-' ? await readAll(cli.stdin) : words.join(' ');
  if (text.trim() === '')
    throw new UserError(`${what} is empty: expected some words, or "-" to read standard input.`);
  return text;
}

/** A JSON file; the error names the file and where it does not parse. */
export async function readJsonFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UserError(`Cannot read ${path} as JSON: ${messageOf(error)}.`, undefined, { cause: error });
  }
}

async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stdin) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString('utf8');
}
