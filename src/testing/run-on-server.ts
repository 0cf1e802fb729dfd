// A tested run as a workflow on a Temporal server, with a worker of its own. Runs in Node.
import { defined } from '@holdfast/base/defined';
import { devNull } from 'node:os';
import { type AgentTest, type TestedRun, describeUnanswered, describeUndecided } from './agent-test.ts';
import type { Config } from '../config/config.ts';
import { withoutListeners } from '../config/telemetry.ts';
import type { ScriptedModel } from './scripted-model.ts';
import { connectClient } from '../config/temporal-connection.ts';
import { type HoldfastClient, type SessionHandle, createClient } from '../client.ts';
import { readKeys } from '../config/secrets.ts';
import { openArtifactReader } from '../config/artifacts.ts';
import type { HoldfastWorker } from '../worker.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';

export async function runTestOnServer(
  test: AgentTest,
  config: Config,
  model: ScriptedModel,
): Promise<TestedRun> {
  // loads the native worker only if needed: tests of scripts alone do without
  const { createHoldfastWorker } = await import('../worker.ts');
  const worker = await createHoldfastWorker({
    config: { ...config, telemetry: withoutListeners(config.telemetry) },
    play: model,
    shutdownGraceMs: 1_000,
    logFile: test.logFile ?? devNull,
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
    const artifacts = openArtifactReader(config);
    const encryption = await readKeys(config);
    return await work(createClient({ connection, namespace, taskQueue, artifacts, encryption }));
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
  const session = await client.start(input);
  await untilEnd(test, session);
  const result = await session.result();
  const messages = (await Array.fromAsync(session.messages())).filter((record) => 'role' in record);
  const report = await session.report(result);
  return defined({ sessionId: session.sessionId, result, messages, requests: model.requests, report });
}

async function untilEnd(test: AgentTest, session: SessionHandle): Promise<void> {
  const { timeoutMs = 60_000 } = test;
  const signal = AbortSignal.timeout(timeoutMs);
  for await (const item of session.events(0, signal)) {
    const event = item.type === 'event' ? item.event : undefined;
    if (event?.type === 'approval_requested') await decide(test, session, event.callId);
    if (event?.type === 'question_asked') await answer(test, session, event.callId);
  }
  if (!signal.aborted) return;
  const { state, turn, waitingReason } = await session.snapshot();
  throw new Error(
    `The agent did not end in ${timeoutMs / 1_000} s. Expected its end; at turn ${turn} it is ${state}${waitingReason ? ` (${waitingReason})` : ''}.`,
  );
}

async function answer({ answer: words }: AgentTest, session: SessionHandle, callId: string): Promise<void> {
  const question = (await session.pendingQuestions()).find(({ id }) => id === callId);
  if (question === undefined) return;
  if (words === undefined) throw new Error(describeUnanswered(question));
  await session.answerQuestion(callId, await words(question), { actor: 'test' });
}

async function decide({ approve }: AgentTest, session: SessionHandle, callId: string): Promise<void> {
  const call = (await session.pendingApprovals()).find(({ id }) => id === callId);
  if (call === undefined) return;
  if (approve === undefined) throw new Error(describeUndecided(call));
  const decision = { actor: 'test', argsDigest: call.argsDigest };
  await session[(await approve(call)) ? 'approve' : 'deny'](callId, decision);
}
