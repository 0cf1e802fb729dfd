// The parts of an incident: a folder that the agent may read, logs, HTTP services on ports that it may reach, processes,
// load; and their end. Node.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import type { Server, Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listeningPort } from '@holdfast/base/listening-port';
import { type Log, type Route, logTo, serve } from '../../packages/demo/src/checkout/services/service.ts';
import { type Closers, createClosers } from '../../packages/demo/src/closers.ts';

export type IncidentModule = {
  /** The reason why it cannot start on this machine, as the rest of "skipped: ". */
  lacks?(): string | undefined;
  /** Resolves when the evidence is complete. */
  start(system: System): Promise<StartedIncident>;
};

/** Settings of starter toolsets, by name. */
export type Toolsets = Record<string, Record<string, string>>;

export type StartedIncident = {
  /** In the words of an engineer on call. */
  task: string;
  /** Toolsets of the repository with which the agent looks at this system. */
  toolsets?: Toolsets;
  /** Changes of this system for the tool run_action, by name; each returns the text for the agent. */
  actions?: Record<string, (target: string) => string | Promise<string>>;
};

const patienceMs = 20_000;

export class System {
  readonly folder: string;
  readonly #ports: number[];
  readonly #closers: Closers;

  /** `ports` are those that the agent may reach; each service takes one. */
  constructor(folder: string, ports: readonly number[], say: (line: string) => void) {
    this.folder = folder;
    this.#ports = [...ports];
    this.#closers = createClosers(say);
    mkdirSync(join(folder, 'logs'), { recursive: true });
  }

  log(name: string): Log {
    return logTo(join(this.folder, 'logs', `${name}.log`));
  }

  async write(path: string, text: string): Promise<string> {
    const whole = join(this.folder, path);
    await mkdir(dirname(whole), { recursive: true });
    await writeFile(whole, text);
    return whole;
  }

  /** A line of the deploy list, with the time of this moment. */
  async deploy(id: string, service: string, change: string): Promise<void> {
    const line = `${new Date().toISOString()} deploy id=${id} service=${service} by=ci change="${change}"\n`;
    await appendFile(join(this.folder, 'deploys.log'), line);
  }

  /** A service on one of the ports that the agent may reach; its address. */
  async serve(routes: Record<string, Route>, log: Log): Promise<string> {
    return `http://127.0.0.1:${await this.listen(serve(routes, log), this.port())}`;
  }

  /** A server of any kind, by default on a port that the agent does not reach; its port. */
  async listen(server: Server, port = 0): Promise<number> {
    const open = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy());
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    this.atEnd(async () => {
      server.close();
      for (const socket of open) socket.destroy();
    });
    return listeningPort(server);
  }

  /** A port that the agent may reach, for a process. */
  port(): number {
    const port = this.#ports.shift();
    if (port === undefined) throw new Error('This incident has more services than an incident may have.');
    return port;
  }

  /** A separate process, whose output is logs/<name>.log. For a script, `process.execPath` is the command. */
  run(name: string, command: string, args: string[], options: SpawnOptions = {}): ChildProcess {
    const output = openSync(join(this.folder, 'logs', `${name}.log`), 'a');
    const child = spawn(command, args, {
      cwd: this.folder,
      ...options,
      env: { PATH: process.env['PATH'], ...options.env },
      stdio: ['ignore', output, output, 'ipc'],
    });
    closeSync(output);
    child.on('error', () => undefined);
    this.atEnd(() => stop(child));
    return child;
  }

  /** Load, a scrape, a check: repeated until the end, whether or not the last one has ended. */
  every(ms: number, work: () => unknown): void {
    const timer = setInterval(() => void Promise.resolve(work()).catch(() => undefined), ms);
    this.atEnd(async () => clearInterval(timer));
  }

  atEnd(close: () => Promise<unknown>): void {
    this.#closers.add(close);
  }

  end(): Promise<void> {
    return this.#closers.closeAll();
  }
}

/** Rejects with `what` if it does not happen in time. */
export async function until(what: string, happens: () => boolean | Promise<boolean>): Promise<void> {
  const endAt = Date.now() + patienceMs;
  while (!(await happens())) {
    if (Date.now() > endAt)
      throw new Error(`The incident has no evidence: ${what} did not happen within ${patienceMs / 1_000} s.`);
    await sleep(25);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
