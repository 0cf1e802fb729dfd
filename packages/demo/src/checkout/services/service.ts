// The common parts of the incident's processes: a log file, an HTTP server on a free loopback port, a message to the
// parent when they are ready, and an end when the parent is gone. Node.
import { messageOf } from '@holdfast/base/message-of';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';

export type Level = 'INFO' | 'WARN' | 'ERROR';
export type Log = (level: Level, text: string) => void;
export type Route = (url: URL, response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

/** The `--name value` arguments of this process by name. The function throws for a missing one. */
export function readArguments(names: readonly string[]): (name: string) => string {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ options });
  return (name) => {
    const value = values[name];
    if (typeof value !== 'string') throw new Error(`Argument --${name} is missing.`);
    return value;
  };
}

/** A log that appends one line per call: time, level, text. */
export function logTo(path: string): Log {
  const stream = createWriteStream(path, { flags: 'a' });
  return (level, text) => void stream.write(`${new Date().toISOString()} ${level.padEnd(5)} ${text}\n`);
}

/** True if this failure should be logged: each of the first 500, then one in 25. A fault may last for hours at an approval. */
export function createFailureSampler(): () => boolean {
  let failures = 0;
  return () => (failures += 1) <= 500 || failures % 25 === 0;
}

/** A YAML file as plain data; the caller checks the fields that it reads. */
export async function readConfig(path: string): Promise<unknown> {
  return parse(await readFile(path, 'utf8'));
}

/** A field of plain data by its path, e.g. `database.pool_size`. */
export function field(config: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
      config,
    );
}

/** A positive number of a configuration; throws with the field's name for anything else. */
export function positiveField(config: unknown, path: string): number {
  const value = field(config, path);
  if (typeof value !== 'number' || !(value > 0))
    throw new Error(`${path} is ${String(value)}: expected a number above 0.`);
  return value;
}

/** Serves the routes ("GET /metrics"); an error in one is answered with 500. */
export function serve(routes: Record<string, Route>, log: Log): Server {
  return createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const route = routes[`${request.method} ${url.pathname}`];
    if (route === undefined) return respond(response, 404, 'not found\n');
    Promise.resolve(route(url, response, request)).catch((error: unknown) => {
      log('ERROR', `request failed path=${url.pathname} reason="${messageOf(error)}"`);
      respond(response, 500, 'internal error\n');
    });
  });
}

export function respond(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body);
}

/** Listens on a free loopback port and tells the parent; ends this process when the parent is gone. */
export function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => ready(portOf(server.address())));
}

/** Tells the parent that this process works. Without a parent (started by hand) it prints its port instead. */
export function ready(port: number): void {
  if (process.send === undefined) console.log(`listening on http://127.0.0.1:${port}`);
  else process.send({ ready: true, port });
}

/** Call it first: whatever happens to the parent, this process does not outlive it. */
export function endWithParent(): void {
  process.once('disconnect', () => process.exit(0));
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
