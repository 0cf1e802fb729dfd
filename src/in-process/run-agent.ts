// A run of the loop with effects of the caller: a model call and a tool call are functions. No Temporal, no store, no
// worker; nothing survives the process.
import { assemblePrompt } from '../core/agent/prompt/assemble-prompt.ts';
import { byName } from '@holdfast/base/by-name';
import { capText } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';
import { recoveryOf } from '@holdfast/base/failures';
import { jsonOfText } from '@holdfast/base/json-of-text';
import { fieldsOf, type Json, type JsonObject, type Parsed, isRecord, refuse } from '@holdfast/base/json';
import { messageOf } from '@holdfast/base/message-of';
import { pointsOf, pureHooks } from '../core/hooks/pure-hooks.ts';
import { runSession } from '../core/loop/agent-loop.ts';
import { beginSession } from '../core/loop/begin.ts';
import { type Effects, type EffectOutcome, valueOf } from '../core/loop/effects.ts';
import { type Bodies, activityTable } from '@holdfast/vocabulary/activity-table';
import { type AgentState, newAgentState } from '@holdfast/vocabulary/agent-state';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import { mergeOptions, modelOptions, toSettings } from '@holdfast/vocabulary/merge-options';
import { addUsage, bareMessage, noUsage, textOf, toolCallsOf } from '@holdfast/vocabulary/messages';
import type { AssistantMessage, LogRecord, Message, ToolCallPart } from '@holdfast/vocabulary/messages';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';
import { type TurnView, sideRequest, turnRequest } from '@holdfast/vocabulary/model-requests';
import { parseModelName } from '@holdfast/vocabulary/model-name';
import type { FrozenHook, HookRef, PureHookFunctions } from '@holdfast/vocabulary/hook';
import type { RunResult, SessionResult } from '@holdfast/vocabulary/run-result';
import { type PreparedCall, type ToolDefinition, type ToolEffect } from '@holdfast/vocabulary/tool-spec';
import { carryOut, requests } from '../core/session/requests.ts';
import { abortedText, textAnswer } from '../core/state/own-answers.ts';
import { planFold as planOf, strategyOf, viewHead } from '@holdfast/view/condense-reason';
import { estimatorVersion } from '@holdfast/view/estimate';
import { viewPageOf } from '@holdfast/view/log';
import { strategies } from '@holdfast/view/condense/strategies';
import { reducedRecords } from '@holdfast/view/reducers/table';
import {
  joinSummaries,
  type SummaryQuestion,
  summaryPrompts,
  summarySystemPrompt,
} from '@holdfast/view/summary-request';
import { touchedFiles } from '@holdfast/view/touched-files';
import { viewForModel } from '@holdfast/view/view-for-model';
import { type Clock, MemoryHost } from './memory-host.ts';

export type ModelAnswer = { message: AssistantMessage; costUsd?: number };

/** The effects of a run. A stop aborts `signal`, and waits for the work. */
export type RunEffects = {
  /**
   * Answers a request: of a turn, or, with `metadata.purpose` `condense`, for a summary. A throw is not repeated: it fails the
   * run, or, with the `type` `Model.ContextOverflow`, condenses the view.
   */
  callModel(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  /** The text of the result. A throw is a failed call, which the model reads. */
  runTool(
    call: { callId: string; name: string; args: JsonObject },
    signal: AbortSignal,
  ): string | Promise<string>;
  /** Called with each event as it happens. */
  happened?(event: AgentEvent): void;
  /** Default: the clock of the system. */
  clock?: Clock;
};

/** Default of `effect`: `once`. */
export type PlainTool = ToolDefinition & {
  effect?: ToolEffect;
  /** Returns the arguments that run, such as `parse` of a schema. A throw is the model's mistake, which it reads. */
  parse?(args: JsonObject): unknown;
};

/** Functions at the points of a run, or the name of a built-in hook that needs no worker. They await nothing. */
export type PlainHook = HookRef & PureHookFunctions;

/**
 * The options are those of an agent in a config. Those that need a worker have no effect: policy, approvals, plans, memory,
 * skills, subagents, and other models.
 */
export type PlainAgent = Omit<AgentSpec, 'tools' | 'hooks'> & {
  name?: string;
  tools?: readonly PlainTool[];
  hooks?: readonly PlainHook[];
};

export type AgentStart = {
  agent: PlainAgent;
  effects: RunEffects;
  /** Earlier messages, which `continue` goes on with. */
  messages?: Message[];
};
export type AgentRun = AgentStart & { prompt: string | Message[]; signal?: AbortSignal };

/** A session in this process. Each method throws the reason for which a worker's session would refuse it. */
export type OpenAgent = {
  /** Resolves at the end of the run. */
  prompt(prompt: string | Message[]): Promise<RunResult>;
  /** Goes on without a new task: after an abort, a limit, an error, or `messages` that nobody has answered. */
  continue(text?: string): Promise<RunResult>;
  /** Read before the next request of the run. */
  steer(message: string): void;
  /** Read when the run would end. */
  followUp(message: string): void;
  abort(): void;
  readonly messages: LogRecord[];
  /** Resolves when no run is in progress. */
  close(): Promise<SessionResult>;
};

/** Runs the agent to its end in the loop of a worker, with its limits, loop guard and condenses. An abort ends the run. */
export async function runAgent(run: AgentRun): Promise<{ result: SessionResult; messages: LogRecord[] }> {
  const { prompt, signal } = run;
  const agent = openAgent(run);
  const ended = agent.prompt(prompt);
  signal?.addEventListener('abort', agent.abort);
  if (signal?.aborted) agent.abort();
  await ended;
  signal?.removeEventListener('abort', agent.abort);
  return { result: await agent.close(), messages: agent.messages };
}

/** An agent that takes several prompts, and messages while it runs. */
export function openAgent(start: AgentStart): OpenAgent {
  const { effects, messages } = start;
  const { clock, happened } = effects;
  const input = { keepAlive: true, offTheRecord: true, ...defined({ messages }) };
  const host = new MemoryHost(input, { id: 'run', ...defined({ clock, happened }) });
  const { session } = host;
  beginSession(session, []);
  const closed = runSession(session, toEffects(host, start));
  const send = (name: 'prompt' | 'continue' | 'steer' | 'followUp' | 'shutdown', payload?: unknown): void => {
    const sent = carryOut<unknown>(session, requests[name](session, payload));
    if (!sent.ok) throw new Error(`${sent.code}: ${sent.reason}`);
  };
  const run = async (name: 'prompt' | 'continue', payload: unknown): Promise<RunResult> => {
    const { runs } = session.state;
    send(name, payload);
    await Promise.race([closed, host.until(() => session.state.runs > runs && !session.busy)]);
    return session.lastResult;
  };
  let sent = 0;
  const queue = (name: 'steer' | 'followUp', message: string): void =>
    send(name, { id: `message-${(sent += 1)}`, message });
  return {
    prompt: (prompt) => run('prompt', prompt),
    continue: (continueText) => run('continue', defined({ continueText })),
    steer: (message) => queue('steer', message),
    followUp: (message) => queue('followUp', message),
    abort: () => session.abort(),
    get messages() {
      return session.state.log.records;
    },
    async close() {
      send('shutdown');
      await closed;
      return session.end();
    },
  };
}

function toEffects(host: MemoryHost, { agent, effects }: AgentStart): Effects {
  const context = contextOf(agent);
  const { session } = host;
  const ask: Ask = (request) =>
    host.settle((signal) => effects.callModel(request, signal), activityTable.callModel.code);
  return {
    until: (ready, timeoutMs) => host.until(ready, timeoutMs),
    isHandOverDue: () => false,
    async callModel(input, take) {
      const seen = viewOf(session.state, context, input.view.fromSeq);
      const called = await ask(turnRequest(context, { ...input, attempt: 1 }, seen));
      if (called.type === 'stopped') return take(called);
      if (called.type === 'failed') return take({ ...called, recovery: recoveryOf(called.failure.code) });
      const { message, costUsd = 0 } = called.value;
      const calls = toolCallsOf(message).map((call) => prepare(call, agent));
      return take({ type: 'reply', result: { message, digest: '', calls, costUsd } });
    },
    async runTool({ spec: { name }, effect, input }, take) {
      const { callId, args, resultCap = session.settings.loop.toolResultCap } = input;
      const ran = await host.settle(async (signal) => {
        const text = await effects.runTool({ callId, name, args: fieldsOf(args) }, signal);
        return capText(text, resultCap, 'Ask for less.');
      });
      if (ran.type === 'stopped')
        return take({ type: 'no_answer', text: abortedText(effect), outcome: 'unknown' });
      if (ran.type === 'failed')
        return take({ type: 'no_answer', text: ran.failure.message, outcome: 'failed' });
      return take({ type: 'answered', answer: textAnswer({ call: { callId, name } }, ran.value) });
    },
    runChild: async (_, take) => take({ type: 'failed', message: notServed }),
    call: (name, input) =>
      host.settle(async () => {
        const body = bodiesOf(session.state, context, ask)[name];
        if (!body) throw new Error(`${name}: ${notServed}`);
        return body(input);
      }, activityTable[name].code),
    log: () => undefined,
    own: { hooks: new Map(agent.hooks?.map((hook) => [hook.name, functionsOf(hook)])), tools: new Map() },
  };
}

function recordsOf({ log }: AgentState, fromSeq: number, toSeq = Infinity): LogRecord[] {
  return log.records.filter(({ seq }) => seq >= fromSeq && seq <= toSeq);
}

/** The messages of a request: those of the log from `fromSeq` on, as the view has them. */
export function viewOf(state: AgentState, { model }: FrozenContext, fromSeq: number): TurnView {
  const { messages: head, ...view } = viewHead(state);
  const messages = reducedRecords(state.view.reductions, recordsOf(state, fromSeq)).map(bareMessage);
  return { ...view, messages: viewForModel([...head, ...messages], { model, images: true }) };
}

type Ask = (request: ModelRequest) => Promise<EffectOutcome<ModelAnswer>>;

function bodiesOf(state: AgentState, context: FrozenContext, ask: Ask): Partial<Bodies> {
  return {
    assembleContext: () => Promise.resolve(context),
    async summarize(input) {
      const { epoch, fromSeq, toSeq } = input.view;
      const { maxTokens, strategy } = context.settings.condense;
      const { notes = { task: '' } } = viewPageOf(state, epoch, fromSeq);
      const messages = reducedRecords(state.view.reductions, recordsOf(state, fromSeq, toSeq));
      const answers: ModelAnswer[] = [];
      for (const { prompt, faultOf } of summaryPrompts(messages, notes, input, context.settings)) {
        const question = { purpose: 'condense' as const, system: summarySystemPrompt, prompt, maxTokens };
        const asked = await ask(sideRequest(context, { ...input, attempt: 1 }, question));
        answers.push(whole(valueOf(asked), faultOf));
      }
      return defined({
        summary: joinSummaries(answers.map(({ message }) => textOf(message).trim())),
        usage: answers.map(({ message }) => message.usage).reduce(addUsage, noUsage),
        costUsd: answers.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0),
        files: strategies[strategy].tracksFiles ? touchedFiles(messages) : undefined,
      });
    },
  };
}

function whole(answer: ModelAnswer, faultOf: SummaryQuestion['faultOf']): ModelAnswer {
  const { message } = answer;
  const text = textOf(message).trim();
  if (text === '' || message.stopReason === 'length') throw new Error('The summary is empty or cut off.');
  const fault = faultOf(text);
  if (fault !== undefined) throw new Error(`It is no summary: ${fault}.`);
  return answer;
}

const notServed = 'a run without a worker does not have this';

function prepare(
  { callId, name, arguments: text }: ToolCallPart,
  { tools = [] }: Pick<PlainAgent, 'tools'>,
): PreparedCall {
  const tool = tools.find((each) => each.name === name);
  if (!tool) return { status: 'rejected', callId, reason: `Unknown tool ${name}`, unknownTool: true };
  const args = parsedBy(tool, jsonOfText(text || '{}')?.value);
  if (!args.ok) return { status: 'rejected', callId, reason: `Invalid arguments: ${args.reason}` };
  return {
    status: 'ready',
    callId,
    effect: tool.effect ?? 'once',
    decision: 'allow',
    args: args.value,
    argsDigest: text,
    summary: name,
  };
}

function parsedBy({ parse }: PlainTool, args: Json | undefined): Parsed<JsonObject> {
  if (!isRecord(args)) return refuse('Invalid', 'expected a JSON object');
  try {
    const parsed = parse?.(args) ?? args;
    if (!isRecord(parsed)) return refuse('Invalid', 'the parse of this tool returned no object');
    return { ok: true, value: parsed as JsonObject };
  } catch (error) {
    return refuse('Invalid', messageOf(error));
  }
}

export function functionsOf(hook: PlainHook): PureHookFunctions {
  return { ...pureHooks[hook.name], ...hook };
}

export function freezeHook(hook: PlainHook): FrozenHook {
  const { name, params = {} } = hook;
  return { name, params, points: pointsOf(functionsOf(hook)), runsIn: 'workflow' };
}

/** As a worker freezes it, but without digests: a run has one context. */
function contextOf({ name = 'agent', tools = [], hooks = [], ...agent }: PlainAgent): FrozenContext {
  const specs = tools
    .map(({ parse: _, ...tool }) => ({ effect: 'once' as const, ...tool, timeoutMs: 0 }))
    .sort(byName);
  const names = specs.map((tool) => tool.name);
  // nothing is stored, and nobody could resume after an error of the operator
  const fixed = { offTheRecord: true, model: { onOperatorError: 'fail' as const } };
  const options = mergeOptions({ ...agent, tools: names }, fixed);
  const { layout = 'xml', disableBehavioralHints = false } = options.promptConfig ?? {};
  const { description, instructions } = agent;
  // oxfmt-ignore
  const prompt = {
    layout, disableBehavioralHints, instructions, agent: defined({ name, description }), tools: names,
    files: {}, skills: [], inlineSkills: [], loadedSkills: [], agents: [], depth: 0, offTheRecord: false,
  };
  // oxfmt-ignore
  return {
    agent: name, tools: specs, settings: toSettings(options), systemPrompt: assemblePrompt(prompt),
    model: parseModelName(modelOptions(options).name ?? '') ?? { provider: 'own', id: 'model' },
    estimator: estimatorVersion, digest: '', prefixDigest: '', systemPromptDigest: '',
    searchAttributes: [], warnings: [], functions: [], hooks: hooks.map(freezeHook),
  };
}

/** `due`: the next request should wait for a condense. `fold`: the number of old messages that a summary replaces. */
export type MessagesPlan = { due: boolean; fold: number };

/** By the agent's condense strategy. Uses the newest count of a provider in the replies, and estimates the messages since. */
export function planCondense(messages: readonly Message[], agent: PlainAgent): MessagesPlan {
  const head = { id: '', runId: '', turn: 0, at: 0 };
  const records = messages.map((message, index): LogRecord => ({ ...head, ...message, seq: index + 1 }));
  const log = { records, nextSeq: records.length + 1, segments: [] };
  const state = { ...newAgentState(''), log, context: contextOf(agent) };
  return { due: strategyOf(state).isDue(state), fold: planOf(state)?.toSeq ?? 0 };
}
