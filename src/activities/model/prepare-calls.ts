// Turns the tool calls of a reply into prepared calls: found, arguments read, coerced and validated, policy asked. Runs
// inside callModel (Node), where schemas and user code may run, and costs no event of its own.
import { isDeepStrictEqual } from 'node:util';
import { defined } from '@holdfast/base/defined';
import { type Json, type JsonObject, isRecord, parseJson } from '@holdfast/base/json';
import { type AssistantMessage, type ToolCallPart, toolCallsOf } from '@holdfast/vocabulary/messages';
import { toVisibleLine } from '@holdfast/base/visible';
import type { PolicyDecision, PolicyRule, PreparedCall, ToolSpec } from '@holdfast/vocabulary/tool-spec';
import type { AgentSettings, RunModes } from '@holdfast/vocabulary/agent-spec';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import { type FrozenHost, hostParameter } from '@holdfast/vocabulary/hosts';
import { decideStrictest } from '../../core/tools/access.ts';
import { type AgentsNow, type Gate, type Reach, gateOf } from '../../core/tools/limits-now.ts';
import { isOnHostsOnly, readCallPlace, withoutHost } from '../../core/tools/hosts.ts';
import { takesCommands } from '../../core/tools/takes-commands.ts';
import { withWindow } from '../../core/tools/window.ts';
import { cleanReason } from '@holdfast/redaction/clean-output';
import { judgeCall } from '../tools/judge-call.ts';
import { digestOf } from '../base/digest.ts';
import {
  type ParsedArguments,
  type ArgumentValidator,
  asArgumentObject,
  parseArgumentText,
  createArgumentValidator,
  describeParseError,
  cutOffText,
  invalidArgumentsPrefix,
  unknownToolPrefix,
} from '../tools/tool-arguments.ts';
import type { Redactor } from '@holdfast/redaction/redaction';
import { maskedArgs, shownFacts } from './shown-call.ts';
import { isMisspeltRead } from './tool-names.ts';
import { toOneLine } from '@holdfast/redaction/sanitise';
import type { RegisteredTool } from '../tools/define-tool.ts';

/** The parts of a frozen run that decide over calls. */
export type FrozenForCalls = Partial<Omit<FrozenContext, 'settings'>> &
  Pick<FrozenContext, 'agent' | 'tools'> & { settings: Pick<AgentSettings, keyof RunModes> & Partial<Reach> };

/** The stricter verdict counts: of the rules that the run began with, and of the worker's own. */
export type PrepareCalls = (message: AssistantMessage, frozen: FrozenForCalls) => Promise<PreparedCall[]>;

export type PrepareCallsOptions = AgentsNow & {
  tools: ReadonlyMap<string, RegisteredTool>;
  policy: readonly PolicyRule[];
  redactor: Redactor;
};

type Prepared = PrepareCallsOptions & Gate & { dryRun: boolean; frozen: FrozenForCalls };

const summaryLength = 100;
/** Characters of one argument, if the tool names no arguments for its summary. */
const defaultLength = 40;
/** Characters of one argument that are read for a line of a hundred; a file's content may be long. */
const lookedAt = 1_000;

/** One entry per call of a reply, in order. Never throws over a call: a mistake becomes a rejection that the model reads. */
export function createPrepareCalls(options: PrepareCallsOptions): PrepareCalls {
  const validate = createArgumentValidator();
  return async (message, frozen) => {
    const prepared = { ...options, ...gateOf(frozen, options), dryRun: frozen.settings.dryRun, frozen };
    const calls = toolCallsOf(message);
    if (message.stopReason === 'length') return calls.map((call) => reject(call, cutOffText));
    return Promise.all(calls.map((call) => prepareCall(call, prepared, validate)));
  };
}

async function prepareCall(
  call: ToolCallPart,
  options: Prepared,
  validate: ArgumentValidator,
): Promise<PreparedCall> {
  const spec = options.frozen.tools.find((candidate) => candidate.name === call.name);
  const tool = options.tools.get(call.name);
  const onHosts = spec !== undefined && isOnHostsOnly(options.frozen, spec);
  if (spec === undefined || (tool === undefined && !onHosts)) return rejectUnknown(call, options);
  try {
    const parsed = parseArgumentText(call.arguments);
    const named = readCallPlace(options.frozen, call.name, parsed.ok ? parsed.value : null);
    if (named.type === 'refused') return reject(call, named.reason);
    const here = onHosts || named.type === 'host' ? undefined : tool;
    const args = prepareArguments(parsed, spec, here, validate, options.frozen);
    // from the arguments that will run: a coerced one may name a host that the text did not
    const place = args.ok ? readCallPlace(options.frozen, call.name, args.value) : named;
    if (place.type === 'refused') return reject(call, place.reason);
    if (args.ok && place.type === 'host') return toReadyOnHost(call, spec, args.value, place.host, options);
    if (tool === undefined) return rejectArguments(call, args.ok ? noHost : args.reason, options);
    return args.ok
      ? await toReady(call, spec, tool, args.value, options)
      : rejectArguments(call, args.reason, options);
  } catch (error) {
    return rejectArguments(call, describeParseError(error), options);
  }
}

async function toReady(
  call: ToolCallPart,
  spec: ToolSpec,
  tool: RegisteredTool,
  args: JsonObject,
  { policies, scope, dryRun, redactor, frozen }: Prepared,
): Promise<PreparedCall> {
  // the present handler decides about a call's actions, not the spec that was frozen when the run began
  const { decision, reason, effect, facts } = await judgeCall(tool, args, policies, scope);
  const { actions = [] } = facts;
  const told = actions.length === 0 && takesCommands(spec) ? [args] : actions;
  const isShown = mayBeAsked(decision, frozen);
  const shown = shownFacts(facts, isShown || dryRun, redactor);
  return {
    status: 'ready',
    callId: call.callId,
    effect,
    decision,
    ...defined({ reason: reason && cleanReason(reason, redactor) }),
    ...(isShown ? maskedArgs(args, redactor) : {}),
    // for a person, or for the model in a dry run
    ...shown,
    // a remembered approval is compared with it; a call that is allowed here may have to ask later
    ...defined({
      actionsDigest: told.length === 0 || decision === 'deny' ? undefined : digestOf(told),
      args: sameJson(call.arguments, args) ? undefined : args,
    }),
    argsDigest: digestOf(args),
    summary: namingChanges(spec.name, summarise(spec, args, redactor), shown.changes),
  };
}

/** If the line is cut, the changing part replaces its end. */
function namingChanges(tool: string, summary: string, changes: string | undefined): string {
  const isCut = summary.length === summaryLength && summary.endsWith('…');
  return isCut && changes !== undefined ? toOneLine(`${tool} … ${changes}`, summaryLength) : summary;
}

const noHost = `${hostParameter}: expected the name of a host`;

/** Only the host knows the actions of its calls, and reports them before a call runs if it may ask. */
function toReadyOnHost(
  call: ToolCallPart,
  spec: ToolSpec,
  args: JsonObject,
  { name: host, judged = [] }: FrozenHost,
  { policies, scope, redactor }: Prepared,
): PreparedCall {
  const own = withoutHost(args);
  const { name: tool, effect } = spec;
  // assumes a mild action until the host's verdict: keeps every rule's verdict here, and applies no mode too early
  const actions = judged.includes(tool) ? [{ effect: 'read' as const }] : [];
  const verdict = decideStrictest({ tool, effect, args: own, actions }, policies, { ...scope, on: host });
  const { decision, reason } = verdict;
  const argsDigest = digestOf(args);
  return {
    status: 'ready',
    callId: call.callId,
    effect,
    decision,
    host,
    ...defined({ reason: reason && cleanReason(reason, redactor) }),
    ...maskedArgs(args, redactor),
    // its actions there are not known yet
    ...defined({
      actionsDigest: judged.includes(tool) || takesCommands(spec) ? argsDigest : undefined,
      args: sameJson(call.arguments, args) ? undefined : args,
    }),
    argsDigest,
    summary: `${summarise(spec, own, redactor, summaryLength - host.length - 4)} on ${host}`,
  };
}

/** Throws errors of a schema, a parser or the user's own preparation. */
function prepareArguments(
  parsed: ParsedArguments<Json>,
  spec: ToolSpec,
  tool: RegisteredTool | undefined,
  validate: ArgumentValidator,
  { window }: Pick<FrozenContext, 'window'>,
): ParsedArguments<JsonObject> {
  if (!parsed.ok) return parsed;
  const object = asArgumentObject(tool?.prepareArguments?.(parsed.value) ?? parsed.value);
  if (!object.ok) return object;
  const valid = validate(spec.parameters, withWindow(object.value, spec, window));
  if (valid.ok) tool?.parse(valid.value);
  return valid;
}

/** A tier may ask a person about any call that no rule denies, even a read after something sensitive was read. */
export function mayBeAsked(decision: PolicyDecision, { tiers }: Pick<FrozenContext, 'tiers'>): boolean {
  return decision === 'ask' || (decision === 'allow' && tiers !== undefined);
}

function rejectUnknown(call: ToolCallPart, { frozen, tools }: Prepared): PreparedCall {
  const rejected = reject(call, unknownToolPrefix + toOneLine(call.name, 100));
  const isMistake = !tools.has(call.name) && isMisspeltRead(call.name, frozen.tools);
  return isMistake ? rejected : { ...rejected, unknownTool: true };
}

function rejectArguments(
  call: ToolCallPart,
  reason: string,
  { redactor }: PrepareCallsOptions,
): PreparedCall {
  return reject(call, cleanReason(`${invalidArgumentsPrefix}${call.name}: ${reason}`, redactor));
}

function reject(call: ToolCallPart, reason: string): Extract<PreparedCall, { status: 'rejected' }> {
  return { status: 'rejected', callId: call.callId, reason };
}

// if equal, the workflow reads the model's own text; only a difference goes into history
function sameJson(text: string, args: JsonObject): boolean {
  // parsed again: a tool's own preparation may have changed the first result
  return isDeepStrictEqual(parseJson(text), args);
}

/** One line for people without secrets: the tool and its main arguments. */
export function summarise(
  spec: Pick<ToolSpec, 'name' | 'summaryArguments'>,
  args: JsonObject,
  redactor: Pick<Redactor, 'text'>,
  length = summaryLength,
): string {
  const chosen = spec.summaryArguments;
  const shown = (chosen ?? Object.keys(args)).flatMap((name) => {
    const value = valueAt(args, name);
    if (value === undefined || value === null || value === '') return [];
    // redacted with its name before it: a bare value does not look like a password
    const text = redactor.text(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
    // arguments that nobody chose are named, and a long one leaves room for the others
    const told = chosen && text.startsWith(`${name}=`) ? text.slice(name.length + 1) : text;
    const line = toVisibleLine(told.trimStart().slice(0, lookedAt));
    return [chosen ? line : toOneLine(line, defaultLength)];
  });
  return toOneLine([spec.name, ...shown].join(' '), length);
}

/** `tasks.agent` is that field of each object in a list. */
function valueAt(args: JsonObject, name: string): Json | undefined {
  const [first = '', field] = name.split('.');
  const value = args[first];
  if (field === undefined || !Array.isArray(value)) return args[name];
  const texts = value.map((item) => (isRecord(item) ? item[field] : item));
  return texts.map((text) => (typeof text === 'string' ? text : JSON.stringify(text))).join(', ');
}
