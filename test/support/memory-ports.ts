// A session in memory: the real loop, store and inbox, with a model and tools that are functions. No timers and no
// network: a call lasts until its promise settles, so a test decides the order of everything.
import type { CallModelInput } from '../../src/core/model/activity-contracts.ts';
import type { FrozenContext, Segment } from '../../src/core/model/frozen-context.ts';
import { agentDefaults } from '../../src/core/model/agent-spec.ts';
import type {
  AgentSettings,
  Budget,
  CondenseOptions,
  QueueOptions,
} from '../../src/core/model/agent-spec.ts';
import { newAgentState } from '../../src/core/model/agent-state.ts';
import type { AgentState, BatchCall, ToolAnswer, TouchedFiles } from '../../src/core/model/agent-state.ts';
import { AgentStore } from '../../src/core/session/agent-store.ts';
import { runSession } from '../../src/core/loop/agent-loop.ts';
import { viewHead } from '../../src/core/view/condense-reason.ts';
import type { CondensePlan } from '../../src/core/view/condense/strategy.ts';
import { continuationOf } from '../../src/core/state/continuation.ts';
import type { Continuation } from '../../src/core/state/continuation.ts';
import { estimatorVersion } from '../../src/core/view/estimate.ts';
import { EventRing } from '../../src/core/session/event-ring.ts';
import type { CarriedEvents } from '../../src/core/session/event-ring.ts';
import type { AgentEvent } from '../../src/core/model/events.ts';
import { hookPoints, pointsOf, pureHook } from '../../src/core/hooks/built-in.ts';
import { callPureHook } from '../../src/core/loop/call-pure-hook.ts';
import type {
  FrozenHook,
  HookInputs,
  HookPoint,
  ListedHook,
  PureHookFunctions,
} from '../../src/core/model/hook.ts';
import { Inbox } from '../../src/core/session/inbox.ts';
import type { CarriedInbox } from '../../src/core/session/inbox.ts';
import { loopRules } from '../../src/core/state/loop-rules.ts';
import type { AssistantMessage, LogRecord, Message, UserMessage } from '../../src/core/model/messages.ts';
import { messageOf, noUsage, toolCallsOf, userMessage } from '../../src/core/model/messages.ts';
import type {
  ApprovalDecision,
  CondenseOutcome,
  ContextOutcome,
  HookOutcome,
  LoopPorts,
  ModelOutcome,
} from '../../src/core/loop/ports.ts';
import { parseQueued } from '../../src/core/session/prompt.ts';
import type { JsonObject } from '../../src/core/base/json.ts';
import type { SessionSettings } from '../../src/core/model/agent-spec.ts';
import type { RunResult } from '../../src/core/model/run-result.ts';
import type { Snapshot } from '../../src/core/model/snapshot.ts';
import { snapshotOf } from '../../src/core/session/snapshot-of.ts';
import { errorAnswer } from '../../src/core/state/tool-answers.ts';
import type { PolicyDecision, PreparedCall, ToolSpec } from '../../src/core/model/tool-spec.ts';
import { builtInWorkflowTools } from '../../src/core/loop/workflow-tools/built-in.ts';
import type { ResolveToolGroups } from '../../src/core/loop/workflow-tools/load-tools.ts';
import type { WorkflowTool } from '../../src/core/loop/workflow-tools/workflow-tool.ts';
import { reducedRecords } from '../../src/core/view/reducers/apply-reductions.ts';
import type { Waiting } from '../../src/core/loop/next-step.ts';
import { repairView } from '../../src/core/view/view-for-model.ts';

/** One model request: what core's view gives for it, and the input that named it. */
export type MemoryRequest = {
  /** Behind the frozen system prompt. */
  system?: string;
  messages: Message[];
  toolChoice: 'auto' | 'none';
  input: CallModelInput;
};
export type MemoryModel = (
  request: MemoryRequest,
  signal: AbortSignal,
) => AssistantMessage | ModelOutcome | Promise<AssistantMessage | ModelOutcome>;
/** What it returns is the result's text, or the whole answer. A throw is a failed tool. */
export type MemoryTool = (call: {
  callId: string;
  args: string;
  signal: AbortSignal;
  approvedBy?: string;
}) => string | ToolAnswer | Promise<string | ToolAnswer>;

export type MemoryHook = { name: string; params?: JsonObject } & PureHookFunctions;

export type MemoryOptions = {
  model: MemoryModel;
  tools?: Record<string, MemoryTool>;
  /** Of the tools, and of further ones that have no function here. */
  specs?: Record<string, Partial<ToolSpec>>;
  /** Further ones beside those that are built in; each needs a spec too. */
  workflowTools?: WorkflowTool[];
  resolveToolGroups?: ResolveToolGroups;
  /** Decision by tool name; default allow. */
  policy?: Record<string, PolicyDecision>;
  /** In place of the simple preparation: found or not, decision by name. */
  prepare?: (message: AssistantMessage) => Promise<PreparedCall[]>;
  settings?: Partial<Omit<AgentSettings, 'queues' | 'condense'>> & {
    queues?: Partial<QueueOptions>;
    condense?: Partial<CondenseOptions>;
  };
  /** Stay after a run. Default false: close when idle. */
  keepAlive?: boolean;
  now?: () => number;
  assemble?: (signal: AbortSignal) => Promise<ContextOutcome>;
  /** What a run's end waits for. */
  save?: () => Promise<void>;
  costUsd?: number;
  /** Of an older worker: the rules that its runs go by. */
  rules?: number;
  /** In the order of their call; one without functions is built in. */
  hooks?: MemoryHook[];
  /** `stopped`: the hook does not answer any more. */
  beforeHook?: (point: HookPoint) => BeforeHook | Promise<BeforeHook>;
  /** The summary; a throw is a failed condense. Default: `ok`. */
  condense?: (plan: CondensePlan, signal: AbortSignal) => MemorySummary | Promise<MemorySummary>;
};

type BeforeHook = 'stopped' | void;
type MemorySummary = string | { summary: string; files?: TouchedFiles; costUsd?: number };

/** What crosses a hand-over, as JSON. */
export type CarriedSession = { state: AgentState; events: CarriedEvents; inbox: CarriedInbox };

type Waiter = { ready: () => boolean; resolve: () => void };
type PendingApproval = { entry: BatchCall; answer?: ApprovalDecision };

export class MemorySession {
  readonly store: AgentStore;
  readonly inbox: Inbox;
  readonly requests: MemoryRequest[] = [];
  /** Call ids in the order in which their tools began to run. */
  readonly ran: string[] = [];
  /** Every event since this execution began, also those that the ring has dropped. */
  readonly seen: AgentEvent[] = [];
  readonly approvals = new Map<string, PendingApproval>();
  readonly context: FrozenContext;
  /** `<hook>.<point>` in the order of the calls. */
  readonly hookCalls: string[] = [];
  readonly logged: JsonObject[] = [];
  /** Records that a reset has stored. */
  readonly archived: LogRecord[] = [];
  handOver = false;
  /** Of the loop since somebody set it to 0. */
  decisions = 0;
  waitsForOperator = false;
  /** Looks at the session after every change. */
  onChange: () => void = () => {};
  readonly #options: MemoryOptions;
  readonly #stops = new Set<AbortController>();
  #waiters: Waiter[] = [];

  constructor(options: MemoryOptions, carried?: CarriedSession) {
    this.#options = options;
    const now = options.now ?? (() => 0);
    this.store = new AgentStore(
      carried?.state ?? newAgentState('session-1'),
      new EventRing(carried?.events),
      now,
      () => this.#changed(),
    );
    this.inbox = new Inbox((event) => this.store.announce(event), carried?.inbox);
    this.context = frozenContext(options);
  }

  get state(): AgentState {
    return this.store.state;
  }

  /** Events of these types, in order. */
  events<T extends AgentEvent['type']>(...types: T[]): Extract<AgentEvent, { type: T }>[] {
    return this.seen.filter((event): event is Extract<AgentEvent, { type: T }> =>
      types.some((type) => type === event.type),
    );
  }

  get busy(): boolean {
    return this.state.run !== undefined || this.inbox.hasPrompt;
  }

  get snapshot(): Snapshot {
    return snapshotOf(this.state, this.inbox, {
      workflowRunId: 'memory',
      lastEventSeq: this.store.events.lastSeq,
      openMessage: this.store.openMessage,
      approvals: [],
      continuedAsNew: 0,
      labels: {},
    });
  }

  /** As over a continue-as-new: nothing but plain data goes on. */
  carry(): CarriedSession {
    const carried = { state: this.state, events: this.store.events.carry(), inbox: this.inbox.carry() };
    return JSON.parse(JSON.stringify(carried)) as CarriedSession;
  }

  prompt(...texts: string[]): void {
    this.inbox.putPrompt(texts.map((text): UserMessage => userMessage(text)));
    this.#changed();
  }

  steer(id: string, message: unknown = id, mode: 'next_turn' | 'interrupt' = 'next_turn'): boolean {
    const accepted = this.#put('steering', { id, message, mode });
    if (accepted && mode === 'interrupt' && this.#goesOn) this.#stopAll();
    return accepted;
  }

  /** As the update of this name. */
  requestCondense(): void {
    this.store.record({ type: 'condense_requested' });
    this.#changed();
  }

  followUp(id: string, message: unknown = id): boolean {
    return this.#put('followUp', { id, message });
  }

  abort(): void {
    if (!this.busy || this.inbox.abort) return;
    this.inbox.abort = true;
    this.store.record({ type: 'aborting' });
    this.#stopAll();
  }

  resume(): void {
    this.inbox.resume = true;
    this.#changed();
  }

  cancel(id: string): boolean {
    const removed = this.inbox.cancel(id);
    this.#changed();
    return removed;
  }

  clear(): void {
    this.inbox.clear();
    this.#changed();
  }

  /** Throws where there is nothing to go on with, as the update refuses. */
  continue(text?: string): void {
    const continuation = this.#continuation(text === undefined ? undefined : userMessage(text));
    if (!continuation) throw new Error('NothingToContinue');
    this.inbox.putContinue(continuation, `run-${this.state.runs + 1}`);
    this.#changed();
  }

  get canContinue(): boolean {
    return this.#continuation(undefined) !== undefined;
  }

  #continuation(text: UserMessage | undefined): Continuation | undefined {
    const waiting = { steering: this.inbox.waiting('steering'), followUp: this.inbox.waiting('followUp') };
    return this.busy || this.inbox.reset ? undefined : continuationOf(this.state, waiting, text);
  }

  /** The run's deadline has passed. */
  timeOut(): void {
    const { run } = this.state;
    if (!run || run.end || this.inbox.abort) return;
    this.inbox.abort = true;
    this.store.record({ type: 'timed_out' });
    this.#stopAll();
  }

  extendBudget(by: Budget): void {
    this.store.record({ type: 'budget_extended', by });
  }

  /** Messages that were taken for a run which has not begun. */
  get accepted(): Message[] {
    return this.inbox.carry().prompt ?? [];
  }

  reset(): void {
    this.inbox.reset = true;
    this.#changed();
  }

  /** As when the history is long: the session goes on in a new one at its next boundary. */
  requestHandOver(): void {
    this.handOver = true;
    this.#changed();
  }

  close(): void {
    this.inbox.closing = true;
    this.#changed();
  }

  /** False when no such call waits: an answer that comes too late. */
  decide(callId: string, decision: ApprovalDecision): boolean {
    const pending = this.approvals.get(callId);
    if (!pending || pending.answer) return false;
    pending.answer = decision;
    this.#changed();
    return true;
  }

  /** Runs until the session closes or hands over. */
  run(): Promise<'closed' | 'hand_over'> {
    return runSession(this.store, this.ports());
  }

  /** Prompts, runs until closed and gives the result. */
  async ask(...texts: string[]): Promise<RunResult> {
    this.prompt(...texts);
    await this.run();
    if (!this.state.lastResult) throw new Error('The session closed without a result');
    return this.state.lastResult;
  }

  ports(): LoopPorts {
    const { inbox } = this;
    return {
      waiting: () => this.#waiting(),
      inbox: {
        takePrompt: () => inbox.takePrompt(`run-${this.state.runs + 1}`),
        resetDone: () => void (inbox.reset = false),
        take: (queue, place) => inbox.take(queue, place),
      },
      assembleContext: (_, settings) => this.#assemble(settings),
      callHook: (hook, point, input) => this.#callHook(hook, point, input),
      callModel: (input) => this.#callModel(input),
      condense: (plan) => this.#condense(plan),
      runTool: (entry, approvedBy) => this.#runTool(entry, approvedBy),
      workflowTools: this.#workflowTools(),
      requestApproval: (entry) => this.#requestApproval(entry),
      waitForOperator: () => this.#waitForOperator(),
      stopRequested: () => inbox.stop,
      turnEnded: () => undefined,
      callAnswered: () => undefined,
      reset: async () => this.#reset(),
      waitForWork: () =>
        this.until(() => this.#isAsked() || this.state.condenseRequested || this.closing || this.handOver),
      readOutput: async () => undefined,
      runEnded: async () => {
        inbox.runEnded();
        await this.#options.save?.();
      },
    };
  }

  #waiting(): Waiting {
    const { inbox } = this;
    if (++this.decisions > 5_000) throw new Error('The loop decides again and again without waiting');
    return {
      now: (this.#options.now ?? (() => 0))(),
      prompt: inbox.hasPrompt,
      steering: inbox.waiting('steering'),
      followUp: inbox.waiting('followUp'),
      idleMessage: inbox.hasIdleMessage,
      abort: inbox.abort,
      interrupt: inbox.stop === 'interrupt',
      handOver: this.handOver,
      closing: this.closing,
      reset: inbox.resetIsDue,
    };
  }

  get closing(): boolean {
    return this.inbox.closing || this.#options.keepAlive !== true;
  }

  /** Resolves at the first change after which `ready` holds, or at once. */
  until(ready: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push({ ready, resolve });
      this.#changed();
    });
  }

  #put(queue: 'steering' | 'followUp', payload: unknown): boolean {
    const parsed = parseQueued(payload, queue === 'steering' ? 'steer' : 'follow_up');
    if (!parsed.ok) throw new Error(parsed.reason);
    const interrupts = parsed.value.mode === 'interrupt' && this.#goesOn;
    const accepted = this.inbox.put(queue, parsed.value, { whileIdle: !this.busy, interrupts });
    this.#changed();
    return accepted;
  }

  /** One that ends is only wrapped up. */
  get #goesOn(): boolean {
    return this.state.run !== undefined && this.state.run.end === undefined;
  }

  #stopAll(): void {
    for (const stop of this.#stops) stop.abort();
    this.#changed();
  }

  #changed(): void {
    const { events } = this.store.events.page(this.seen.at(-1)?.seq ?? 0);
    this.seen.push(...events);
    const ready = this.#waiters.filter((waiter) => waiter.ready());
    this.#waiters = this.#waiters.filter((waiter) => !ready.includes(waiter));
    for (const { resolve } of ready) resolve();
    this.onChange();
  }

  /** A stop reaches only what is in flight when it comes. */
  async #stoppable<T>(work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
    const stop = new AbortController();
    this.#stops.add(stop);
    try {
      return await work(stop.signal);
    } finally {
      this.#stops.delete(stop);
    }
  }

  async #callHook<Point extends HookPoint>(
    hook: ListedHook,
    point: Point,
    input: HookInputs[Point],
  ): Promise<HookOutcome<Point>> {
    this.hookCalls.push(`${hook.name}.${point}`);
    const own = this.#options.hooks?.find(({ name }) => name === hook.name);
    const definition = own && hookPoints.some((known) => known in own) ? own : pureHook(hook.name);
    if (!definition) throw new Error(`No hook ${hook.name}`);
    if ((await this.#options.beforeHook?.(point)) === 'stopped') return { type: 'stopped' };
    const log = (message: string, attributes: JsonObject) =>
      void this.logged.push({ message, ...attributes });
    return { type: 'answered', output: callPureHook(this.store, hook, definition, point, input, log) };
  }

  async #assemble(settings: SessionSettings): Promise<ContextOutcome> {
    this.inbox.configure(this.context.settings.queues);
    const { assemble } = this.#options;
    return assemble ? this.#stoppable(assemble) : changedContext(this.context, settings);
  }

  async #callModel(input: CallModelInput): Promise<ModelOutcome> {
    const { records } = this.state.log;
    const { fromSeq, toSeq } = input.view;
    const view = records.filter(({ seq }) => seq >= fromSeq && seq <= toSeq);
    const { system, messages: head } = viewHead(this.state);
    const sent = reducedRecords(this.state.view.reductions, view);
    const request = {
      ...(system === undefined ? {} : { system }),
      messages: repairView([...head, ...sent.map(messageOf)]),
      toolChoice: input.toolChoice,
      input,
    };
    this.requests.push(structuredClone(request));
    this.#changed();
    const answer = await this.#stoppable((signal) => this.#options.model(request, signal));
    if ('type' in answer) return answer;
    const calls = await this.#prepare(answer);
    return {
      type: 'reply',
      result: {
        message: answer,
        digest: `digest-${this.requests.length}`,
        calls,
        costUsd: this.#options.costUsd ?? 0,
      },
    };
  }

  async #condense(plan: CondensePlan): Promise<CondenseOutcome> {
    const { fromSeq, toSeq } = plan;
    const segment = { artifactId: `log-${fromSeq}-${toSeq}`, fromSeq, toSeq, sha256: '' };
    const condense = this.#options.condense ?? (() => 'ok');
    let stopped = false;
    try {
      const made = await this.#stoppable((signal) => {
        signal.addEventListener('abort', () => (stopped = true));
        return condense(plan, signal);
      });
      const answer = typeof made === 'string' ? { summary: made } : made;
      return { type: 'done', costUsd: 0, ...answer, usage: noUsage, segment };
    } catch (error) {
      if (stopped) return { type: 'stopped' };
      return { type: 'failed', failure: { code: 'Condense.Failed', message: String(error) } };
    }
  }

  async #prepare(message: AssistantMessage): Promise<PreparedCall[]> {
    const { prepare, policy = {} } = this.#options;
    const known = (this.state.context?.tools ?? []).map((tool) => tool.name);
    if (prepare) return prepare(message);
    return toolCallsOf(message).map(({ callId, name, arguments: args }) =>
      known.includes(name)
        ? {
            status: 'ready',
            callId,
            effect: this.#options.specs?.[name]?.effect ?? 'read',
            decision: policy[name] ?? 'allow',
            argsDigest: args,
            summary: name,
          }
        : { status: 'rejected', callId, reason: `Unknown tool ${name}` },
    );
  }

  async #runTool(entry: BatchCall, approvedBy: string | undefined): Promise<ToolAnswer> {
    const { callId, name, arguments: args } = entry.call;
    this.ran.push(callId);
    this.#changed();
    const tool = this.#options.tools?.[name];
    if (!tool) return errorAnswer(entry, `Unknown tool ${name}`);
    try {
      const answer = await this.#stoppable(async (signal) =>
        tool({ callId, args, signal, ...(approvedBy === undefined ? {} : { approvedBy }) }),
      );
      return typeof answer === 'string' ? textAnswer(entry, answer) : answer;
    } catch (error) {
      return errorAnswer(entry, error instanceof Error ? error.message : String(error));
    }
  }

  #workflowTools(): LoopPorts['workflowTools'] {
    const { workflowTools = [], resolveToolGroups } = this.#options;
    const none: ResolveToolGroups = () => Promise.resolve({ text: 'no groups', isError: true });
    const own = workflowTools.map((tool) => [tool.name, tool] as const);
    return new Map([...builtInWorkflowTools(resolveToolGroups ?? none), ...own]);
  }

  #isAsked(): boolean {
    return this.inbox.hasPrompt || this.inbox.hasIdleMessage || this.inbox.reset;
  }

  #reset(): { segment?: Segment } {
    this.inbox.clear();
    const { records, nextSeq } = this.state.log;
    const fromSeq = records[0]?.seq;
    if (fromSeq === undefined) return {};
    const toSeq = nextSeq - 1;
    this.archived.push(...records);
    return { segment: { artifactId: `log-${fromSeq}-${toSeq}`, fromSeq, toSeq, sha256: '' } };
  }

  async #requestApproval(entry: BatchCall): Promise<ApprovalDecision> {
    const pending: PendingApproval = { entry };
    this.approvals.set(entry.call.callId, pending);
    await this.until(() => pending.answer !== undefined || this.inbox.stop !== undefined);
    this.approvals.delete(entry.call.callId);
    return pending.answer ?? { type: 'stopped' };
  }

  async #waitForOperator(): Promise<'resume' | 'stopped'> {
    this.inbox.resume = false;
    this.waitsForOperator = true;
    await this.until(() => this.inbox.resume || this.inbox.stop !== undefined);
    this.waitsForOperator = false;
    return this.inbox.resume ? 'resume' : 'stopped';
  }
}

function changedContext(context: FrozenContext, changes: SessionSettings): FrozenContext {
  const { systemPrompt = context.systemPrompt, tools, model, thinkingLevel } = changes;
  return {
    ...context,
    systemPrompt,
    digest: `${context.digest}+${JSON.stringify(changes)}`,
    prefixDigest: `${systemPrompt}+${String(tools)}`,
    tools: tools ? context.tools.filter(({ name }) => tools.includes(name)) : context.tools,
    ...(model ? { model: { provider: 'memory', id: model } } : {}),
    settings: { ...context.settings, ...(thinkingLevel ? { thinkingLevel } : {}) },
  };
}

/** A session of its own for one test. */
export function memorySession(options: MemoryOptions): MemorySession {
  return new MemorySession(options);
}

export function textAnswer({ call }: Pick<BatchCall, 'call'>, text: string): ToolAnswer {
  const { callId, name: toolName } = call;
  return {
    message: { role: 'tool_result', callId, toolName, content: [{ type: 'text', text }], isError: false },
    digest: `digest-${callId}`,
  };
}

function frozenContext(options: MemoryOptions): FrozenContext {
  const { tools = {}, specs = {}, settings = {}, hooks = [], rules = loopRules } = options;
  const queues = { ...agentDefaults.queues, ...settings.queues };
  const condense = { ...agentDefaults.condense, ...settings.condense };
  return {
    digest: 'context',
    agent: 'tester',
    systemPrompt: 'You are a test.',
    tools: Object.keys({ ...tools, ...specs }).map((name) => ({
      ...{ name, description: name, parameters: {}, effect: 'read' as const, timeoutMs: 1_000 },
      ...specs[name],
    })),
    model: { provider: 'memory', id: 'test' },
    settings: {
      ...agentDefaults,
      instructions: '',
      tools: Object.keys(tools),
      ...settings,
      queues,
      condense,
    },
    searchAttributes: [],
    warnings: [],
    estimator: estimatorVersion,
    rules,
    ...(hooks.length === 0 ? {} : { hooks: hooks.map(freezeHook) }),
  };
}

function freezeHook({ name, params = {}, ...points }: MemoryHook): FrozenHook {
  const own = pointsOf(points);
  const builtIn = pureHook(name) ?? {};
  return {
    ...{ name, params, runsIn: 'workflow' },
    points: own.length > 0 ? own : pointsOf(builtIn),
  };
}
