// Plays an alert storm against real processes: the embedded server, two workers and a gateway, each killed once while the
// storm goes on. What was sent is then compared with the fates. Runs in Node.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { freePort } from '@holdfast/processes/free-port';
import { createFileArtifactStore } from '../../../src/activities/storage/file-artifact-store.ts';
import { createClient, type HoldfastClient, type ListedAlert } from '../../../src/client.ts';
import { cacheFolder, type Environment } from '../../../src/config/environment.ts';
import { startDevServer } from '../../../src/dev-server/dev-server.ts';
import { getTemporalBinary } from '../../../src/dev-server/temporal-binary.ts';
import { planStorm, type StormMessage, type StormSizes } from './plan.ts';

export type StormOptions = StormSizes & {
  /** Nothing is killed. Default: gateway, workers and server are. */
  calm?: boolean;
  /** An empty folder. */
  dir: string;
  environment: Environment;
  say(line: string): void;
};

export type StormResult = {
  sent: number;
  accepted: number;
  refused: number;
  /** Requests that had no answer, or a 429 or 5xx, and were sent again. */
  sentAgain: number;
  /** Messages by the fate of their alert; those that could not be read are `refused`. */
  fates: Record<string, number>;
  /** Ids of messages that were answered with 2xx and have no record. */
  lost: string[];
  /** Messages that the records count, and the refused ones that the receiver counts. */
  counted: number;
  countedRefused: number;
  sessions: number;
  /** Groups with more than one session. */
  twice: string[];
  /** Of the answered requests, in ms. */
  answerMs: { p50: number; p99: number };
  /** Largest resident memory of a process, in MiB. */
  memory: { gateway: number; worker: number; server: number };
};

const receiver = 'storm';
const taskQueue = 'storm';
const entry = resolve(import.meta.dirname, '../../../bin/holdfast.js');
const settleMs = 300_000;

export async function playStorm(options: StormOptions): Promise<StormResult> {
  const { dir, environment, say } = options;
  const binary = await getTemporalBinary({ environment, cacheDir: cacheFolder(environment), say });
  const serverOptions = { dir: join(dir, '.holdfast'), binary: binary.path, environment, ui: false };
  const server = await startDevServer(serverOptions);
  const gatewayPort = await freePort();
  await writeProject(dir, gatewayPort);
  const memory = { gateway: 0, worker: 0, server: 0 };
  const start = (role: 'gateway' | 'worker', ...args: string[]) =>
    startCommand({ dir, role, args, address: server.address, environment, peak: memory });
  const parts = {
    gateway: start('gateway', 'gateway'),
    workers: [start('worker', 'worker'), start('worker', 'worker')],
    server,
  };
  try {
    await until('the gateway is ready', () => isReady(gatewayPort));
    const messages = planStorm(options, Date.now() - 60_000);
    const kills = killInTurn(options, async (turn) => {
      say(`killed: ${['gateway', 'worker', 'server', 'the other worker'][turn]}`);
      if (turn === 0) parts.gateway = await parts.gateway.again();
      if (turn === 1 || turn === 3) {
        const at = turn === 1 ? 0 : 1;
        const worker = parts.workers[at];
        if (worker) parts.workers[at] = await worker.again();
      }
      if (turn === 2) {
        memory.server = Math.max(memory.server, residentMiB(parts.server.pid));
        process.kill(parts.server.pid, 'SIGKILL');
        await pause(1_000);
        parts.server = await startDevServer(serverOptions);
      }
    });
    const outcomes = await sendAll(messages, `http://127.0.0.1:${gatewayPort}/alerts/${receiver}`);
    await kills;
    return await compare(messages, outcomes, { options, address: server.address, memory, parts });
  } finally {
    await Promise.all([parts.gateway.stop(), ...parts.workers.map((worker) => worker.stop())]);
    await parts.server.stop();
  }
}

async function writeProject(dir: string, port: number): Promise<void> {
  const config = {
    model: 'scripted:storm',
    script: 'script.yaml',
    taskQueue,
    agents: { looker: { instructions: 'Say what is wrong.', tools: [] } },
    secrets: { sender: { env: 'STORM_TOKEN' } },
    gateway: {
      port,
      tokens: { sender: { secret: 'secret://sender', may: ['alerts'] } },
      limits: { requestsPerMinute: 1_000_000 },
    },
    receivers: {
      [receiver]: {
        format: 'alertmanager',
        start: { agent: 'looker' },
        debounceMs: 2_000,
        cooldownMs: 3_600_000,
        slots: 8,
      },
    },
  };
  await writeFile(join(dir, 'holdfast.config.json'), JSON.stringify(config));
  await writeFile(
    join(dir, 'script.yaml'),
    'name: storm\nsteps:\n  - { id: look, delayMs: 1500, text: "The disk of the node is full." }\nafterEnd: It is full still.\n',
  );
}

type Command = { stop(): Promise<void>; again(): Promise<Command> };
type StartCommand = {
  dir: string;
  role: 'gateway' | 'worker';
  args: string[];
  address: string;
  environment: Environment;
  /** Largest memory so far, by role; kept up to date. */
  peak: Record<'gateway' | 'worker', number>;
};

const token = 'storm-token-of-this-run';

function startCommand(input: StartCommand): Command {
  const { dir, role, args, address, environment, peak } = input;
  const log = openSync(join(dir, `${role}.log`), 'a');
  const env = { ...environment, TEMPORAL_ADDRESS: address, STORM_TOKEN: token };
  const child = spawn(process.execPath, [entry, ...args], { cwd: dir, env, stdio: ['ignore', log, log] });
  closeSync(log);
  const look = setInterval(() => (peak[role] = Math.max(peak[role], residentMiB(child.pid ?? 0))), 500);
  look.unref();
  const stop = async (): Promise<void> => {
    clearInterval(look);
    await kill(child);
  };
  return {
    stop,
    again: async () => {
      await stop();
      return startCommand(input);
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** 0 for a process that is gone. */
function residentMiB(pid: number): number {
  try {
    const [, kib = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kib) / 1_024);
  } catch {
    return 0;
  }
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  return answer?.ok === true;
}

/** Four kills, spread over the storm. */
async function killInTurn(
  { overMs, calm = false }: StormOptions,
  doIt: (turn: number) => Promise<void>,
): Promise<void> {
  for (let turn = 0; turn < 4 && !calm; turn++) {
    await pause(overMs / 5);
    await doIt(turn);
  }
}

type Outcome = { status: number; tries: number; ms: number };

const firstWaitMs = 500;
const longestWaitMs = 10_000;

/** Like a real sender: again, with growing waits, until there is an answer that is not 429 or 5xx. */
async function sendAll(messages: readonly StormMessage[], url: string): Promise<Outcome[]> {
  const began = performance.now();
  return Promise.all(
    messages.map(async ({ at, body }) => {
      await pause(Math.max(0, at - (performance.now() - began)));
      for (let tries = 1; ; tries++) {
        const asked = performance.now();
        const status = await post(url, body);
        if (status !== undefined && status !== 429 && status < 500)
          return { status, tries, ms: performance.now() - asked };
        await pause(Math.min(longestWaitMs, firstWaitMs * 2 ** (tries - 1)));
      }
    }),
  );
}

async function post(url: string, body: string): Promise<number | undefined> {
  try {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(15_000) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return undefined;
  }
}

type Compared = {
  options: StormOptions;
  address: string;
  memory: StormResult['memory'];
  parts: { server: { pid: number } };
};

async function compare(
  messages: readonly StormMessage[],
  outcomes: readonly Outcome[],
  { options, address, memory, parts }: Compared,
): Promise<StormResult> {
  const connection = await Connection.connect({ address });
  try {
    const artifacts = await createFileArtifactStore(join(options.dir, '.holdfast/artifacts'));
    const client = createClient({ connection, namespace: 'default', taskQueue, artifacts });
    const alerts = await settled(client);
    memory.server = Math.max(memory.server, residentMiB(parts.server.pid));
    const byId = new Map(alerts.map((alert) => [alert.id, alert]));
    const ofMessages = messages.map((message, at) => ({ ...message, ...outcomes[at] }));
    const taken = ofMessages.filter(({ status = 0 }) => status >= 200 && status < 300);
    const sessions = await client.list({ limit: 100_000 });
    const groups = Map.groupBy(sessions, ({ labels }) => labels?.['alertGroup'] ?? 'none');
    const times = outcomes.map(({ ms }) => ms).toSorted((one, other) => one - other);
    const part = (share: number): number => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
    const { refusedTotal = 0 } = (await client.alerts.receiver(receiver)) ?? {};
    return {
      sent: messages.length,
      accepted: taken.length,
      refused: outcomes.filter(({ status }) => status >= 400).length,
      sentAgain: outcomes.reduce((sum, { tries }) => sum + tries - 1, 0),
      fates: countFates(
        ofMessages.map(({ id, status = 0 }) => ({ id, isTaken: status < 300 })),
        byId,
      ),
      lost: taken.flatMap(({ id }) => (id !== undefined && byId.has(id) ? [] : [id ?? 'a broken one'])),
      counted: alerts.reduce((sum, alert) => sum + alert.times, 0),
      countedRefused: refusedTotal,
      sessions: sessions.length,
      twice: [...groups].flatMap(([group, own]) => (own.length > 1 ? [group] : [])),
      answerMs: { p50: part(0.5), p99: part(0.99) },
      memory,
    };
  } finally {
    await connection.close();
  }
}

/** All fates, once nothing waits and every session has ended. */
async function settled(client: HoldfastClient): Promise<ListedAlert[]> {
  return until(
    'everything has settled',
    async () => {
      const alerts = await client.alerts.list({ receiver, limit: 1_000_000, archived: true });
      const isOpen = ({ fate, outcome }: ListedAlert): boolean =>
        fate.kind === 'waiting' || (fate.session !== undefined && outcome === undefined);
      return alerts.some(isOpen) ? undefined : alerts;
    },
    settleMs,
  );
}

function countFates(
  messages: readonly { id: string | undefined; isTaken: boolean }[],
  byId: ReadonlyMap<string, ListedAlert>,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { id, isTaken } of messages) {
    const kind = isTaken ? (byId.get(id ?? '')?.fate.kind ?? 'none') : 'refused';
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  timeoutMs = 60_000,
): Promise<T> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > giveUpAt) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`);
    await pause(500);
  }
}
