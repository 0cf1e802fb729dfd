// The embedded Temporal server: found by its note, else started on free loopback ports with the fast flags. Never uses a
// server that it cannot prove to be its own.
import { messageOf } from '@holdfast/base/message-of';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../config/environment.ts';
import { isAlive } from '../common/signs-of-life.ts';
import { noteEnd, prepareFolder, readNote, withServerLock, writeNote } from './dev-server-note.ts';
import type { ServerNote } from './dev-server-note.ts';
import { type ServerProcess, serversOn } from './server-processes.ts';
import { allAttributeTypes } from '@holdfast/vocabulary/outer-names';
import { typed } from '../config/command-line.ts';
import {
  endProcess,
  loopback,
  spawnServer,
  takesConnections,
  waitForPort,
  portOf,
  chooseHttpHost,
  choosePort,
} from './dev-server-process.ts';
import { devNamespace, markServer, readMark, startTimeoutMs } from './server-mark.ts';
import { exitCodes } from '../common/exit-codes.ts';
import { UserError } from '../common/user-error.ts';

const silentServerMs = 15_000;

export type DevServerOptions = {
  /** Holds note, log and database; created if missing. */
  dir: string;
  binary: string;
  environment: Environment;
  /** Default: the last port if it is free, else any. */
  port?: number | undefined;
  uiPort?: number | undefined;
  /** Opens Temporal's own HTTP API, on this port or any. Default: closed. */
  httpPort?: number | true | undefined;
  /** Default true. */
  ui?: boolean;
  /** Default `<dir>/temporal.db`; null keeps everything in memory. */
  dbFile?: string | null;
};

export type DevServer = {
  /** The note's id: another id at the same address is a later start. */
  id: string;
  address: string;
  uiUrl?: string | undefined;
  /** Temporal's own HTTP API, under a random name of loopback; absent unless it was asked for. */
  httpUrl?: string | undefined;
  namespace: string;
  pid: number;
  /** E.g. 1.29.1; absent if this process started the server. */
  serverVersion?: string | undefined;
  started: boolean;
  /** Stops the server if this process started it; otherwise does nothing. */
  stop(): Promise<void>;
  /** Lets this process end while the server keeps running. */
  leaveRunning(): void;
  /** Resolves when the server that this process started has ended, for any reason. Absent for a server of another process. */
  ended?: Promise<unknown>;
  logFile: string;
};

/** The server of this folder: the noted one if it still runs and carries our mark, else a new one. */
export async function useDevServer(options: DevServerOptions): Promise<DevServer> {
  await prepareFolder(options.dir);
  const server = (await findDevServer(options.dir)) ?? (await startDevServer(options));
  checkPort('port', options.port, server.address);
  checkPort('ui-port', options.uiPort, server.uiUrl);
  const { httpPort } = options;
  if (httpPort !== true || server.httpUrl === undefined) checkPort('http-port', httpPort, server.httpUrl);
  return server;
}

/** A running server keeps its ports, so another wanted port is an error. */
function checkPort(option: string, wanted: number | true | undefined, address: string | undefined): void {
  if (wanted === undefined || wanted === portOf(address)) return;
  throw new UserError(
    `The Temporal server of this folder runs already, ${address === undefined ? `without --${option}` : `at ${address}`}: ` +
      `expected none, or one with --${option}${wanted === true ? '' : ` ${wanted}`}. Leave the option out, or end it with "${typed('dev --stop')}".`,
  );
}

/** The noted server, if it answers and carries the note's mark. */
export async function findDevServer(dir: string): Promise<DevServer | undefined> {
  const note = await readNote(dir);
  if (!note) return undefined;
  const { mark, serverVersion } = (await readMark(note.address)) ?? {};
  if (mark !== note.id) return undefined;
  return {
    ...toServer(dir, note),
    serverVersion,
    started: false,
    stop: async () => {},
    leaveRunning: () => {},
  };
}

/** Starts a server, or uses one that another process of this folder has started meanwhile. */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  await prepareFolder(options.dir);
  return withServerLock(options.dir, async () => startNoted(options, await readNote(options.dir)));
}

/**
 * Restarts a dead server, or uses one that another process has started meanwhile. Undefined if it was stopped on purpose.
 * `broken` is the id of one that runs and is ended first.
 */
export async function restartDevServer(
  options: DevServerOptions,
  broken?: string,
): Promise<DevServer | undefined> {
  return withServerLock(options.dir, async () => {
    const note = await readNote(options.dir);
    const servers = note?.id === broken ? await serversOn(options.dbFile ?? databaseOf(options.dir)) : [];
    await Promise.all(servers.filter(({ pid }) => pid === note?.pid).map(({ pid }) => end(pid)));
    return note === undefined || note.ended ? undefined : startNoted(options, note);
  });
}

async function startNoted(options: DevServerOptions, previous: ServerNote | undefined): Promise<DevServer> {
  const running = await waitForRunning(options, previous);
  if (running) return running;
  const fixed = [options.port, options.uiPort, options.httpPort].some((port) => typeof port === 'number');
  return launch(options, previous).catch((error: unknown) => {
    // a free port may be taken between the check and the start; a port that the user chose is not replaced
    if (fixed || error instanceof UserError) throw error;
    return launch(options, undefined);
  });
}

/** Two servers on one database corrupt it, so a live one is used and never replaced. */
async function waitForRunning(
  { dir, dbFile = databaseOf(dir) }: DevServerOptions,
  note: ServerNote | undefined,
): Promise<DevServer | undefined> {
  const giveUpAt = performance.now() + silentServerMs;
  for (;;) {
    const [server] = dbFile === null ? [] : await serversOn(dbFile);
    if (!server || dbFile === null) return undefined;
    // a server that was never noted gets a note and its mark
    if (server.pid !== note?.pid) await adopt(dir, dbFile, server);
    const found = await findDevServer(dir);
    if (found) return found;
    if (performance.now() > giveUpAt) throw silentServer(dir, server);
    await sleep(200);
  }
}

/** The command that started this server was killed before it could write the note. */
async function adopt(dir: string, dbFile: string, server: ServerProcess): Promise<void> {
  const { pid, port, uiPort, httpHost } = server;
  if (port === undefined || !(await takesConnections(port))) return;
  await noteServer(dir, { ...toAddresses(port, uiPort, httpHost), pid, dbFile });
}

function silentServer(dir: string, { pid, port }: ServerProcess): UserError {
  return new UserError(
    `The Temporal server of ${dir} (pid ${pid}, port ${port ?? 'unknown'}) runs but does not answer. ` +
      `Expected an answer in ${silentServerMs / 1000} s. End it with "kill ${pid}" and try again.`,
    exitCodes.noServer,
  );
}

async function launch(options: DevServerOptions, previous: ServerNote | undefined): Promise<DevServer> {
  const { dir, binary, environment, ui = true } = options;
  const { dbFile = databaseOf(dir) } = options;
  const port = await choosePort(options.port, portOf(previous?.address));
  const uiPort = ui ? await choosePort(options.uiPort, portOf(previous?.uiUrl)) : undefined;
  const httpHost = await chooseHost(options.httpPort, previous);
  const logFile = logFileOf(dir);
  const child = spawnServer({
    binary,
    environment,
    port,
    uiPort,
    httpHost,
    dbFile: dbFile ?? undefined,
    searchAttributes: allAttributeTypes,
    logFile,
  });
  const ended = once(child, 'exit');
  ended.catch(() => undefined);
  const started = {
    ...toAddresses(port, uiPort, httpHost),
    pid: child.pid ?? 0,
    dbFile: dbFile ?? undefined,
  };
  try {
    await waitForPort(child, port, logFile, startTimeoutMs);
    const note = await noteServer(dir, started);
    const stop = async (): Promise<void> => {
      await noteEnd(dir, note.id);
      await endProcess(child);
    };
    return { ...toServer(dir, note), started: true, stop, ended, leaveRunning: () => child.unref() };
  } catch (error) {
    await endProcess(child);
    throw new Error(`The Temporal server did not start: ${messageOf(error)} Its log is ${logFile}.`, {
      cause: error,
    });
  }
}

/** Marks the server as this folder's, then writes the note by which commands find it. */
async function noteServer(dir: string, server: Omit<ServerNote, 'id' | 'startedAt'>): Promise<ServerNote> {
  const note = { ...server, id: randomUUID(), startedAt: new Date().toISOString() };
  await markServer(note.address, note.id);
  await writeNote(dir, note);
  return note;
}

function toAddresses(
  port: number,
  uiPort: number | undefined,
  httpHost: string | undefined,
): Pick<ServerNote, 'address' | 'uiUrl' | 'httpUrl'> {
  return {
    address: `${loopback}:${port}`,
    uiUrl: uiPort === undefined ? undefined : `http://${loopback}:${uiPort}`,
    httpUrl: httpHost === undefined ? undefined : `http://${httpHost}`,
  };
}

/** A server that died keeps its API open under its name; one that was ended on purpose has to be asked for it again. */
async function chooseHost(
  wanted: DevServerOptions['httpPort'],
  previous: ServerNote | undefined,
): Promise<string | undefined> {
  // a note of an older Holdfast has an API that everybody reached
  const [, last] = /^http:\/\/(.+\.localhost:\d+)$/.exec(previous?.httpUrl ?? '') ?? [];
  if (wanted === undefined && (last === undefined || previous?.ended)) return undefined;
  const port = await choosePort(wanted === true ? undefined : wanted, portOf(last));
  return port === portOf(last) ? last : chooseHttpHost(port);
}

export function databaseOf(dir: string): string {
  return join(dir, 'temporal.db');
}

function toServer(
  dir: string,
  { id, address, uiUrl, httpUrl, pid }: ServerNote,
): Pick<DevServer, 'id' | 'address' | 'uiUrl' | 'httpUrl' | 'namespace' | 'pid' | 'logFile'> {
  return { id, address, uiUrl, httpUrl, namespace: devNamespace, pid, logFile: logFileOf(dir) };
}

function logFileOf(dir: string): string {
  return join(dir, 'server.log');
}

/** Stops the server of this folder, whoever started it. False if none runs. */
export async function stopDevServer(dir: string): Promise<boolean> {
  const note = await readNote(dir);
  const servers = await serversOn(databaseOf(dir));
  if (note && servers.length > 0) await noteEnd(dir, note.id);
  await Promise.all(servers.map(({ pid }) => end(pid)));
  return servers.length > 0;
}

async function end(pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM');
  const killAt = performance.now() + 10_000;
  while (isAlive(pid)) {
    if (performance.now() > killAt) process.kill(pid, 'SIGKILL');
    await sleep(50);
  }
}
