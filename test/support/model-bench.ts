// A model activity with everything it needs but a server: an in-memory workflow that answers its queries, fakes
// at the edges, and workers that can be replaced by fresh ones.
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { LogEntry } from '@temporalio/worker';
import { createCallModel } from '../../src/activities/model/call-model.ts';
import type { CallModelDeps } from '../../src/activities/model/call-model.ts';
import type { ArtifactStore } from '../../src/activities/storage/artifact-store.ts';
import { createDeltaBus } from '../../src/activities/base/delta-bus.ts';
import { digestOf } from '../../src/activities/base/digest.ts';
import { sha256Hex } from '@holdfast/stored/sha256';
import { createMessageCache } from '../../src/activities/base/message-cache.ts';
import type { QueryOwnWorkflow } from '../../src/activities/base/own-workflow.ts';
import type { ModelCallOptions, ModelProvider } from '@holdfast/providers/model-provider';
import { createRedactor } from '@holdfast/redaction/redaction';
import { createKeepRefused } from '../../src/activities/model/request-artifacts.ts';
import { createFrozenContexts } from '../../src/activities/context/frozen-contexts.ts';
import { createTranscripts } from '../../src/activities/context/transcript.ts';
import { internalQueries } from '@holdfast/vocabulary/outer-names';
import type {
  CallModelHeartbeat,
  CallModelInput,
  UnseenMessage,
  ViewPage,
} from '@holdfast/vocabulary/activity-contracts';
import type { CallModelResult } from '@holdfast/vocabulary/call-results';
import type { Segment } from '@holdfast/vocabulary/frozen-context';
import type { AssistantMessage, LogRecord, Message } from '@holdfast/vocabulary/messages';
import { noUsage, userMessage, toolCallsOf } from '@holdfast/vocabulary/messages';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';
import { frozenContext } from './frozen-context.ts';
import { clientOf } from './own-workflow.ts';

export const sessionId = 'session-1';

export function reply(
  content: AssistantMessage['content'],
  more: Partial<AssistantMessage> = {},
): AssistantMessage {
  const stopReason = content.some((part) => part.type === 'tool_call') ? 'tool_use' : 'stop';
  return {
    role: 'assistant',
    content,
    model: { provider: 'fake', id: 'one' },
    usage: { ...noUsage, input: 1 },
    stopReason,
    ...more,
  };
}

export const say = (text: string): AssistantMessage => reply([{ type: 'text', text }]);

/** The log of a session as its workflow holds it, and the queries it answers. */
export class MemoryWorkflow {
  context = frozenContext();
  records: LogRecord[] = [];
  segments: Segment[] = [];
  epoch = 1;
  fromSeq = 1;
  head: Message[] = [];
  /** What else getView tells of this epoch. */
  told: Pick<ViewPage, 'system' | 'reductions' | 'notes'> = {};
  /** Records that fit in a page. */
  pageSize = 3;
  sentSeq = 0;
  lastSeq = 0;
  /** Names of the queries that were asked. */
  asked: string[] = [];

  append(message: Message, digest?: string): void {
    this.lastSeq += 1;
    const head = { seq: this.lastSeq, id: `m${this.lastSeq}`, runId: 'run-1', turn: 1, at: 1_000 };
    // over the wire and back, as history would carry it
    this.records.push(JSON.parse(JSON.stringify({ ...head, ...(digest && { digest }), ...message })));
  }

  /** The input of the next model call; the messages that it names count as sent. */
  input(overrides: Partial<CallModelInput> = {}): CallModelInput {
    const unseen = this.records.filter((record) => record.seq > this.sentSeq).map(toReference);
    this.sentSeq = this.lastSeq;
    const view = { epoch: this.epoch, fromSeq: this.fromSeq, toSeq: this.lastSeq };
    const contextDigest = this.context.digest;
    return {
      sessionId,
      runId: 'run-1',
      turn: 1,
      contextDigest,
      view,
      unseen,
      toolChoice: 'auto',
      ...overrides,
    };
  }

  readonly query: QueryOwnWorkflow = (name, [first, second]) => {
    this.asked.push(name);
    if (name === internalQueries.getFrozenContext)
      return Promise.resolve(first === this.context.digest ? this.context : null);
    return Promise.resolve(this.#page(name === internalQueries.getView ? Number(second) : Number(first) + 1));
  };

  #page(fromSeq: number): ViewPage {
    const found = this.records.filter((record) => record.seq >= fromSeq);
    const next = found[this.pageSize];
    return structuredClone({
      epoch: this.epoch,
      head: this.head,
      ...this.told,
      segments: this.segments.filter((segment) => segment.toSeq >= fromSeq),
      records: found.slice(0, this.pageSize),
      ...(next && { nextSeq: next.seq }),
    });
  }
}

/** With one message from a person. */
export function started(prompt = 'Why is checkout slow?'): MemoryWorkflow {
  const workflow = new MemoryWorkflow();
  workflow.append(userMessage(prompt));
  return workflow;
}

function toReference(record: LogRecord): UnseenMessage {
  const { seq, digest } = record;
  if (digest !== undefined) return { seq, digest };
  return JSON.stringify(record).length <= 4_096 ? { seq, record } : { seq };
}

/** Stores the oldest records as a segment and takes them out of the state. */
export async function archive(
  workflow: MemoryWorkflow,
  store: ArtifactStore,
  toSeq: number,
): Promise<Segment> {
  const held = workflow.records.splice(0, workflow.records.findIndex((record) => record.seq === toSeq) + 1);
  const text = JSON.stringify(held);
  const artifactId = `segment-${toSeq}`;
  await store.put(sessionId, artifactId, text);
  const segment = { artifactId, fromSeq: held[0]?.seq ?? 0, toSeq, sha256: sha256Hex(text) };
  workflow.segments.push(segment);
  return segment;
}

export function memoryStore(): ArtifactStore & { files: Map<string, Uint8Array> } {
  const files = new Map<string, Uint8Array>();
  return {
    id: 'memory',
    files,
    async put(session, artifactId, bytes) {
      const data = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
      files.set(`${session}/${artifactId}`, data);
    },
    get: (session, artifactId) => Promise.resolve(files.get(`${session}/${artifactId}`)),
  };
}

export type Answer = (
  request: ModelRequest,
  options: ModelCallOptions,
  call: number,
) => AssistantMessage | Promise<AssistantMessage>;

/** A provider that answers with a function and remembers what it was asked. */
export function fakeProvider(answer: Answer, name = 'fake') {
  const requests: ModelRequest[] = [];
  const keys: (string | undefined)[] = [];
  const provider: ModelProvider = {
    name,
    async call(request, options) {
      requests.push(structuredClone(request));
      keys.push(options.apiKey);
      return { message: await answer(request, options, requests.length) };
    },
  };
  return { provider, requests, keys };
}

/** Asked by the activities of every attempt: the workflow of the newest worker, or `query`. */
let ask: QueryOwnWorkflow;

/** One worker process: its caches start empty. */
export function worker(
  workflow: MemoryWorkflow,
  provider: ModelProvider,
  {
    classify,
    query = workflow.query,
    ...more
  }: Partial<CallModelDeps> & Pick<ModelProvider, 'classify'> & { query?: QueryOwnWorkflow } = {},
) {
  ask = query;
  const cache = createMessageCache();
  const artifacts = more.artifacts ?? memoryStore();
  const deps: CallModelDeps = {
    providers: new Map([[provider.name, classify ? Object.assign(provider, { classify }) : provider]]),
    prepareCalls: (message) =>
      Promise.resolve(
        toolCallsOf(message).map(({ callId, name }) => ({
          status: 'ready',
          callId,
          effect: 'read',
          decision: 'allow',
          argsDigest: digestOf({}),
          summary: name,
        })),
      ),
    transcripts: createTranscripts({ cache, artifacts }),
    cache,
    deltaBus: createDeltaBus(),
    artifacts,
    keepRefused: createKeepRefused({ artifacts, redactor: createRedactor([]) }),
    redactor: createRedactor([]),
    loadImage: () => Promise.reject(new Error('this test has no images')),
    contexts: createFrozenContexts(),
    ...more,
  };
  return { deps, callModel: createCallModel(deps) };
}

export type AttemptInfo = {
  attempt?: number;
  heartbeatDetails?: CallModelHeartbeat;
  workflowRunId?: string;
  /** Server time at which the attempt was scheduled. */
  scheduledAt?: number;
};

/** An attempt in a mocked activity environment; `beats` and `logs` (what it warned of) fill while it runs. */
export function attempt(info: AttemptInfo = {}) {
  const { workflowRunId = 'temporal-run-1', scheduledAt = 1_000_000, ...rest } = info;
  const details = {
    ...rest,
    currentAttemptScheduledTimestampMs: scheduledAt,
    workflowExecution: { workflowId: sessionId, runId: workflowRunId },
  };
  const logs: LogEntry[] = [];
  const logger = new DefaultLogger('WARN', (entry) => logs.push(entry));
  const client = clientOf((name, args) => ask(name, args));
  const environment = new MockActivityEnvironment(details, { logger, client });
  const beats: CallModelHeartbeat[] = [];
  environment.on('heartbeat', (details: CallModelHeartbeat) => beats.push(structuredClone(details)));
  return {
    environment,
    beats,
    logs,
    run: (callModel: CallModel, input: CallModelInput): Promise<CallModelResult> =>
      environment.run(callModel, input),
    /** The failure that the attempt ends with. */
    async failure(callModel: CallModel, input: CallModelInput): Promise<unknown> {
      let result: CallModelResult;
      try {
        result = await environment.run(callModel, input);
      } catch (error) {
        return error;
      }
      throw new Error(`expected a failure, got ${JSON.stringify(result)}`);
    },
  };
}

type CallModel = (input: CallModelInput) => Promise<CallModelResult>;
