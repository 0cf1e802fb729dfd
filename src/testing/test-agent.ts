// One run of a user's agent in a test: the real workflow, worker and tools, with a script in place of every model.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openArtifactReader } from '../config/artifacts.ts';
import { createClient } from '../client.ts';
import type { HoldfastClient } from '../client.ts';
import { checkConfig, loadConfigFile } from '../config/config-file.ts';
import type { Config } from '../config/config.ts';
import { resolveConfig } from '../config/config.ts';
import type { LogRecord } from '../core/model/messages.ts';
import type { ModelRequest } from '../core/model/model-call.ts';
import type { ModelScript } from '../scripted/model-script.ts';
import type { SessionResult } from '../core/model/run-result.ts';
import type { SessionInput } from '../core/model/session-input.ts';
import type { PendingApproval } from '../core/model/snapshot.ts';
import type { HoldfastConfig } from '../config/define-config.ts';
import { connectClient } from '../config/temporal-connection.ts';
import type { HoldfastWorker } from '../worker.ts';
import type { StepInput } from './scripted-model.ts';
import { ScriptedModel } from './scripted-model.ts';
import { startTestServer } from './test-server.ts';

export type AgentTest = {
  /** As `defineConfig` takes it, or the path of its file. Default: no tools beyond what needs no permission. */
  config?: HoldfastConfig | string;
  /** Plays every model that the agent names: no key is read, nothing is asked over the network. */
  script: ModelScript | StepInput[];
  /** Start input beside the prompt: the agent's name, limits, labels. */
  input?: Omit<SessionInput, 'prompt' | 'keepAlive'>;
  prompt: NonNullable<SessionInput['prompt']>;
  /** Answers calls that ask for approval. Absent: such a call fails the test. */
  approve?: (call: PendingApproval) => boolean | Promise<boolean>;
  /** `host:port` of a Temporal server for tests. Default: one is started for this run. */
  server?: string;
  /** Default 60 s. */
  timeoutMs?: number;
  /** Where the worker's log goes. Default: nowhere. */
  logFile?: string;
};

export type TestedRun = {
  sessionId: string;
  result: SessionResult;
  /** The whole log. */
  messages: LogRecord[];
  /** What the model was asked, in order. */
  requests: ModelRequest[];
  /** As Markdown, where the run made one. */
  report?: string;
};

/** Rejects on a request that the script does not expect, on steps left over, and on an approval nobody answers. */
export async function testAgent(test: AgentTest): Promise<TestedRun> {
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
  const own = test.server === undefined ? await startTestServer() : undefined;
  const model = new ScriptedModel(test.script);
  try {
    const config = await toConfig(test.config ?? {}, dir, test.server ?? own?.address ?? '');
    const tested = await runOnce(test, config, model);
    model.assertFinished();
    return tested;
  } finally {
    await own?.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** The user's config in a folder and a task queue of its own, without this machine's settings and keys. */
async function toConfig(given: HoldfastConfig | string, dir: string, address: string): Promise<Config> {
  const cwd = process.cwd();
  const file =
    typeof given === 'string'
      ? await loadConfigFile(cwd, given)
      : { path: resolve('holdfast.config'), config: checkConfig(given, 'The config of the test') };
  const { getApiKey: _, ...config } = resolveConfig({ cwd, environment: {}, file });
  return {
    ...config,
    ...{ dir, artifactsDir: join(dir, 'artifacts'), taskQueue: `test-${randomUUID()}`, modelQueues: {} },
    temporal: { address, namespace: 'default' },
  };
}

async function runOnce(test: AgentTest, config: Config, model: ScriptedModel): Promise<TestedRun> {
  // the native worker is loaded where one is needed: scripts alone do without
  const { createHoldfastWorker } = await import('../worker.ts');
  const worker = await createHoldfastWorker({
    ...{ config, play: model, shutdownGraceMs: 1_000, logFile: test.logFile ?? devNull },
  });
  const running = worker.run();
  running.catch(() => undefined);
  try {
    return await withClient(config, (client) => follow(test, client, worker, model));
  } finally {
    worker.shutdown();
    await running;
  }
}

async function withClient<T>(config: Config, work: (client: HoldfastClient) => Promise<T>): Promise<T> {
  const { temporal, taskQueue } = config;
  const { namespace, address = '' } = temporal;
  const connection = await connectClient({ ...temporal, address });
  try {
    return await work(
      createClient({ connection, namespace, taskQueue, artifacts: openArtifactReader(config) }),
    );
  } finally {
    await connection.close();
  }
}

async function follow(
  test: AgentTest,
  client: HoldfastClient,
  worker: HoldfastWorker,
  model: ScriptedModel,
): Promise<TestedRun> {
  const input: SessionInput = { ...test.input, prompt: test.prompt };
  worker.checkInput(input);
  const { sessionId } = await client.start(input);
  await untilEnd(test, client, sessionId);
  const result = await client.session(sessionId).result();
  const messages: LogRecord[] = [];
  for await (const record of client.session(sessionId).messages())
    if ('role' in record) messages.push(record);
  const report = await client.session(sessionId).report(result);
  return { sessionId, result, messages, requests: model.requests, ...(report !== undefined && { report }) };
}

async function untilEnd(test: AgentTest, client: HoldfastClient, sessionId: string): Promise<void> {
  const { timeoutMs = 60_000 } = test;
  const signal = AbortSignal.timeout(timeoutMs);
  for await (const item of client.session(sessionId).events(0, signal)) {
    if (item.type === 'event' && item.event.type === 'approval_requested') {
      await answer(test, client, sessionId, item.event.callId);
    }
  }
  if (!signal.aborted) return;
  const { state, turn, waitingReason } = await client.session(sessionId).snapshot();
  throw new Error(
    `The agent did not end in ${timeoutMs / 1_000} s. Expected its end; at turn ${turn} it is ${state}${waitingReason ? ` (${waitingReason})` : ''}.`,
  );
}

async function answer(
  { approve }: AgentTest,
  client: HoldfastClient,
  sessionId: string,
  callId: string,
): Promise<void> {
  const call = (await client.session(sessionId).pendingApprovals()).find(({ id }) => id === callId);
  if (call === undefined) return;
  if (approve === undefined) {
    throw new Error(
      `The call ${callId} of ${call.tool} asks for approval, and the test has no answer. Give it "approve".`,
    );
  }
  const decision = { actor: 'test', argsDigest: call.argsDigest };
  if (await approve(call)) await client.session(sessionId).approve(callId, decision);
  else await client.session(sessionId).deny(callId, decision);
}
