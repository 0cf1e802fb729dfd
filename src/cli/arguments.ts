// Parsers of command line values: each refuses an invalid value with a message, before anything is done.
import { text as readText } from 'node:stream/consumers';
import { messageOf } from '@holdfast/base/message-of';
import { parseDuration } from '@holdfast/base/time-text';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { type Json, type JsonObject, isRecord, readJsonText } from '@holdfast/base/json';
import { expectedScheduleName, isTimeZone, scheduleNamePattern } from '../core/schedules/schedule.ts';
import { expectedHostName, isHostName } from '../core/tools/hosts.ts';
import { boardNamePattern, expectedBoardName } from '@holdfast/vocabulary/workflow-ids';
import type { Cli } from './cli.ts';
import { typed } from '../config/command-line.ts';
import { UserError } from '../common/user-error.ts';

/** `expected` completes "Expected ..."; `read` gives undefined for a value that is not that. */
export function parser<Value>(expected: string, read: (text: string) => Value | undefined) {
  return (text: string): Value => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(`Expected ${expected}.`);
    return value;
  };
}

function number(pattern: RegExp, expected: string, isFit: (value: number) => boolean) {
  return parser(expected, (text) => (pattern.test(text) && isFit(Number(text)) ? Number(text) : undefined));
}

function text(expected: string, isFit = (value: string): boolean => value.trim() !== '') {
  return parser(expected, (value) => (isFit(value) ? value : undefined));
}

export const wholeNumber = number(/^\d{1,9}$/, 'a whole number', (value) => value >= 0);
export const count = number(/^\d{1,9}$/, 'a whole number above 0', (value) => value > 0);
export const portNumber = number(/^\d{1,5}$/, 'a port from 1 to 65535', (port) => port > 0 && port < 65_536);
export const amount = number(
  /^(\d+\.?\d*|\.\d+)$/,
  'a number above 0',
  (value) => value > 0 && Number.isFinite(value),
);

function span(pattern: RegExp, expected: string) {
  return parser(expected, (text) => (pattern.test(text) ? parseDuration(text) : undefined));
}

/** Returns milliseconds. */
export const age = span(/^\d{1,6}[hdw]$/, 'an age such as 12h, 30d or 8w');

/** Such as `6h`, `15m`, `1h30m`; returns milliseconds. */
export const duration = span(/^(?:\d{1,6}[smhdw])+$/, 'a time such as 30s, 15m, 6h or 1h30m');

/** Any id: only the server knows the sessions. */
export const anySession = text('the id of a session; "list" shows them');
export const someWords = text('some words');
export const name = text('a name');

/** The name of a host is also that of its worker's task queue. */
export const hostName = text(`the name of a host: ${expectedHostName}`, isHostName);
export const boardName = text(`the name of a board: ${expectedBoardName}`, (value) =>
  boardNamePattern.test(value),
);
export const scheduleName = text(`the name of a schedule: ${expectedScheduleName}`, (value) =>
  scheduleNamePattern.test(value),
);
export const timeZone = text('the IANA name of a time zone, such as Europe/Berlin', isTimeZone);
/** For a new session: people type the id again, and it is part of addresses and file names. */
export const newSessionId = text(
  '1 to 200 letters, digits, ".", "_", ":" and "-", beginning with a letter or digit',
  (value) => /^[A-Za-z0-9][\w.:-]{0,199}$/.test(value),
);

export function label(value: string, labels: Record<string, string> = {}): Record<string, string> {
  const [, key, text] = /^([^=]*[^=\s][^=]*)=(.*\S.*)$/s.exec(value) ?? [];
  if (key === undefined || text === undefined)
    throw new InvalidArgumentError('Expected key=value, with both of them.');
  return { ...labels, [key]: text };
}

/** A name that may be given several times. */
export function severalNames(value: string, names: string[] = []): string[] {
  return [...names, name(value)];
}

/** The words of a task or message; a single `-` reads standard input. */
export async function readWords(cli: Cli, words: string[], what: string): Promise<string> {
  const text = words.length === 1 && words[0] === '-' ? await readText(cli.stdin) : words.join(' ');
  if (text.trim() === '')
    throw new UserError(`${what} is empty: expected some words, or "-" to read standard input.`);
  return text;
}

/** A file that the command line names; `what` names it in the error. */
export async function readNamed({ cwd }: Pick<Cli, 'cwd'>, path: string, what = path): Promise<Buffer> {
  return readFile(resolve(cwd, path)).catch((cause: unknown) => {
    throw new UserError(`Cannot read ${what}: ${messageOf(cause)}.`, undefined, { cause });
  });
}

/** A JSON file; the error has the file and the place of the fault. */
export async function readJsonFile({ cwd }: Cli, path: string): Promise<Json> {
  try {
    return readJsonText(await readFile(resolve(cwd, path), 'utf8'));
  } catch (error) {
    throw new UserError(`Cannot read ${path} as JSON: ${messageOf(error)}.`, undefined, { cause: error });
  }
}

/** The same for a file with an object; `expected` completes the error. */
export async function readJsonObject(cli: Cli, path: string, expected: string): Promise<JsonObject> {
  const value = await readJsonFile(cli, path);
  if (isRecord(value)) return value;
  throw new UserError(`${path} holds no JSON object: expected ${expected}.`);
}

/** The fields of a start input; the client checks them before anything is sent. */
export function readStartInput(cli: Cli, path: string): Promise<object> {
  return readJsonObject(cli, path, `a start input, as "${typed('schema input')}" describes it`);
}
