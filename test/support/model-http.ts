// The whole activity callModel against the replay server: real SDKs, real HTTP, and a fresh attempt each time.
import type { AgentOptionValues } from '@holdfast/vocabulary/agent-spec';
import { mergeOptions } from '@holdfast/vocabulary/merge-options';
import { errorAnswer } from './provider-calls.ts';
import type { ProviderOptions } from '@holdfast/providers/vendor';
import { providerFor, models } from './providers.ts';
import type { ReplayServer } from './replay-server.ts';
import { startReplayServer } from './replay-server.ts';
import { toSse } from './sse.ts';
import type { Wire, WireEvent } from './sse.ts';
import { frozenContext } from './frozen-context.ts';
import { MemoryWorkflow, attempt, memoryStore, sessionId, worker } from './model-bench.ts';
import { ActivityCancellationDetails } from '@temporalio/common';
import { createDeltaBus } from '../../src/activities/base/delta-bus.ts';
import type { CallModelDeps } from '../../src/activities/model/call-model.ts';
import type { CallModelHeartbeat } from '@holdfast/vocabulary/activity-contracts';
import type { CallModelResult } from '@holdfast/vocabulary/call-results';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import { userMessage } from '@holdfast/vocabulary/messages';

export { errorAnswer };

export type HttpBench = {
  server: ReplayServer;
  workflow: MemoryWorkflow;
  store: ReturnType<typeof memoryStore>;
  /** One attempt of the call in hand; the next one goes on from its heartbeat. */
  run(): Promise<CallModelResult>;
  failure(): Promise<unknown>;
  /** An attempt that a person stops at the first piece of its reply. */
  stopped(): Promise<CallModelResult>;
  lastBeat(): CallModelHeartbeat | undefined;
};

export type HttpBenchOptions = {
  settings?: AgentOptionValues;
  context?: Partial<FrozenContext>;
  deps?: Partial<CallModelDeps>;
  prompt?: string;
  /** A second word of the person, behind the prompt. */
  steer?: string;
  provider?: ProviderOptions;
};

/** A session of one prompt whose model speaks this wire; the other wires' providers are there too. */
export async function startHttpBench(wire: Wire, options: HttpBenchOptions = {}): Promise<HttpBench> {
  const server = await startReplayServer();
  const workflow = new MemoryWorkflow();
  const frozen = frozenContext({ model: models[wire], ...options.context });
  workflow.context = { ...frozen, settings: mergeOptions(frozen.settings, options.settings ?? {}) };
  workflow.append(userMessage(options.prompt ?? 'Why is checkout slow?'));
  if (options.steer) workflow.append(userMessage(options.steer, 'steer'));
  const wires: Wire[] = ['openai-chat', 'openai-responses', 'anthropic'];
  const made = wires.map((name) => providerFor(name, server.url, options.provider).provider);
  const providers = new Map(made.map((provider) => [provider.name, provider]));
  const store = memoryStore();
  const [first] = made;
  if (first === undefined) throw new Error('no provider was made');
  const deltaBus = createDeltaBus();
  const { callModel } = worker(workflow, first, { providers, artifacts: store, deltaBus, ...options.deps });
  const input = workflow.input();
  let count = 0;
  let beat: CallModelHeartbeat | undefined;
  const next = () => {
    count += 1;
    return attempt({ attempt: count, ...(beat && { heartbeatDetails: beat }) });
  };
  return {
    server,
    workflow,
    store,
    run: () => next().run(callModel, input),
    async failure() {
      const current = next();
      const failure = await current.failure(callModel, input);
      beat = current.beats.at(-1);
      return failure;
    },
    async stopped() {
      const current = next();
      const watcher = deltaBus.subscribe(sessionId);
      const running = current.run(callModel, input);
      await watcher[Symbol.asyncIterator]().next();
      current.environment.cancel('CANCELLED', new ActivityCancellationDetails({ cancelRequested: true }));
      return running;
    },
    lastBeat: () => beat,
  };
}

/** A reply in the vendor's events. */
export function streamed(wire: Wire, events: readonly WireEvent[]) {
  return { chunks: [toSse(wire, events)] };
}
