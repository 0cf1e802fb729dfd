// A session in memory whose world is scripted: the session, the loop and the host that ship, with a model, tools and
// activities that are functions. Time stands still and nothing is sent, so a test decides the order of everything.
import { defined } from '@holdfast/base/defined';
import type { Json, Parsed } from '@holdfast/base/json';
import { runSession } from '../../src/core/loop/agent-loop.ts';
import { contextOf as hookContextOf, lastReply } from '../../src/core/loop/hooks.ts';
import { canHandOver } from '../../src/core/loop/saving.ts';
import type * as Loop from '../../src/core/loop/effects.ts';
import type * as Contracts from '@holdfast/vocabulary/activity-contracts';
import { activityTable } from '@holdfast/vocabulary/activity-table';
import type { ActivityName, InputOf, OutputOf } from '@holdfast/vocabulary/activity-table';
import type { AgentOptionValues, AgentSettings } from '@holdfast/vocabulary/agent-spec';
import type { AgentState, ToolAnswer } from '@holdfast/vocabulary/agent-state';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import { type FrozenContext, memoryFunction } from '@holdfast/vocabulary/frozen-context';
import type { FrozenHook, HookPoint } from '@holdfast/vocabulary/hook';
import { toSettings } from '@holdfast/vocabulary/merge-options';
import type { AssistantMessage, LogRecord } from '@holdfast/vocabulary/messages';
import { noUsage, toolCallsOf, userMessage } from '@holdfast/vocabulary/messages';
import type { TurnView } from '@holdfast/vocabulary/model-requests';
import type { RunResult, SessionResult } from '@holdfast/vocabulary/run-result';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';
import type { PolicyDecision, PreparedCall, ToolSpec } from '@holdfast/vocabulary/tool-spec';
import { planFold } from '@holdfast/view/condense-reason';
import type { CondensePlan } from '@holdfast/view/condense/strategy';
import type { Carried } from '../../src/core/session/carried.ts';
import { queryRules } from '../../src/core/session/queries.ts';
import { type RequestName, carryOut, requests } from '../../src/core/session/requests.ts';
import type { Session } from '../../src/core/session/session.ts';
import { abortedText, textAnswer } from '../../src/core/state/own-answers.ts';
import { runOutputOf } from '../../src/core/state/run-outcome.ts';
import { type Clock, MemoryHost } from '../../src/in-process/memory-host.ts';
import { type PlainHook, freezeHook, functionsOf, viewOf } from '../../src/in-process/run-agent.ts';
import { changedContext, frozenContext, toolSpec } from './frozen-context.ts';

/** One model request: the view that core makes for it, and the input that named it. */
export type MemoryRequest = TurnView &
  Pick<Contracts.CallModelInput, 'toolChoice'> & { input: Contracts.CallModelInput };
export type MemoryModel = (
  request: MemoryRequest,
  signal: AbortSignal,
) => AssistantMessage | Loop.ModelOutcome | Promise<AssistantMessage | Loop.ModelOutcome>;
/** Returns the result's text, or the whole answer. A throw is a failed tool. */
export type MemoryTool = (call: {
  callId: string;
  args: string;
  signal: AbortSignal;
  approvedBy?: string;
}) => string | ToolAnswer | Promise<string | ToolAnswer>;

/** The activities of a worker, with the signal of a stop. */
export type ScriptedBodies = {
  [Name in ActivityName]?: (
    input: InputOf<Name>,
    signal: AbortSignal,
  ) => OutputOf<Name> | Promise<OutputOf<Name>>;
};

export type MemoryOptions = {
  model: MemoryModel;
  tools?: Record<string, MemoryTool>;
  /** Of the tools, and of further ones that have no function here. */
  specs?: Record<string, Partial<ToolSpec>>;
  /** Beside those that are built in; each needs a spec too. */
  workflowTools?: Loop.WorkflowTool[];
  /** Decision by tool name; default allow. */
  policy?: Record<string, PolicyDecision>;
  /** In place of the simple preparation: found or not, decision by name. */
  prepare?: (message: AssistantMessage) => Promise<PreparedCall[]>;
  settings?: AgentOptionValues & Partial<Pick<AgentSettings, 'instructions' | 'tools'>>;
  /** In place of fields of the frozen context. */
  context?: Partial<FrozenContext>;
  /** The start input, beside keepAlive. */
  input?: SessionInput;
  /** Stay after a run. Default false: close when idle. */
  keepAlive?: boolean;
  now?: () => number;
  /** Default: time-outs never come. */
  after?: Clock['after'];
  /** In the order of their call; one without functions is built in. */
  hooks?: PlainHook[];
  /** Makes the hooks run in activities, and is called before each; `stopped`: the hook does not answer any more. */
  beforeHook?: (point: HookPoint) => 'stopped' | void | Promise<'stopped' | void>;
  /** Runs a child session; a throw is one that could not begin. */
  child?: (request: Loop.ChildRequest, signal: AbortSignal) => SessionResult | Promise<SessionResult>;
  /** The summary; a throw is a failed condense. Default: `ok`. */
  condense?: (plan: CondensePlan, signal: AbortSignal) => MemorySummary | Promise<MemorySummary>;
  /** Answers questions beside the loop, free unless usage is given. Default: none is expected. */
  askModel?: (input: Contracts.AskModelInput, signal: AbortSignal) => MemoryReply | Promise<MemoryReply>;
  /** Of each answer of a model. */
  costUsd?: number;
  /** In place of the simple ones. A throw is a failure. With one of the memory, the worker has a memory. */
  bodies?: ScriptedBodies;
};

type MemorySummary = string | ({ summary: string } & Partial<Contracts.SummarizeResult>);
type MemoryReply = string | Pick<Contracts.AskModelResult, 'text' | 'usage'>;

/** Thrown by a body: the activity ends as one that a stop has ended. */
export const stopped = new Error('stopped');

export class MemorySession {
  readonly requests: MemoryRequest[] = [];
  /** Questions beside the loop. */
  readonly asked: Contracts.AskModelInput[] = [];
  /** Call ids in the order in which their tools began to run. */
  readonly ran: string[] = [];
  /** Every event since this execution began, also those that the ring has dropped. */
  readonly seen: AgentEvent[] = [];
  /** Records that were archived. */
  readonly archived: LogRecord[] = [];
  /** Child sessions in the order in which they were started. */
  readonly children: Loop.ChildRequest[] = [];
  handOver = false;
  /** Of the loop since somebody set it to 0. */
  decisions = 0;
  /** Looks at the session after every change. */
  onChange: () => void = () => {};
  readonly context: FrozenContext;
  readonly session: Session;
  readonly inbox: Session['inbox'];
  readonly effects: Loop.Effects;
  readonly #options: MemoryOptions;
  readonly #host: MemoryHost;
  #running: ReturnType<typeof runSession> | undefined;

  constructor(options: MemoryOptions, carried?: Carried) {
    this.#options = options;
    const { now = () => 0, after = () => () => undefined, keepAlive = false } = options;
    const input = { ...options.input, keepAlive, ...defined({ carried }) };
    this.#host = new MemoryHost(input, {
      id: 'session-1',
      clock: { now, after },
      changed: () => this.onChange(),
      happened: (event) => void this.seen.push(event),
    });
    this.context = contextOf(options);
    this.session = this.#host.session;
    this.inbox = this.session.inbox;
    this.effects = this.#effects();
  }

  get state(): AgentState {
    return this.session.state;
  }

  get busy(): boolean {
    return this.session.busy;
  }

  get snapshot(): Snapshot {
    return queryRules.snapshot(this.session);
  }

  /** Ids of the calls that wait for a person. */
  get approvals(): string[] {
    return this.session.approvals.pending.map(({ id }) => id);
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
  send(name: RequestName, ...sent: unknown[]): Parsed<unknown> {
    return carryOut<unknown>(this.session, requests[name](this.session, ...sent));
  }

  prompt(...texts: string[]): void {
    // without a keepAlive only the start has a prompt
    this.inbox.putPrompt(texts.map((text) => userMessage(text)));
    this.#host.wake();
  }

  /** False where the id was accepted before. */
  steer(id: string, message: unknown = id, mode: 'next_turn' | 'interrupt' = 'next_turn'): boolean {
    return this.#put('steer', { id, message, mode });
  }

  followUp(id: string, message: unknown = id): boolean {
    return this.#put('followUp', { id, message });
  }

  #put(name: 'steer' | 'followUp', payload: { id: string; message: unknown; mode?: string }): boolean {
    const isNew = this.inbox.receipt(payload.id) === undefined;
    const answer = this.send(name, payload);
    if (!answer.ok) throw new Error(answer.reason);
    return isNew;
  }

  /** Throws the code of a refusal. */
  continue(text?: string): void {
    const answer = this.send('continue', { continueText: text });
    if (!answer.ok) throw new Error(answer.code);
  }

  /** As when the history is long: the session continues in a new one at its next boundary. */
  requestHandOver(): void {
    this.handOver = true;
    this.#host.wake();
  }

  /** Resolves at the first change after which `ready` holds, or at once. */
  async until(ready: () => boolean): Promise<void> {
    await this.#host.until(ready);
  }

  /** Runs until the session closes or hands over. One that is running already is not run twice. */
  run(): Promise<'closed' | 'hand_over'> {
    const ended = (): void => void (this.#running = undefined);
    return (this.#running ??= runSession(this.session, this.effects).finally(ended));
  }

  /** Prompts and gives the result of the run; a session that stays is idle then. */
  async ask(...texts: string[]): Promise<RunResult> {
    const { runs } = this.state;
    this.prompt(...texts);
    const stays = this.#options.keepAlive && !this.session.closing;
    const idle = stays ? this.until(() => this.state.runs > runs && !this.busy) : undefined;
    const running = this.run();
    await (idle ? Promise.race([running, idle]) : running);
    if (!this.state.lastResult) throw new Error('The session closed without a result');
    return this.state.lastResult;
  }

  #effects(): Loop.Effects {
    const { hooks = [], workflowTools = [] } = this.#options;
    const bodies: ScriptedBodies = { ...this.#bodies(), ...this.#options.bodies };
    return {
      until: (ready, timeoutMs) => this.#host.until(ready, timeoutMs),
      isHandOverDue: () => {
        if (++this.decisions > 5_000) throw new Error('The loop decides again and again without waiting');
        return this.handOver && canHandOver(this.session);
      },
      callModel: async (input, take) => take(await this.#callModel(input)),
      runTool: async (request, take) => take(await this.#runTool(request)),
      runChild: async (request, take) => take(await this.#runChild(request)),
      call: async (name, input) => {
        const body = bodies[name];
        const ended = await this.#host.settle((signal) => {
          if (!body) throw new Error(`no ${name} was expected`);
          return body(input, signal);
        }, activityTable[name].code);
        return ended.type === 'failed' && ended.error === stopped ? { type: 'stopped' } : ended;
      },
      log: () => undefined,
      own: {
        hooks: new Map(hooks.map((hook) => [hook.name, functionsOf(hook)])),
        tools: new Map(workflowTools.map((tool) => [tool.name, tool])),
      },
    };
  }

  #bodies(): ScriptedBodies {
    const { condense = () => 'ok', askModel, beforeHook, costUsd = 0 } = this.#options;
    const archive: ScriptedBodies['archiveSegment'] = ({ fromSeq, toSeq, before = [] }) => {
      this.archived.push(...this.state.log.records.filter(({ seq }) => seq >= fromSeq && seq <= toSeq));
      const [{ fromSeq: first } = { fromSeq }] = before;
      return { artifactId: `log-${first}-${toSeq}`, fromSeq: first, toSeq, sha256: '' };
    };
    return {
      assembleContext: ({ input }) => changedContext(this.context, input),
      runHook: async ({ hook, point, params, input, state }) => {
        if ((await beforeHook?.(point)) === 'stopped') throw stopped;
        const found = { assistantMessage: lastReply(this.state), context: hookContextOf(this.state) };
        const setState = (next: Json): void => void (state = next);
        const call = this.effects.own?.hooks.get(hook)?.[point] as
          | ((input: object, host: object) => object | undefined)
          | undefined;
        const output = call?.({ ...found, ...input }, { params, state, setState, log: this.effects.log });
        return defined({ output, state });
      },
      evaluatePolicy: ({ calls }) => ({
        verdicts: calls.map(({ callId }) => ({ callId, decision: 'allow', tier: 'rules' })),
      }),
      summarize: async ({ view: { toSeq } }, signal) => {
        const plan = planFold(this.state);
        if (!plan) throw new Error('a condense without a plan');
        // a hook may have folded another part
        const made = await condense({ ...plan, toSeq, firstKeptSeq: toSeq + 1 }, signal);
        return { costUsd: 0, usage: noUsage, ...(typeof made === 'string' ? { summary: made } : made) };
      },
      askModel: async (input, signal) => {
        this.asked.push(structuredClone(input));
        if (!askModel) throw new Error('no question was expected');
        const made = await askModel(input, signal);
        return { costUsd, usage: noUsage, ...(typeof made === 'string' ? { text: made } : made) };
      },
      searchMemory: () => ({ chunks: [] }),
      flushMemory: ({ facts }) => facts.length,
      saveIncident: () => undefined,
      archiveSegment: archive,
      archiveFolded: archive,
      readOutput: ({ fromSeq, toSeq, ...how }) => {
        const all = [...this.archived, ...this.state.log.records].filter(({ seq }) => seq >= fromSeq);
        return runOutputOf(all, { fromSeq, toSeq }, how);
      },
      completeReport: ({ report }) => report ?? codeReport,
      saveResult: () => ({ artifactId: 'result', checkpoint: 'checkpoint' }),
      saveCheckpoint: () => ({ artifactId: 'checkpoint' }),
    };
  }

  async #runChild(request: Loop.ChildRequest): Promise<Loop.ChildOutcome> {
    const { child } = this.#options;
    if (!child) throw new Error('no child was expected');
    this.children.push(request);
    this.#host.wake();
    const ended = await this.#host.settle((signal) => child(request, signal));
    if (ended.type === 'done') return { type: 'ended', result: ended.value };
    return ended.type === 'stopped' ? ended : { type: 'failed', message: ended.failure.message };
  }

  async #callModel(input: Contracts.CallModelInput): Promise<Loop.ModelOutcome> {
    const { model, prepare, costUsd = 0 } = this.#options;
    const view = viewOf(this.state, this.context, input.view.fromSeq);
    const request = { ...view, toolChoice: input.toolChoice, input };
    this.requests.push(structuredClone(request));
    this.#host.wake();
    const message = await this.#host.stoppable((signal) => model(request, signal));
    if ('type' in message) return message;
    const calls = await (prepare?.(message) ?? this.#prepare(message));
    return { type: 'reply', result: { message, digest: `digest-${this.requests.length}`, calls, costUsd } };
  }

  /** Found or not, decision by name. */
  #prepare(message: AssistantMessage): PreparedCall[] {
    const { policy = {} } = this.#options;
    return toolCallsOf(message).map(({ callId, name, arguments: argsDigest }) => {
      const tool = this.state.context?.tools.find((each) => each.name === name);
      if (!tool) return { status: 'rejected', callId, reason: `Unknown tool ${name}` };
      const decision = policy[name] ?? 'allow';
      return { status: 'ready', callId, effect: tool.effect, decision, argsDigest, summary: name };
    });
  }

  async #runTool({ spec: { name }, input }: Loop.ToolCallRequest): Promise<Loop.ToolCallOutcome> {
    const { callId, approvedBy } = input;
    this.ran.push(callId);
    this.#host.wake();
    const args = this.state.run?.batch.find(({ call }) => call.callId === callId)?.call.arguments ?? '';
    const tool = this.#options.tools?.[name];
    if (!tool) return { type: 'no_answer', text: `Unknown tool ${name}`, outcome: 'not_run' };
    const ran = await this.#host.settle((signal) =>
      tool({ callId, args, signal, ...defined({ approvedBy }) }),
    );
    if (ran.type !== 'done') {
      const text = ran.type === 'failed' ? ran.failure.message : abortedText('read');
      return { type: 'no_answer', text, outcome: 'failed' };
    }
    if (typeof ran.value !== 'string') return { type: 'answered', answer: ran.value };
    const answer = { ...textAnswer({ call: { callId, name } }, ran.value), digest: `digest-${callId}` };
    return { type: 'answered', answer };
  }
}

function contextOf(options: MemoryOptions): FrozenContext {
  const { tools = {}, specs = {}, hooks = [], beforeHook, bodies = {}, settings, context } = options;
  const runsIn = beforeHook ? 'activity' : 'workflow';
  const frozen = hooks.map((hook): FrozenHook => ({ ...freezeHook(hook), runsIn }));
  const hasMemory = ['searchMemory', 'flushMemory', 'saveIncident'].some((name) => name in bodies);
  return frozenContext({
    digest: 'context',
    agent: 'tester',
    systemPrompt: 'You are a test.',
    systemPromptDigest: 'prompt',
    prefixDigest: 'prefix',
    tools: Object.keys({ ...tools, ...specs }).map((name) => toolSpec(name, specs[name])),
    model: { provider: 'memory', id: 'test' },
    settings: toSettings({ tools: Object.keys(tools), ...settings }),
    functions: hasMemory ? [memoryFunction] : [],
    ...(frozen.length > 0 && { hooks: frozen }),
    ...context,
  });
}

/** Of a run that did not complete. */
const codeReport = {
  artifactId: 'report.md',
  grade: 'inconclusive',
  byCode: true,
  quotes: 0,
  verifiedQuotes: 0,
  claims: 0,
  verifiedClaims: 0,
} as const;
