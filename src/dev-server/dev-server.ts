// The embedded Temporal server: found again by its note, else started on free loopback ports with the fast flags.
// Never uses a server that it cannot prove to be its own.
import { messageOf } from '../core/base/message-of.ts';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { Environment } from '../config/environment.ts';
import { isAlive } from '../signs-of-life.ts';
import {
  isServerProcess,
  noteEnd,
  prepareFolder,
  readNote,
  withServerLock,
  writeNote,
} from './dev-server-note.ts';
import type { ServerNote } from './dev-server-note.ts';
import { searchAttributeTypes } from '../core/model/outer-names.ts';
import { typed } from '../cli/command-line.ts';
import {
  endProcess,
  loopback,
  spawnServer,
  takesConnections,
  waitForPort,
  portOf,
  choosePort,
} from './dev-server-process.ts';
import { UserError, exitCodes } from '../cli/user-error.ts';

const devNamespace = 'default';
const markerKey = 'holdfast';
const retentionMs = 30 * 24 * 3_600_000;
const startTimeoutMs = 60_000;
const answerTimeoutMs = 3_000;
const silentServerMs = 15_000;

export type DevServerOptions = {
  /** Holds note, log and database; made when missing. */
  dir: string;
  binary: string;
  environment: Environment;
  /** Absent: the port of last time if free, else any. */
  port?: number | undefined;
  uiPort?: number | undefined;
  /** Default true. */
  ui?: boolean;
  /** Default `<dir>/temporal.db`; null keeps everything in memory. */
  dbFile?: string | null;
};

export type DevServer = {
  /** Of its note: another one under the same address is a later start. */
  id: string;
  address: string;
  uiUrl?: string | undefined;
  namespace: string;
  pid: number;
  /** Such as 1.29.1; absent where this process started it. */
  serverVersion?: string | undefined;
  /** True when this process started it. */
  started: boolean;
  /** Ends it if this process started it; else does nothing. */
  stop(): Promise<void>;
  /** Lets this process end while the server keeps running. */
  leaveRunning(): void;
  /** Resolves when the server that this process started has ended, however; of another's server absent. */
  ended?: Promise<unknown>;
  logFile: string;
};

/** The server of this folder: the noted one if it still runs and is ours, else a new one. */
export async function useDevServer(options: DevServerOptions): Promise<DevServer> {
  await prepareFolder(options.dir);
  const server = (await findDevServer(options.dir)) ?? (await startDevServer(options));
  checkPort('port', options.port, server.address);
  checkPort('ui-port', options.uiPort, server.uiUrl);
  return server;
}

/** One that runs already has the ports that it has. */
function checkPort(option: string, wanted: number | undefined, address: string | undefined): void {
  if (wanted === undefined || wanted === portOf(address)) return;
  throw new UserError(
    `The Temporal server of this folder runs already, ${address === undefined ? 'without a UI' : `at ${address}`}: ` +
      `expected none, or one with --${option} ${wanted}. Leave the option out, or end it with "${typed('dev --stop')}".`,
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

/** Starts a server, or uses the one that another process of this folder started in the meantime. */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  await prepareFolder(options.dir);
  return withServerLock(options.dir, async () => startNoted(options, await readNote(options.dir)));
}

/**
 * Starts a server that has died again, or uses the one that another process of this folder started. Undefined where it
 * was ended on purpose.
 */
export async function restartDevServer(options: DevServerOptions): Promise<DevServer | undefined> {
  return withServerLock(options.dir, async () => {
    const note = await readNote(options.dir);
    return note === undefined || note.ended ? undefined : startNoted(options, note);
  });
}

async function startNoted(options: DevServerOptions, previous: ServerNote | undefined): Promise<DevServer> {
  const running = await waitForSilentServer(options.dir, previous);
  if (running) return running;
  const fixed = options.port !== undefined || options.uiPort !== undefined;
  return launch(options, previous).catch((error: unknown) => {
    // A free port may be taken between the look and the start; a port that the user chose stays the user's.
    if (fixed || error instanceof UserError) throw error;
    return launch(options, undefined);
  });
}

/** Two servers on one database would break it: a live one is waited for, never replaced. */
async function waitForSilentServer(
  dir: string,
  note: ServerNote | undefined,
): Promise<DevServer | undefined> {
  if (!note || !(await isServerProcess(note.pid, note.dbFile))) return undefined;
  const giveUpAt = performance.now() + silentServerMs;
  do {
    const found = await findDevServer(dir);
    if (found) return found;
    await sleep(200);
  } while (performance.now() < giveUpAt && isAlive(note.pid));
  if (!isAlive(note.pid)) return undefined;
  throw new UserError(
    `The Temporal server of ${dir} (pid ${note.pid}, ${note.address}) runs but does not answer. ` +
      `Expected an answer in ${silentServerMs / 1000} s. End it with "kill ${note.pid}" and try again.`,
    exitCodes.noServer,
  );
}

async function launch(options: DevServerOptions, previous: ServerNote | undefined): Promise<DevServer> {
  const { dir, binary, environment, ui = true } = options;
  const dbFile = options.dbFile === null ? undefined : (options.dbFile ?? join(dir, 'temporal.db'));
  const port = await choosePort(options.port, portOf(previous?.address));
  const uiPort = ui ? await choosePort(options.uiPort, portOf(previous?.uiUrl)) : undefined;
  const logFile = logFileOf(dir);
  const child = spawnServer({
    binary,
    environment,
    port,
    uiPort,
    dbFile,
    searchAttributes: searchAttributeTypes,
    logFile,
  });
  const ended = once(child, 'exit');
  ended.catch(() => undefined);
  const address = `${loopback}:${port}`;
  const id = randomUUID();
  try {
    await waitForPort(child, port, logFile, startTimeoutMs);
    await markServer(address, id);
  } catch (error) {
    await endProcess(child);
    throw new Error(`The Temporal server did not start: ${messageOf(error)} Its log is ${logFile}.`, {
      cause: error,
    });
  }
  const uiUrl = uiPort === undefined ? undefined : `http://${loopback}:${uiPort}`;
  const startedAt = new Date().toISOString();
  const note = { id, address, uiUrl, pid: child.pid ?? 0, dbFile, startedAt };
  await writeNote(dir, note);
  const stop = async (): Promise<void> => {
    await noteEnd(dir, id);
    await endProcess(child);
  };
  return { ...toServer(dir, note), started: true, stop, ended, leaveRunning: () => child.unref() };
}

function toServer(
  dir: string,
  { id, address, uiUrl, pid }: ServerNote,
): Pick<DevServer, 'id' | 'address' | 'uiUrl' | 'namespace' | 'pid' | 'logFile'> {
  return { id, address, uiUrl, namespace: devNamespace, pid, logFile: logFileOf(dir) };
}

function logFileOf(dir: string): string {
  return join(dir, 'server.log');
}

/** Ends the noted server from another process; false when none runs. */
export async function stopNotedServer(dir: string): Promise<boolean> {
  const note = await readNote(dir);
  if (!note || !(await isServerProcess(note.pid, note.dbFile))) return false;
  await noteEnd(dir, note.id);
  process.kill(note.pid, 'SIGTERM');
  const killAt = performance.now() + 10_000;
  while (isAlive(note.pid)) {
    if (performance.now() > killAt) process.kill(note.pid, 'SIGKILL');
    await sleep(50);
  }
  return true;
}

/** Sets the mark and 30 days of retention (the server's own default is one day). Retries until it is served. */
async function markServer(address: string, id: string): Promise<void> {
  await withConnection(address, startTimeoutMs, (connection) =>
    connection.workflowService.updateNamespace({
      namespace: devNamespace,
      updateInfo: { data: { [markerKey]: id } },
      config: { workflowExecutionRetentionTtl: msToTs(retentionMs) },
    }),
  );
}

type Marked = { mark: string | undefined; serverVersion: string | undefined };

async function readMark(address: string): Promise<Marked | undefined> {
  if (!(await takesConnections(portOf(address) ?? 0))) return undefined;
  const read = async ({ workflowService }: Connection): Promise<Marked> => {
    const [described, system] = await Promise.all([
      workflowService.describeNamespace({ namespace: devNamespace }),
      workflowService.getSystemInfo({}),
    ]);
    const mark = described.namespaceInfo?.data?.[markerKey];
    return { mark, serverVersion: system.serverVersion ?? undefined };
  };
  try {
    // No interceptors: a server that has just died is not asked again and again.
    return await withConnection(address, answerTimeoutMs, read, { interceptors: [] });
  } catch {
    return undefined;
  }
}

async function withConnection<T>(
  address: string,
  timeoutMs: number,
  work: (connection: Connection) => Promise<T>,
  options: { interceptors?: [] } = {},
): Promise<T> {
  // A proxy of the environment has no business between us and loopback.
  const connection = Connection.lazy({ address, channelArgs: { 'grpc.enable_http_proxy': 0 }, ...options });
  try {
    return await connection.withDeadline(Date.now() + timeoutMs, () => work(connection));
  } finally {
    await connection.close();
  }
}
