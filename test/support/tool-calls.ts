// What a test of tools needs: a folder of its own, a store in it, and a tool activity in a mocked environment.
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { digestOf } from '../../src/activities/base/digest.ts';
import type { ArtifactStore } from '../../src/activities/storage/artifact-store.ts';
import { type BehindStore, createBehindStore } from '../../src/activities/storage/behind-store.ts';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { createMessageCache } from '../../src/activities/base/message-cache.ts';
import type { MessageCache } from '../../src/activities/base/message-cache.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { createToolActivities } from '../../src/activities/tools/run-tool.ts';
import type { ToolActivitiesDeps } from '../../src/activities/tools/run-tool.ts';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import type { RegisteredTool, ToolContext, ToolReturn } from '../../src/activities/tools/define-tool.ts';
import type { ToolCallInput } from '@holdfast/vocabulary/activity-contracts';
import type { ToolCallResult } from '@holdfast/vocabulary/call-results';
import type { Json } from '@holdfast/base/json';
import { textOf } from '@holdfast/vocabulary/messages';
import type { PolicyRule, ToolEffect } from '@holdfast/vocabulary/tool-spec';

/** When a thing of a test is put away. */
export type AtEnd = (putAway: () => Promise<void>) => void;

/** A real path: macOS links its temporary folder. It is gone at the end of the test, or when `atEnd` says so. */
export async function temporaryFolder(atEnd: AtEnd = onTestFinished): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'holdfast-test-')));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** What the file store in `folder` keeps of a session, sorted. */
export async function storedNames(folder: string, sessionId = 'session-1'): Promise<string[]> {
  const names = await readdir(join(folder, 'sessions', sessionId)).catch(() => []);
  return names.sort((left, right) => (left < right ? -1 : 1));
}

/** Its own where the test has one, so that several benches share the open writes. */
export function asBehind(store: ArtifactStore | BehindStore): BehindStore {
  return 'putBehind' in store ? store : createBehindStore(store);
}

/** A tool whose body is the given function; it takes any object. */
export function fakeTool(
  run: (args: Record<string, unknown>, context: ToolContext) => Promise<ToolReturn> | ToolReturn,
  overrides: { name?: string; effect?: ToolEffect; timeoutMs?: number; summaryArguments?: string[] } = {},
): RegisteredTool {
  return defineTool({
    name: 'fake',
    description: 'A tool of a test.',
    effect: 'read',
    input: z.looseObject({}),
    ...overrides,
    run,
  });
}

export function toolCallInput(args: Json, overrides: Partial<ToolCallInput> = {}): ToolCallInput {
  return {
    sessionId: 'session-1',
    runId: 'run-1',
    turn: 1,
    callId: 'call_1',
    args,
    argsDigest: digestOf(args),
    resultCap: 32_000,
    view: { epoch: 1, fromSeq: 1, toSeq: 1 },
    contextDigest: 'context-1',
    ...overrides,
  };
}

export type ToolBench = {
  deps: ToolActivitiesDeps;
  cache: MessageCache;
  environment: MockActivityEnvironment;
  /** What its own store keeps of the session. */
  storedNames(): Promise<string[]>;
  run(args: Json, overrides?: Partial<ToolCallInput>): Promise<ToolCallResult>;
  /** Text of a result, as the model gets it. */
  text(args: Json, overrides?: Partial<ToolCallInput>): Promise<string>;
};

/** A store whose reads and writes fail with this code, such as ENOSPC. */
export function failingStore(code: string): ArtifactStore {
  const fail = () => Promise.reject(Object.assign(new Error('no store'), { code }));
  return { id: 'failing', put: fail, get: fail };
}

/** The activity of one tool, over real files. */
export async function toolBench(
  tool: RegisteredTool,
  overrides: Partial<Omit<ToolActivitiesDeps, 'artifacts'>> & {
    artifacts?: ArtifactStore;
    /** The rules of a run with this worker's access. */
    policy?: readonly PolicyRule[];
    secrets?: string[];
    startToCloseTimeoutMs?: number;
    heartbeatTimeoutMs?: number;
    attempt?: number;
    /** The server's answer to a heartbeat that is awaited. Default: the attempt counts. */
    answer?: () => Promise<void>;
  } = {},
): Promise<ToolBench> {
  const { secrets = [], policy = [], attempt = 1, answer, ...settings } = overrides;
  const { startToCloseTimeoutMs = 120_000, heartbeatTimeoutMs = 10_000, ...rest } = settings;
  const cache = createMessageCache();
  const folder = await temporaryFolder();
  const deps: ToolActivitiesDeps = {
    tools: new Map([[tool.spec.name, tool]]),
    frozenAccess: async (own) => ({
      tool: own,
      policies: [policy],
      scope: {},
      dryRun: false,
      offTheRecord: false,
    }),
    redactor: createRedactor(secrets),
    cache,
    readLog: () => Promise.resolve([]),
    ...rest,
    artifacts: asBehind(rest.artifacts ?? (await createFileArtifactStore(folder))),
  };
  // before its folder is removed
  onTestFinished(() => deps.artifacts.flush());
  const activity = createToolActivities(deps)[`tool.${tool.spec.name}`];
  if (activity === undefined) throw new Error(`no activity for ${tool.spec.name}`);
  const environment = new MockActivityEnvironment(
    { startToCloseTimeoutMs, heartbeatTimeoutMs, attempt },
    { logger: new DefaultLogger('ERROR'), client: answeringClient(answer) },
  );
  const run: ToolBench['run'] = (args, changes) => environment.run(activity, toolCallInput(args, changes));
  return {
    deps,
    cache,
    environment,
    async storedNames() {
      await deps.artifacts.flush();
      return storedNames(folder);
    },
    run,
    text: async (args, changes) => textOf((await run(args, changes)).message),
  };
}

/** The part of a client that confirms the start of an activity. */
export function answeringClient(heartbeat: () => Promise<void> = () => Promise.resolve()): Client {
  const work = <T>(_: unknown, run: () => Promise<T>): Promise<T> => run();
  return Object({ withDeadline: work, withAbortSignal: work, activity: { heartbeat } });
}
