// One process of Temporal's dev server on loopback: ports, flags, start and stop. Knows nothing of notes.
import { succeeds } from '@holdfast/base/succeeds';
import { freePort, isFree } from '@holdfast/processes/free-port';
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../config/environment.ts';
import { UserError } from '../common/user-error.ts';

export const loopback = '127.0.0.1';

export type ProcessOptions = {
  binary: string;
  environment: Environment;
  port: number;
  /** Without it the server runs no UI. */
  uiPort?: number | undefined;
  /** `host:port` of Temporal's own HTTP API: it answers to this name only. Absent: it answers to nobody. */
  httpHost?: string | undefined;
  /** Without it the server keeps everything in memory. */
  dbFile?: string | undefined;
  /** Temporal type by name, e.g. `Keyword`. */
  searchAttributes: Record<string, string>;
  logFile: string;
};

const stopGraceMs = 10_000;
const pollMs = 25;

/** The server gets its own process group, so that Ctrl-C in our terminal does not end it. */
export function spawnServer(options: ProcessOptions): ChildProcess {
  // appended: the reason of a crash must survive the next start
  const log = openSync(options.logFile, 'a');
  try {
    return spawn(options.binary, serverArguments(options), {
      env: options.environment,
      stdio: ['ignore', log, log],
      detached: true,
    });
  } finally {
    closeSync(log);
  }
}

/** One shard polls its queue 20 times a second by default; the flags make a turn ten times faster. */
function serverArguments(options: ProcessOptions): string[] {
  const { port, uiPort, httpHost, dbFile, searchAttributes } = options;
  // the server opens its API always; without a name that is known, no web page and no program gets an answer
  const httpHosts = JSON.stringify([httpHost ?? randomUUID()]);
  const pragmas = ['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'];
  // oxfmt-ignore
  return [
    'server', 'start-dev', '--ip', loopback, '--port', String(port), '--log-level', 'warn',
    ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
    ...(httpHost === undefined ? [] : ['--http-port', String(portOf(httpHost))]),
    '--dynamic-config-value', `frontend.httpAllowedHosts=${httpHosts}`,
    '--dynamic-config-value', 'history.transferProcessorMaxPollRPS=2000',
    '--dynamic-config-value', 'system.enableActivityEagerExecution=true',
    ...(dbFile === undefined ? [] : ['--db-filename', dbFile, ...pragmas]),
    ...Object.entries(searchAttributes).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
  ];
}

/** Resolves when the port accepts connections. Rejects with the log's last lines if the process ends first. */
export async function waitForPort(
  child: ChildProcess,
  port: number,
  logFile: string,
  timeoutMs: number,
): Promise<void> {
  const failed = new AbortController();
  child.once('error', (error) => failed.abort(error));
  child.once('exit', (code) => failed.abort(new Error(`It ended with code ${code}.`)));
  const giveUpAt = performance.now() + timeoutMs;
  while (!(await takesConnections(port))) {
    if (failed.signal.aborted) throw new Error(`${failed.signal.reason.message} ${await logTail(logFile)}`);
    if (performance.now() > giveUpAt)
      throw new Error(`No answer in ${timeoutMs / 1000} s. ${await logTail(logFile)}`);
    await sleep(pollMs);
  }
}

/** A plain TCP connection fails at once where nothing listens; a gRPC call would retry for seconds. */
export async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, loopback);
  return succeeds(once(socket, 'connect')).finally(() => socket.destroy());
}

/** Sends SIGTERM, then SIGKILL after 10 s. Resolves when the process has ended. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  child.ref();
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopGraceMs);
  await ended.finally(() => clearTimeout(timer));
}

async function logTail(logFile: string): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-3).join(' | ').slice(0, 600);
}

/** The wanted port, or an error if it is taken. Default: the last one, so that clients find the server, else any. */
export async function choosePort(wanted: number | undefined, last: number | undefined): Promise<number> {
  const first = wanted ?? last;
  if (first !== undefined && (await isFree(first))) return first;
  if (wanted === undefined) return freePort();
  throw new UserError(
    `Port ${wanted} is taken: expected a free one for the Temporal server. ` +
      `Choose another, or leave the option out to get a free one.`,
  );
}

/** A name that no web page can guess, and that resolves to loopback in curl and in browsers. */
export function chooseHttpHost(port: number): string {
  return `${randomUUID()}.localhost:${port}`;
}

export function portOf(address: string | undefined): number | undefined {
  const port = Number(/:(\d+)$/.exec(address ?? '')?.[1]);
  return Number.isInteger(port) && port > 0 ? port : undefined;
}
