// Runs incidents against a model: one Temporal server, one worker process (with kills: its successors), one incident
// after the other. Ends everything that it starts before it returns.
import type { AgentOptionValues } from '@holdfast/vocabulary/agent-spec';
import { mergeOptions } from '@holdfast/vocabulary/merge-options';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Client } from '@temporalio/client';
import { freePort } from '@holdfast/processes/free-port';
import { type HoldfastClient, createClient } from '../../src/client.ts';
import { openArtifactReader } from '../../src/config/artifacts.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/environment.ts';
import { connectClient } from '../../src/config/temporal-connection.ts';
import type { SessionResult } from '@holdfast/vocabulary/run-result';
import { type Report, reportJsonName } from '@holdfast/report/report';
import { messageOf } from '@holdfast/base/message-of';
import { type WorkerProcess, startWorkerProcess } from '../../packages/demo/src/demo-worker.ts';
import { readPendingActivities } from '../../packages/demo/src/pending-activities.ts';
import { type ActionServer, startActionServer } from './actions.ts';
import { type EvalsPlace, folderOf, writeEvalsConfig, writeEvalsPlace } from './config.ts';
import { type EvalGrade, gradeReport } from './judge.ts';
import { type Kill, type KillPoint, makeKills, planKills } from './kills.ts';
import { type IncidentModule, type Toolsets, System } from './system.ts';
import { readTruth } from './truth.ts';

export type EvalsOptions = {
  /** Empty; the caller removes it. */
  dir: string;
  address: string;
  /** `scripted`, or `<provider>:<model id>`. */
  model: string;
  incidents: Record<string, IncidentModule>;
  environment: Environment;
  /** Absent: no kills. */
  killSeed?: number;
  /** Ends the run between incidents and during the wait for one; the run then rejects. */
  signal?: AbortSignal;
  say(line: string): void;
  /** Called as each incident ends. */
  onRow?(row: EvalRow): void;
};

export type EvalRow = {
  incident: string;
  /** The reason for a skipped incident; the other fields are empty then. */
  skipped?: string;
  verdict: EvalGrade;
  /** `failed`, with the reason in `error`, also for an incident that did not start. */
  status: string;
  error?: string;
  costUsd: number;
  turns: number;
  seconds: number;
  /** Executed changes, and the most executions of one call. */
  effects: { executed: number; most: number };
  kills: Kill[];
  report?: Report;
  sessionId?: string;
};

/** The most services of an incident that the agent reaches. */
const portsEach = 4;
/** For a session with a real model: nobody is there to ask, and an incident of this size has a limited cost. */
const alone: AgentOptionValues = {
  // the investigator's limit of tokens would end a run of a cheap model before its cost does
  budget: { costUsd: 5, wallMs: 20 * 60_000, tokens: 50_000_000 },
  model: { onOperatorError: 'fail' },
  approvals: { timeoutMs: 1_000, questionTimeoutMs: 1_000 },
};

export async function runEvals(options: EvalsOptions): Promise<EvalRow[]> {
  const { dir, incidents } = options;
  const ports = await findPorts();
  const actions = await startActionServer();
  try {
    const model = options.model === 'scripted' ? 'scripted:none' : options.model;
    const place = { ports, actionsUrl: actions.url, model, toolsets: {} };
    const configFile = await writeEvalsConfig(dir, place, Object.keys(incidents));
    const bench = await openBench(options, configFile, actions, place);
    try {
      const rows: EvalRow[] = [];
      for (const [name, module] of Object.entries(incidents)) {
        const row = await runIncident(bench, name, module);
        options.signal?.throwIfAborted();
        rows.push(row);
        options.onRow?.(row);
      }
      return rows;
    } finally {
      await bench.close();
    }
  } finally {
    await actions.close();
  }
}

/** The same ports for all incidents, so that one worker may reach them. */
function findPorts(): Promise<number[]> {
  return Promise.all(Array.from({ length: portsEach }, () => freePort()));
}

type Bench = EvalsOptions & {
  client: HoldfastClient;
  temporal: Client;
  actions: ActionServer;
  ports: number[];
  replaceWorker(): Promise<void>;
  /** A worker looks at its toolsets when it starts: another one for other toolsets. */
  useToolsets(toolsets: Toolsets): Promise<void>;
  readReport(sessionId: string, result: SessionResult): Promise<Report | undefined>;
  close(): Promise<void>;
};

async function openBench(
  options: EvalsOptions,
  configFile: string,
  actions: ActionServer,
  place: EvalsPlace,
): Promise<Bench> {
  const { ports } = place;
  const { address, dir } = options;
  const environment = evalsEnvironment(options.environment);
  const [namespace, taskQueue] = ['default', `evals-${process.pid}-${ports[0]}`];
  const config = await loadConfig({ cwd: dir, environment, configFile });
  const artifacts = openArtifactReader(config);
  const connection = await connectClient({ address, namespace });
  const client = createClient({ connection, namespace, taskQueue, artifacts });
  const start = (): Promise<WorkerProcess> =>
    startWorkerProcess({ configFile, address, namespace, taskQueue, dir, environment });
  let worker = await start();
  let toolsets: Toolsets = {};
  const replaceWorker = async (): Promise<void> => {
    await worker.kill();
    worker = await start();
  };
  return {
    ...options,
    client,
    actions,
    ports,
    temporal: new Client({ connection, namespace }),
    replaceWorker,
    useToolsets: async (wanted) => {
      if (isDeepStrictEqual(wanted, toolsets)) return;
      toolsets = wanted;
      await writeEvalsPlace(dir, { ...place, toolsets });
      await replaceWorker();
    },
    readReport: async (sessionId, { report }) => {
      const bytes = report && (await artifacts.get(sessionId, reportJsonName(report.artifactId)));
      return bytes ? (JSON.parse(new TextDecoder().decode(bytes)) as Report) : undefined;
    },
    close: async () => {
      await worker.kill();
      await client.settled();
      await connection.close();
    },
  };
}

async function runIncident(bench: Bench, name: string, module: IncidentModule): Promise<EvalRow> {
  const empty = { incident: name, costUsd: 0, turns: 0, seconds: 0, kills: [] };
  const nothing = { ...empty, verdict: gradeReport(undefined, noTruth), effects: { executed: 0, most: 0 } };
  const lacks = module.lacks?.();
  if (lacks !== undefined) return { ...nothing, status: 'skipped', skipped: lacks };
  const folder = join(bench.dir, 'systems', name);
  const system = new System(folder, bench.ports, bench.say);
  try {
    const incident = await module.start(system);
    bench.signal?.throwIfAborted();
    bench.actions.open(incident);
    await bench.useToolsets(incident.toolsets ?? {});
    const startedAt = performance.now();
    const { sessionId, result, kills } = await investigate(bench, name, incident.task);
    const seconds = (performance.now() - startedAt) / 1_000;
    const report = await bench.readReport(sessionId, result);
    return {
      incident: name,
      sessionId,
      kills,
      seconds,
      ...(report && { report }),
      verdict: gradeReport(report, await readTruth(join(folderOf(name), 'truth.yaml'))),
      status: result.status,
      ...(result.error && { error: result.error.message }),
      costUsd: result.costUsd,
      turns: result.turns,
      effects: countEffects(bench.actions.ledger()),
    };
  } catch (error) {
    return { ...nothing, status: 'failed', error: messageOf(error) };
  } finally {
    await system.end();
    await rm(folder, { recursive: true, force: true });
  }
}

const noTruth = { component: [], kind: [], facts: {}, decoys: {}, sources: {} };

type Investigation = { sessionId: string; result: SessionResult; kills: Kill[] };

async function investigate(bench: Bench, name: string, task: string): Promise<Investigation> {
  const { client, temporal, model, killSeed, replaceWorker, signal } = bench;
  const real = model === 'scripted' ? { model: `scripted:${name}` } : mergeOptions(alone, { model });
  const session = await client.start({ prompt: task, ...real });
  const { sessionId } = session;
  const ended = new AbortController();
  const points: KillPoint[] = killSeed === undefined ? [] : planKills(killSeed, name);
  const readPending = () => readPendingActivities(temporal, sessionId);
  const killing = makeKills({ readPending, replaceWorker }, points, ended.signal);
  // without a worker there is no result to wait for
  const broken = killing.then(() => new Promise<never>(() => undefined));
  try {
    const result = await Promise.race([session.result(signal && { signal }), broken]);
    ended.abort();
    return { sessionId, result, kills: await killing };
  } finally {
    ended.abort();
    await killing.catch(() => undefined);
  }
}

function countEffects(ledger: string[]): EvalRow['effects'] {
  const counts = new Map<string, number>();
  for (const key of ledger) counts.set(key, (counts.get(key) ?? 0) + 1);
  return { executed: ledger.length, most: Math.max(0, ...counts.values()) };
}

/** Server, config, script and model are those of the evaluations; keys and base URLs are the user's. */
export function evalsEnvironment(environment: Environment): Environment {
  const own = /^(TEMPORAL_|HOLDFAST_(CONFIG|SCRIPT|TASK_QUEUE|MODEL|DIR)$)/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !own.test(name)));
}
