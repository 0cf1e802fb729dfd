// A session in memory whose world is scripted: the session, the loop and the host that ship, with a model and tools that
// are functions. Time stands still and nothing is sent, so a test decides the order of everything.
import { defined } from '@holdfast/base/defined';
import type { JsonObject, Json } from '@holdfast/base/json';
import { pointsOf, pureHooks } from '../../src/core/hooks/pure-hooks.ts';
import { runSession } from '../../src/core/loop/agent-loop.ts';
import { canHandOver } from '../../src/core/loop/saving.ts';
import type {
  ChildOutcome,
  ChildRequest,
  Effects,
  ModelOutcome,
  Outcome,
  ToolCallOutcome,
  ToolCallRequest,
  WorkflowTool,
} from '../../src/core/loop/effects.ts';
import type {
  AskModelInput,
  BegunWith,
  CallModelInput,
  EvaluatePolicyInput,
  EvaluatePolicyResult,
  ResolveToolGroupsResult,
  RunHookInput,
  RunHookResult,
  SummarizeInput,
  SummarizeResult,
  AskModelResult,
} from '@holdfast/vocabulary/activity-contracts';
import { activityTable } from '@holdfast/vocabulary/activity-table';
import type { ActivityName, Bodies, InputOf, OutputOf } from '@holdfast/vocabulary/activity-table';
import type { AgentOptionValues, AgentSettings, Budget } from '@holdfast/vocabulary/agent-spec';
import { mergeOptions, modelOptions, toSettings } from '@holdfast/vocabulary/merge-options';
import type { AgentState, BatchCall, ToolAnswer, TouchedFiles } from '@holdfast/vocabulary/agent-state';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import { memoryFunction } from '@holdfast/vocabulary/frozen-context';
import type { FrozenContext, FrozenTiers } from '@holdfast/vocabulary/frozen-context';
import type { FrozenHook, PureHookFunctions, HookPoint } from '@holdfast/vocabulary/hook';
import type { AssistantMessage, LogRecord, Message, Usage } from '@holdfast/vocabulary/messages';
import { noUsage, toolCallsOf, bareMessage } from '@holdfast/vocabulary/messages';
import type { ReportRef, RunResult, SessionResult } from '@holdfast/vocabulary/run-result';
import type { FindReflectionsInput, WriteReflectionInput } from '@holdfast/vocabulary/reflections';
import type { BoardAnswer, BoardCallInput } from '@holdfast/vocabulary/board';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';
import type { PolicyDecision, PreparedCall, ToolSpec } from '@holdfast/vocabulary/tool-spec';
import { queries } from '../../src/core/session/queries.ts';
import { requests } from '../../src/core/session/requests.ts';
import type { Request } from '../../src/core/session/child-requests.ts';
import type { RequestName } from '../../src/core/session/requests.ts';
import type { Carried } from '../../src/core/session/carried.ts';
import type { Session } from '../../src/core/session/session.ts';
import { viewHead, planCondense } from '@holdfast/view/condense-reason';
import { callMemoryBoard } from '../../src/in-process/local-effects.ts';
import { type Clock, MemoryHost } from '../../src/in-process/memory-host.ts';
import type { CondensePlan } from '@holdfast/view/condense/strategy';
import { lastReply, contextOf } from '../../src/core/loop/hooks.ts';
import { estimatorVersion } from '@holdfast/view/estimate';
import { runOutputOf } from '../../src/core/state/run-outcome.ts';
import { reducedRecords } from '@holdfast/view/reducers/table';
import { repairView } from '@holdfast/view/view-for-model';
import { carryOut } from '../../src/core/session/requests.ts';

/** One model request: the view that core makes for it, and the input that named it. */
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
/** Returns the result's text, or the whole answer. A throw is a failed tool. */
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
  /** Beside those that are built in; each needs a spec too. */
  workflowTools?: WorkflowTool[];
  /** Texts of skills by name. */
  skills?: Record<string, () => string | undefined | Promise<string>>;
  resolveToolGroups?: (groups: string[]) => Promise<ResolveToolGroupsResult>;
  /** Decision by tool name; default allow. */
  policy?: Record<string, PolicyDecision>;
  /** In place of the simple preparation: found or not, decision by name. */
  prepare?: (message: AssistantMessage) => Promise<PreparedCall[]>;
  /** The tiers of the policy beside its rules; called where `tiers` has any. */
  evaluatePolicy?: (input: EvaluatePolicyInput) => EvaluatePolicyResult | Promise<EvaluatePolicyResult>;
  tiers?: FrozenTiers;
  settings?: AgentOptionValues & Partial<Pick<AgentSettings, 'instructions' | 'tools'>>;
  /** Stay after a run. Default false: close when idle. */
  keepAlive?: boolean;
  now?: () => number;
  /** Default: time-outs never come. */
  after?: Clock['after'];
  /** A throw is a run without a context. */
  assemble?: (signal: AbortSignal) => Promise<FrozenContext>;
  writeReflection?: (input: WriteReflectionInput) => string | void;
  findReflections?: (input: FindReflectionsInput) => string[];
  /** Default: the boards of this process. */
  boardCall?: (input: BoardCallInput) => BoardAnswer;
  /** The end of a run waits for it. */
  save?: () => Promise<void>;
  costUsd?: number;
  /** Runs a child session; a throw is one that could not begin. */
  child?: (request: ChildRequest, signal: AbortSignal) => SessionResult | Promise<SessionResult>;
  /** The start input, beside keepAlive. */
  input?: SessionInput;
  /** In place of fields of the frozen context. */
  context?: Partial<FrozenContext>;
  /** In the order of their call; one without functions is built in. */
  hooks?: MemoryHook[];
  /** Makes the hooks run in activities, and is called before each; `stopped`: the hook does not answer any more. */
  beforeHook?: (point: HookPoint) => BeforeHook | Promise<BeforeHook>;
  /** Answers questions beside the loop; a throw is a failed one. Default: none is expected. */
  askModel?: (input: AskModelInput, signal: AbortSignal) => MemoryReply | Promise<MemoryReply>;
  /** What the worker remembers; absent: it has no memory. */
  memory?: Partial<Bodies<'searchMemory' | 'flushMemory' | 'saveIncident'>>;
  /** Called before messages are archived; a throw is a store that fails. */
  archive?: () => void;
  /** The summary; a throw is a failed condense. Default: `ok`. */
  condense?: (plan: CondensePlan, signal: AbortSignal) => MemorySummary | Promise<MemorySummary>;
};

/** Thrown by a function of the script: the activity ends as one that a stop has ended. */
export const stopped = new Error('stopped');
/** As those of a worker, with the signal of a stop. */
type ScriptedBodies = {
  [Name in ActivityName]?: (
    input: InputOf<Name>,
    signal: AbortSignal,
  ) => OutputOf<Name> | Promise<OutputOf<Name>>;
};

type BeforeHook = 'stopped' | void;
type MemorySummary = string | { summary: string; files?: TouchedFiles; costUsd?: number; usage?: Usage };

/** The answer to a question, free unless its usage is given. */
type MemoryReply = string | { text: string; usage: Usage };
type Decision = { type: 'approved'; actor: string } | { type: 'denied'; reason: string };

export class MemorySession {
  readonly requests: MemoryRequest[] = [];
  /** Questions beside the loop. */
  readonly asked: AskModelInput[] = [];
  /** Call ids in the order in which their tools began to run. */
  readonly ran: string[] = [];
  /** Every event since this execution began, also those that the ring has dropped. */
  readonly seen: AgentEvent[] = [];
  readonly context: FrozenContext;
  /** `<hook>.<point>` in the order of the calls. */
  readonly hookCalls: string[] = [];
  readonly logged: JsonObject[] = [];
  /** What contexts were assembled with: absent at the start of a run. */
  readonly begun: (BegunWith | undefined)[] = [];
  /** Records that were archived. */
  readonly archived: LogRecord[] = [];
  /** Child sessions in the order in which they were started. */
  readonly children: ChildRequest[] = [];
  handOver = false;
  /** Of the loop since somebody set it to 0. */
  decisions = 0;
  /** Looks at the session after every change. */
  onChange: () => void = () => {};
  readonly effects: Effects;
  readonly #options: MemoryOptions;
  readonly #host: MemoryHost;
  /** Of a session that stays. */
  #running: Promise<unknown> | undefined;

  constructor(options: MemoryOptions, carried?: Carried) {
    this.#options = options;
    const { now = () => 0, after = () => () => undefined, keepAlive = false } = options;
    const input: SessionInput = { ...options.input, keepAlive, ...(carried ? { carried } : {}) };
    const clock = { now, after };
    const changed = () => this.#changed();
    this.context = frozenContext(options);
    this.#host = new MemoryHost(input, { id: 'session-1', clock, changed });
    this.effects = this.#effects();
    this.#changed();
  }

  get session(): Session {
    return this.#host.session;
  }

  get inbox(): Session['inbox'] {
    return this.session.inbox;
  }

  get state(): AgentState {
    return this.session.state;
  }

  get busy(): boolean {
    return this.session.busy;
  }

  get snapshot(): Snapshot {
    return queries.snapshot(this.session);
  }

  get waitsForOperator(): boolean {
    return this.session.operatorReason !== undefined;
  }

  /** Ids of the calls that wait for a person. */
  get approvals(): string[] {
    return this.session.approvals.pending.map(({ id }) => id);
  }

  /** Messages that were taken for a run which has not begun. */
  get accepted(): Message[] {
    return this.inbox.carry().prompt ?? [];
  }

  /** Events of these types, in order. */
  events<T extends AgentEvent['type']>(...types: T[]): Extract<AgentEvent, { type: T }>[] {
    return this.seen.filter((event): event is Extract<AgentEvent, { type: T }> =>
      types.some((type) => type === event.type),
    );
  }

  /** As over a continue-as-new: nothing but plain data crosses. */
  carry(): Carried {
    return JSON.parse(JSON.stringify(this.session.carry())) as Carried;
  }

  /** Sends a message as a signal or an update would; a refusal is the answer. */
  send(name: RequestName, ...args: unknown[]): Request {
    const request: Request = requests[name](this.session, ...args);
    carryOut(this.session, request);
    return request;
  }

  prompt(...texts: string[]): void {
    // without a keepAlive only the start has a prompt
    this.inbox.putPrompt(
      texts.map((text) => ({ role: 'user', content: [{ type: 'text', text }], origin: 'prompt' })),
    );
    this.#host.wake();
  }

  /** False where the id was accepted before. */
  steer(id: string, message: unknown = id, mode: 'next_turn' | 'interrupt' = 'next_turn'): boolean {
    return this.#put('steer', { id, message, mode });
  }

  followUp(id: string, message: unknown = id): boolean {
    return this.#put('followUp', { id, message });
  }

  abort(): void {
    this.send('abort');
  }

  resume(): void {
    this.send('resume');
  }

  requestCondense(): void {
    this.session.record({ type: 'condense_requested' });
  }

  cancel(id: string): boolean {
    const waits = this.inbox.receipt(id)?.state === 'queued';
    this.send('cancelQueued', id);
    return waits;
  }

  clear(): void {
    this.send('clearQueues');
  }

  /** Throws the code of a refusal. */
  continue(text?: string): void {
    const answer = this.send('continue', { continueText: text });
    if (!answer.ok) throw new Error(answer.code);
  }

  get canContinue(): boolean {
    return requests.continue(this.session).ok;
  }

  /** The run's deadline has passed. */
  timeOut(): void {
    this.session.timeOut(this.state.run?.runId ?? '');
  }

  extendBudget(by: Budget): void {
    this.send('extendBudget', by);
  }

  reset(): void {
    this.send('reset');
  }

  /** As when the history is long: the session continues in a new one at its next boundary. */
  requestHandOver(): void {
    this.handOver = true;
    this.#host.wake();
  }

  close(): void {
    this.send('shutdown');
  }

  /** False when no such call waits: an answer that comes too late. */
  decide(id: string, decision: Decision): boolean {
    const answer =
      decision.type === 'approved'
        ? { id, approve: true, actor: decision.actor }
        : { id, approve: false, actor: 'tester', reason: decision.reason };
    return this.send('resolveApproval', answer).ok;
  }

  /** Resolves at the first change after which `ready` holds, or at once. */
  async until(ready: () => boolean): Promise<void> {
    await this.#host.until(ready);
  }

  /** Runs until the session closes or hands over. */
  run(): Promise<'closed' | 'hand_over'> {
    return runSession(this.session, this.effects);
  }

  /** Prompts and gives the result of the run; a session that stays is idle then. */
  async ask(...texts: string[]): Promise<RunResult> {
    const { runs } = this.state;
    this.prompt(...texts);
    if (this.#options.keepAlive && !this.session.closing) {
      this.#running ??= this.run();
      await Promise.race([this.#running, this.until(() => this.state.runs > runs && !this.busy)]);
    } else await this.run();
    if (!this.state.lastResult) throw new Error('The session closed without a result');
    return this.state.lastResult;
  }

  #put(name: 'steer' | 'followUp', payload: { id: string; message: unknown; mode?: string }): boolean {
    const isNew = this.inbox.receipt(payload.id) === undefined;
    const answer = this.send(name, payload);
    if (!answer.ok) throw new Error(answer.reason);
    return isNew;
  }

  #changed(): void {
    // the first change comes while the host is made
    if (this.#host === undefined) return;
    this.seen.push(...this.session.events.page(this.seen.at(-1)?.seq ?? 0).events);
    this.onChange();
  }

  #effects(): Effects {
    const { hooks = [], workflowTools = [] } = this.#options;
    const own = hooks.filter((hook) => pointsOf(hook).length > 0);
    const bodies = this.#bodies();
    return {
      until: (ready, timeoutMs) => this.#host.until(ready, timeoutMs),
      isHandOverDue: () => {
        if (++this.decisions > 5_000) throw new Error('The loop decides again and again without waiting');
        return this.handOver && canHandOver(this.session);
      },
      callModel: async (input, take) => take(await this.#callModel(input)),
      runTool: async (request, take) => take(await this.#runTool(request)),
      runChild: async (request, take) => take(await this.#runChild(request)),
      call: (name, input) => this.#call(bodies, name, input),
      log: (message, attributes) => void this.logged.push({ message, ...attributes }),
      own: {
        hooks: new Map(own.map((hook) => [hook.name, this.#noted(hook)])),
        tools: new Map(workflowTools.map((tool) => [tool.name, tool])),
      },
    };
  }

  async #call<Name extends ActivityName>(
    bodies: ScriptedBodies,
    name: Name,
    input: InputOf<Name>,
  ): Promise<Outcome<OutputOf<Name>>> {
    const body = bodies[name];
    let isStopped = false;
    const work = async (signal: AbortSignal): Promise<OutputOf<Name>> => {
      signal.addEventListener('abort', () => (isStopped = true));
      if (!body) throw new Error(`no ${name} was expected`);
      return body(input, signal);
    };
    const { needs } = activityTable[name];
    try {
      const value = await (needs ? this.#host.stoppable(work) : work(new AbortController().signal));
      return { type: 'done', value };
    } catch (error) {
      if (isStopped || error === stopped) return { type: 'stopped' };
      const message = error instanceof Error ? error.message : String(error);
      return { type: 'failed', failure: { code: 'Activity.Failed', message }, error };
    }
  }

  #bodies(): ScriptedBodies {
    const { skills = {}, save, assemble, resolveToolGroups, evaluatePolicy, memory } = this.#options;
    const archive: Bodies['archiveSegment'] = async ({ fromSeq, toSeq, before = [] }) => {
      this.#options.archive?.();
      this.archived.push(...this.state.log.records.filter(({ seq }) => seq >= fromSeq && seq <= toSeq));
      const [{ fromSeq: first } = { fromSeq }] = before;
      return { artifactId: `log-${first}-${toSeq}`, fromSeq: first, toSeq, sha256: '' };
    };
    return {
      assembleContext: ({ input, begun }, signal) => {
        this.begun.push(begun);
        return assemble ? assemble(signal) : changedContext(this.context, input);
      },
      runHook: (input) => this.#runHook(input),
      evaluatePolicy: evaluatePolicy ?? (({ calls }) => ({ verdicts: calls.map(allowed) })),
      summarize: (input, signal) => this.#summarize(input, signal),
      askModel: (input, signal) => this.#askModel(input, signal),
      searchMemory: () => ({ chunks: [] }),
      flushMemory: ({ facts }) => facts.length,
      saveIncident: () => undefined,
      ...memory,
      resolveToolGroups: ({ groups }) => resolveToolGroups?.(groups) ?? { text: 'no groups', isError: true },
      readSkills: async ({ names }) => {
        const texts = await Promise.all(names.map(async (name) => ({ name, text: await skills[name]?.() })));
        return {
          read: texts.flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text }])),
          unread: texts.flatMap(({ name, text }) => (text === undefined ? [{ name, reason: 'gone' }] : [])),
        };
      },
      archiveSegment: archive,
      archiveFolded: archive,
      readOutput: ({ fromSeq, toSeq, ...how }) => {
        const all = [...this.archived, ...this.state.log.records].filter(({ seq }) => seq >= fromSeq);
        return runOutputOf(all, { fromSeq, toSeq }, how);
      },
      completeReport: ({ report }) => report ?? codeReport,
      saveResult: async () => {
        await save?.();
        return { artifactId: 'result', checkpoint: 'checkpoint' };
      },
      saveCheckpoint: () => ({ artifactId: 'checkpoint' }),
      boardCall: this.#options.boardCall ?? callMemoryBoard,
      describeReport: () => 'the report',
      writeReflection: (input) => this.#options.writeReflection?.(input) ?? 'note.md',
      findReflections: (input) => this.#options.findReflections?.(input) ?? [],
      loadCheckpoint: () => ({}),
    };
  }

  /** Its functions, which note that they are called. */
  #noted(hook: MemoryHook): PureHookFunctions {
    const noted = <Point extends HookPoint>(point: Point) => {
      const call: PureHookFunctions[Point] = hook[point];
      return [
        point,
        (...args: Parameters<NonNullable<typeof call>>) => {
          this.hookCalls.push(`${hook.name}.${point}`);
          return (call as ((...args: unknown[]) => unknown) | undefined)?.(...args);
        },
      ];
    };
    return Object.fromEntries(pointsOf(hook).map(noted)) as PureHookFunctions;
  }

  async #runHook({ hook, point, params, input, state }: RunHookInput): Promise<RunHookResult> {
    if ((await this.#options.beforeHook?.(point)) === 'stopped') throw stopped;
    const found = { assistantMessage: lastReply(this.state), context: contextOf(this.state) };
    const setState = (next: Json): void => void (state = next);
    const host = { params, state, setState, log: this.effects.log };
    const call = this.effects.own?.hooks.get(hook)?.[point] as
      | ((input: object, host: object) => object | undefined)
      | undefined;
    const output = call?.({ ...found, ...input }, host);
    return { ...(output ? { output } : {}), ...(state === undefined ? {} : { state }) };
  }

  async #runChild(request: ChildRequest): Promise<ChildOutcome> {
    const { child } = this.#options;
    if (!child) throw new Error('no child was expected');
    this.children.push(request);
    this.#host.wake();
    try {
      return { type: 'ended', result: await this.#host.stoppable((signal) => child(request, signal)) };
    } catch (error) {
      return { type: 'failed', message: error instanceof Error ? error.message : String(error) };
    }
  }

  async #callModel(input: CallModelInput): Promise<ModelOutcome> {
    const { fromSeq, toSeq } = input.view;
    const view = this.state.log.records.filter(({ seq }) => seq >= fromSeq && seq <= toSeq);
    const { system, messages: head } = viewHead(this.state);
    const sent = reducedRecords(this.state.view.reductions, view);
    const request = {
      ...(system === undefined ? {} : { system }),
      messages: repairView([...head, ...sent.map(bareMessage)]),
      toolChoice: input.toolChoice,
      input,
    };
    this.requests.push(structuredClone(request));
    this.#host.wake();
    const answer = await this.#host.stoppable((signal) => this.#options.model(request, signal));
    if ('type' in answer) return answer;
    const calls = await this.#prepare(answer);
    const digest = `digest-${this.requests.length}`;
    return { type: 'reply', result: { message: answer, digest, calls, costUsd: this.#options.costUsd ?? 0 } };
  }

  async #summarize({ view: { toSeq } }: SummarizeInput, signal: AbortSignal): Promise<SummarizeResult> {
    const { condense = () => 'ok' } = this.#options;
    const plan = planCondense(this.state);
    if (!plan) throw new Error('a condense without a plan');
    // a hook may have folded another part
    const made = await condense({ ...plan, toSeq, firstKeptSeq: toSeq + 1 }, signal);
    return { costUsd: 0, usage: noUsage, ...(typeof made === 'string' ? { summary: made } : made) };
  }

  async #askModel(input: AskModelInput, signal: AbortSignal): Promise<AskModelResult> {
    const { askModel = () => Promise.reject(new Error('no question was expected')) } = this.#options;
    this.asked.push(structuredClone(input));
    const made = await askModel(input, signal);
    const reply = typeof made === 'string' ? { text: made, usage: noUsage } : made;
    return { ...reply, costUsd: this.#options.costUsd ?? 0 };
  }

  async #prepare(message: AssistantMessage): Promise<PreparedCall[]> {
    const { prepare, policy = {}, specs } = this.#options;
    const known = (this.state.context?.tools ?? []).map((tool) => tool.name);
    if (prepare) return prepare(message);
    return toolCallsOf(message).map(({ callId, name, arguments: args }) => {
      if (!known.includes(name)) return { status: 'rejected', callId, reason: `Unknown tool ${name}` };
      const effect = specs?.[name]?.effect ?? 'read';
      return {
        status: 'ready',
        callId,
        effect,
        decision: policy[name] ?? 'allow',
        argsDigest: args,
        summary: name,
      };
    });
  }

  async #runTool({
    spec: { name },
    input: { callId, approvedBy },
  }: ToolCallRequest): Promise<ToolCallOutcome> {
    this.ran.push(callId);
    this.#host.wake();
    const args = this.state.run?.batch.find(({ call }) => call.callId === callId)?.call.arguments ?? '';
    const tool = this.#options.tools?.[name];
    if (!tool) return { type: 'no_answer', text: `Unknown tool ${name}`, outcome: 'not_run' };
    try {
      const answer = await this.#host.stoppable((signal) =>
        tool({ callId, args, signal, ...(approvedBy === undefined ? {} : { approvedBy }) }),
      );
      const entry = { call: { callId, name } };
      return { type: 'answered', answer: typeof answer === 'string' ? textAnswer(entry, answer) : answer };
    } catch (error) {
      return {
        type: 'no_answer',
        text: error instanceof Error ? error.message : String(error),
        outcome: 'failed',
      };
    }
  }
}

function allowed({ callId }: { callId: string }): EvaluatePolicyResult['verdicts'][number] {
  return { callId, decision: 'allow', tier: 'rules' };
}

/** A session of its own for one test. */
export function memorySession(options: MemoryOptions): MemorySession {
  return new MemorySession(options);
}

export function textAnswer(
  { call }: { call: Pick<BatchCall['call'], 'callId' | 'name'> },
  text: string,
): ToolAnswer {
  const { callId, name: toolName } = call;
  return {
    message: { role: 'tool_result', callId, toolName, content: [{ type: 'text', text }], isError: false },
    digest: `digest-${callId}`,
  };
}

function changedContext(context: FrozenContext, changes: SessionInput): FrozenContext {
  const { systemPrompt = context.systemPrompt, tools } = changes;
  const { name: model, thinkingLevel } = modelOptions(changes);
  const given = { systemPrompt: changes.systemPrompt, tools, model, thinkingLevel };
  if (Object.values(given).every((value) => value === undefined)) return context;
  return {
    ...context,
    systemPrompt,
    digest: `${context.digest}+${JSON.stringify(given)}`,
    prefixDigest: `${systemPrompt}+${String(tools)}`,
    tools: tools ? context.tools.filter(({ name }) => tools.includes(name)) : context.tools,
    ...(model ? { model: { provider: 'memory', id: model } } : {}),
    settings: mergeOptions(context.settings, { model: defined({ thinkingLevel }) }),
  };
}

function frozenContext(options: MemoryOptions): FrozenContext {
  const { tools = {}, specs = {}, settings = {}, hooks = [], beforeHook } = options;
  return {
    digest: 'context',
    agent: 'tester',
    systemPrompt: 'You are a test.',
    systemPromptDigest: 'prompt',
    prefixDigest: 'prefix',
    tools: Object.keys({ ...tools, ...specs }).map((name) => ({
      name,
      description: name,
      parameters: {},
      effect: 'read' as const,
      timeoutMs: 1_000,
      ...specs[name],
    })),
    model: { provider: 'memory', id: 'test' },
    settings: toSettings({ tools: Object.keys(tools), ...settings }),
    functions: options.memory ? [memoryFunction] : [],
    ...(options.tiers ? { tiers: options.tiers } : {}),
    estimator: estimatorVersion,
    searchAttributes: [],
    warnings: [],
    ...(hooks.length === 0
      ? {}
      : { hooks: hooks.map((hook) => freezeHook(hook, beforeHook ? 'activity' : 'workflow')) }),
    ...options.context,
  };
}

function freezeHook({ name, params = {}, ...points }: MemoryHook, runsIn: FrozenHook['runsIn']): FrozenHook {
  const own = pointsOf(points);
  return {
    name,
    params,
    runsIn: own.length > 0 ? runsIn : 'workflow',
    points: own.length > 0 ? own : pointsOf(pureHooks[name] ?? {}),
  };
}

/** Of a run that did not complete. */
const codeReport: ReportRef = {
  artifactId: 'report.md',
  grade: 'inconclusive',
  byCode: true,
  quotes: 0,
  verifiedQuotes: 0,
  claims: 0,
  verifiedClaims: 0,
};
