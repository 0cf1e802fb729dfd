// Parsers of command line values: each refuses what it cannot read with words, before anything is done.
import { readFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import type { Cli } from './cli.ts';
import { UserError, messageOf } from './user-error.ts';

export function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(value);
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
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number) || number <= 0) {
    throw new InvalidArgumentError('Expected a number above 0.');
  }
  return number;
}

/** Collects `--label key=value`. */
export function label(value: string, labels: Record<string, string> = {}): Record<string, string> {
  const at = value.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Expected key=value.');
  return { ...labels, [value.slice(0, at)]: value.slice(at + 1) };
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
