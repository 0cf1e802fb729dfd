// Turns the tool calls of a reply into prepared calls: found, arguments read, coerced and validated, policy
// asked. Runs inside callModel (Node), where schemas and user code may run, and costs no event of its own.
import type { JsonObject } from '../../core/base/json.ts';
import { toolCallsOf } from '../../core/model/messages.ts';
import type { AssistantMessage, ToolCallPart } from '../../core/model/messages.ts';
import { cutText } from '../../core/base/cut-text.ts';
import type { AgentMode, PolicyRule, PreparedCall, ToolSpec } from '../../core/model/tool-spec.ts';
import type { AgentSettings, RunModes } from '../../core/model/agent-spec.ts';
import type { FrozenContext } from '../../core/model/frozen-context.ts';
import { type PolicyScope, scopeOf } from '../../core/tools/policy.ts';
import { cleanReason } from '../tools/clean-output.ts';
import { judgeCall } from '../tools/judge-call.ts';
import { canonicalJson, digestOf } from '../context/digest.ts';
import {
  asArgumentObject,
  parseArgumentText,
  createArgumentValidator,
  describeParseError,
  cutOffText,
  invalidArgumentsPrefix,
} from './tool-arguments.ts';
import type { Parsed, ArgumentValidator } from './tool-arguments.ts';
import type { Redactor } from '../redaction/redaction.ts';
import { sanitiseText, toOneLine } from '../redaction/sanitise.ts';
import type { RegisteredTool } from '../tools/define-tool.ts';

/** What a run is frozen to, as far as it decides over calls. */
export type FrozenForCalls = Pick<FrozenContext, 'agent' | 'tools' | 'access'> & {
  settings: Pick<AgentSettings, keyof RunModes>;
};

/** The stricter verdict of the rules that the run began with and of the worker's own counts. */
export type PrepareCalls = (message: AssistantMessage, frozen: FrozenForCalls) => Promise<PreparedCall[]>;

export type PrepareCallsOptions = {
  /** Handlers by tool name. */
  tools: ReadonlyMap<string, RegisteredTool>;
  policy: readonly PolicyRule[];
  /** The most that an agent may do here without asking. Absent: no limit. */
  maxMode?: AgentMode | undefined;
  redactor: Redactor;
};

type Prepared = PrepareCallsOptions & {
  policies: readonly (readonly PolicyRule[])[];
  scope: PolicyScope;
  dryRun: boolean;
};

const summaryLength = 100;
/** Of one argument where the tool names none for its summary. */
const defaultLength = 40;
/** In UTF-16 units: a question is read by a person, and stays in history. */
const previewLength = 16_384;

/**
 * Prepares every call of a reply, in its order; one entry per call. Never throws over a call: a mistake becomes a
 * rejection that the model reads.
 */
export function createPrepareCalls(options: PrepareCallsOptions): PrepareCalls {
  const validate = createArgumentValidator();
  return async (message, frozen) => {
    const { tools, access, settings } = frozen;
    const policies = access === undefined ? [options.policy] : [options.policy, access.policy];
    const scope = scopeOf(frozen, options.maxMode);
    const prepared = { ...options, policies, scope, dryRun: settings.dryRun };
    const calls = toolCallsOf(message);
    if (message.stopReason === 'length') return calls.map(rejectCutOff);
    return Promise.all(calls.map((call) => prepareCall(call, tools, prepared, validate)));
  };
}

async function prepareCall(
  call: ToolCallPart,
  allowed: ToolSpec[],
  options: Prepared,
  validate: ArgumentValidator,
): Promise<PreparedCall> {
  const spec = allowed.find((candidate) => candidate.name === call.name);
  const tool = options.tools.get(call.name);
  if (spec === undefined || tool === undefined)
    return reject(call, `Unknown tool ${toOneLine(call.name, 100)}`);
  try {
    const args = prepareArguments(call, spec, tool, validate);
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
  { policies, scope, dryRun, redactor }: Prepared,
): Promise<PreparedCall> {
  // The handler that is here decides what a call does, not the spec that was frozen when the run began.
  const { decision, reason, effect, facts } = await judgeCall(tool, args, policies, scope);
  const { preview, basis, actions = [] } = facts;
  return {
    status: 'ready',
    callId: call.callId,
    ...{ effect, decision },
    ...(reason === undefined ? {} : { reason: cleanReason(reason, redactor) }),
    // a person reads it, or the model in a dry run
    ...(preview === undefined || (decision !== 'ask' && !dryRun)
      ? {}
      : { preview: cleanPreview(preview, redactor) }),
    ...(basis === undefined ? {} : { basis }),
    // what is remembered of an approval is compared with it; a call that is allowed here may still have to ask later
    ...(actions.length === 0 || decision === 'deny' ? {} : { actionsDigest: digestOf(actions) }),
    ...(sameJson(call.arguments, args) ? {} : { args }),
    argsDigest: digestOf(args),
    summary: summarise(spec, args, redactor),
  };
}

/** Throws what a schema, a parser or the user's own preparation throws. */
function prepareArguments(
  call: ToolCallPart,
  spec: ToolSpec,
  tool: RegisteredTool,
  validate: ArgumentValidator,
): Parsed<JsonObject> {
  const parsed = parseArgumentText(call.arguments);
  if (!parsed.ok) return parsed;
  const object = asArgumentObject(tool.prepareArguments?.(parsed.value) ?? parsed.value);
  if (!object.ok) return object;
  const valid = validate(spec.parameters, object.value);
  if (valid.ok) tool.parse(valid.value);
  return valid;
}

function cleanPreview(preview: string, redactor: Redactor): string {
  return cutText(redactor.text(sanitiseText(preview)), previewLength, '\n[... cut here]');
}

function rejectArguments(
  call: ToolCallPart,
  reason: string,
  { redactor }: PrepareCallsOptions,
): PreparedCall {
  return reject(call, cleanReason(`${invalidArgumentsPrefix}${call.name}: ${reason}`, redactor));
}

function rejectCutOff(call: ToolCallPart): PreparedCall {
  return reject(call, cutOffText);
}

function reject(call: ToolCallPart, reason: string): PreparedCall {
  return { status: 'rejected', callId: call.callId, reason };
}

// The workflow reads the model's own text where it says the same; only a difference goes into history.
function sameJson(text: string, args: JsonObject): boolean {
  try {
    return canonicalJson(JSON.parse(text)) === canonicalJson(args);
  } catch {
    return false;
  }
}

/** One line for people with secrets taken out: the tool and its main arguments. */
export function summarise(
  spec: Pick<ToolSpec, 'name' | 'summaryArguments'>,
  args: JsonObject,
  redactor: Pick<Redactor, 'text'>,
  length = summaryLength,
): string {
  const chosen = spec.summaryArguments;
  const shown = (chosen ?? Object.keys(args)).flatMap((name) => {
    const value = args[name];
    if (value === undefined || value === null || value === '') return [];
    // Redacted with its name before it: a bare value does not look like a password.
    const text = redactor.text(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
    // those that nobody chose are named, and a long one leaves room for the others
    return [chosen ? stripName(text, name) : toOneLine(text, defaultLength)];
  });
  return toOneLine([spec.name, ...shown].join(' '), length);
}

function stripName(text: string, name: string): string {
  return text.startsWith(`${name}=`) ? text.slice(name.length + 1) : text;
}
