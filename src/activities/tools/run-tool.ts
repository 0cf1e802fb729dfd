// The activities `tool.<name>`: the gates asked again, the body run under heartbeat, its outcome cleaned,
// stored and capped. Runs in Node. A tool's own failure is a result; only lost infrastructure throws.
import { Context } from '@temporalio/activity';
import type { ToolCallInput, ToolHeartbeat, ViewPosition } from '../../core/model/activity-contracts.ts';
import type { ToolCallResult } from '../../core/model/call-results.ts';
import { type Json, isRecord } from '../../core/base/json.ts';
import { hostParameter } from '../../core/model/hosts.ts';
import type { LogRecord } from '../../core/model/messages.ts';
import { rulesOver } from '../../core/tools/access.ts';
import { withoutHost } from '../../core/tools/hosts.ts';
import type { PolicyVerdict } from '../../core/tools/policy.ts';
import { unknownOutcome } from '../../core/tools/unknown-outcome.ts';
import type { PolicyRule, ToolSpec } from '../../core/model/tool-spec.ts';
import type { DeltaBus } from '../delta-bus.ts';
import { digestOf } from '../context/digest.ts';
import type { CallAccess, FrozenAccess } from '../context/frozen-access.ts';
import { confirmStart } from '../confirm-start.ts';
import { startHeartbeat } from '../heartbeat.ts';
import { type JudgedCall, judgeCall } from './judge-call.ts';
import { createPartialOutput } from './partial-output.ts';
import { reconcileCall } from './reconcile-call.ts';
import { runHandler, ToolInfrastructureError } from './run-handler.ts';
import { createLongOutput, type LongOutput } from '../storage/long-output.ts';
import { toStoreUnavailable } from '../storage/segments.ts';
import { sanitiseText } from '../redaction/sanitise.ts';
import { keepsNothing } from './keep-output.ts';
import { type ToolResultDeps, toRefusedResult, toToolCallResult } from './tool-result.ts';
import type { RegisteredTool, ToolContext } from './define-tool.ts';

export type ToolActivity = (input: ToolCallInput) => Promise<ToolCallResult>;

export type ToolActivitiesDeps = ToolResultDeps & {
  tools: ReadonlyMap<string, RegisteredTool>;
  policy: readonly PolicyRule[];
  /** The access that the run of a call began with. Absent: this worker's own. */
  frozenAccess?: FrozenAccess;
  /** The host that this worker serves; absent: it serves sessions. */
  host?: string | undefined;
  /** The most that is kept of one output. */
  maxOutputBytes?: number | undefined;
  /** Where watchers in the same process see partial outputs. */
  bus?: Pick<DeltaBus, 'publish'>;
  /** The session's log, oldest first; rejects where the workflow cannot be asked. */
  readLog(sessionId: string, view: ViewPosition): Promise<LogRecord[]>;
};

/** By their names on the wire: one for each tool, and one more for a tool that can look its lost calls up. */
export function createToolActivities(
  deps: ToolActivitiesDeps,
): Record<`tool.${string}` | `reconcile.${string}`, ToolActivity> {
  return Object.fromEntries(
    [...deps.tools].flatMap(([name, tool]): [string, ToolActivity][] => [
      [`tool.${name}`, (input) => timed(() => runTool(tool, input, deps, runHandler))],
      ...(tool.reconcile ? [reconcileActivity(name, tool, deps)] : []),
    ]),
  );
}

function reconcileActivity(
  name: string,
  tool: RegisteredTool,
  deps: ToolActivitiesDeps,
): [string, ToolActivity] {
  return [`reconcile.${name}`, (input) => timed(() => runTool(tool, input, deps, reconcileCall))];
}

/** The workflow sees when it learns of the end, and not when the call began: of many calls at once that is another time. */
async function timed(work: () => Promise<ToolCallResult>): Promise<ToolCallResult> {
  const began = performance.now();
  const result = await work();
  return { ...result, ran: { endedAt: Date.now(), ms: Math.round(performance.now() - began) } };
}

/** `body` is what is done once every gate is passed. What a refused look-up would have found stays unknown. */
async function runTool(
  tool: RegisteredTool,
  input: ToolCallInput,
  deps: ToolActivitiesDeps,
  body: typeof runHandler,
): Promise<ToolCallResult> {
  const { attempt, heartbeatDetails } = Context.current().info;
  const partial = createPartialOutput({ ...deps, input, tool: tool.spec.name, attempt });
  // First: a heartbeat also brings the cancellation, and a silent tool must not look dead. One that changes something
  // beats only when its body may begin: of an attempt that never beat the session knows that it changed nothing.
  let heartbeat = tool.spec.effect === 'read' ? startHeartbeat(partial.heartbeat) : undefined;
  try {
    const frozen = await deps.frozenAccess?.(tool, input.contextDigest);
    const { args, problem } = argumentsHere(input, deps.host);
    const judged = await judgeCall(
      frozen?.tool ?? tool,
      args,
      rulesOver(deps.policy, frozen?.policy, frozen?.startPolicy),
      {
        ...frozen?.scope,
        tags: input.tags ?? [],
        ...(deps.host === undefined ? {} : { on: deps.host }),
      },
    );
    const looksUp = body === reconcileCall;
    const changes = judged.effect !== 'read' || looksUp;
    // of a lost call, or of an attempt before this one that had begun, nobody knows how far it came
    const isOpen = looksUp || (changes && heartbeatDetails !== undefined);
    const refusal =
      problem ??
      refuse(tool.spec, input, judged) ??
      refuseDry(tool.spec, judged, frozen) ??
      (changes ? await refuseLate(partial.heartbeat(), { looksUp, isOpen }) : undefined);
    if (refusal !== undefined) {
      return isOpen
        ? toRefusedResult(`${refusal}\n${unknownOutcome}`, tool.spec, input, deps, 'unknown')
        : toRefusedResult(refusal, tool.spec, input, deps);
    }
    heartbeat ??= startHeartbeat(partial.heartbeat);
    const long = longOutputOf(input, deps, frozen);
    const own = createContext(input, attempt, partial.update, long.add, storing(deps, frozen), frozen);
    const context = {
      ...own,
      found: judged.facts.found,
      ...(frozen?.dryRun === true ? { dryRun: true as const } : {}),
    };
    const run = await body(frozen?.tool ?? tool, args, context);
    partial.close();
    const result = await toToolCallResult({ ...run, long }, tool.spec, input, deps, frozen);
    return frozen?.notice === undefined ? result : { ...result, notice: frozen.notice };
  } finally {
    heartbeat?.stop();
  }
}

/** Without the name of the host: a call that was made for another one, or for none, must not run here. */
function argumentsHere({ args }: ToolCallInput, host: string | undefined): { args: Json; problem?: string } {
  if (host === undefined) return { args };
  const given = isRecord(args) ? args : {};
  const named = given[hostParameter];
  if (named === host) return { args: withoutHost(given) };
  return {
    args,
    problem: `Not executed: the call is for ${JSON.stringify(named ?? 'no host')}, and this is ${host}.`,
  };
}

/** Why a call must not run on this worker, whatever was decided elsewhere; undefined where it may. */
function refuse(spec: ToolSpec, input: ToolCallInput, verdict: PolicyVerdict): string | undefined {
  if (digestOf(input.args) !== input.argsDigest) {
    return `Not executed: the arguments are not those that were checked and approved for ${spec.name}.`;
  }
  if (verdict.decision === 'allow') return undefined;
  if (verdict.decision === 'ask' && input.approvedBy !== undefined && input.approvedBy !== '')
    return undefined;
  return verdict.decision === 'ask'
    ? `Not executed: ${spec.name} needs a person's approval on this worker, and none came with the call.`
    : `Denied by policy: ${verdict.reason ?? `${spec.name} is not allowed.`}`;
}

/** The workflow answers such a call by itself; this is for one that does not. */
function refuseDry(
  { name }: ToolSpec,
  { effect }: JudgedCall,
  frozen: CallAccess | undefined,
): string | undefined {
  return frozen?.dryRun === true && effect !== 'read' ? `Not executed: ${name} in a dry run.` : undefined;
}

/** The last gate: a session that has given the call up has told the model so. */
async function refuseLate(
  details: ToolHeartbeat,
  { looksUp, isOpen }: { looksUp: boolean; isOpen: boolean },
): Promise<string | undefined> {
  const reason = await confirmStart(details);
  if (reason === undefined) return undefined;
  if (looksUp) return `Not looked up: ${reason}.`;
  return isOpen ? `Not run again: ${reason}.` : `Not run: ${reason}. Nothing was changed.`;
}

function longOutputOf(
  { sessionId, callId }: ToolCallInput,
  deps: ToolActivitiesDeps,
  frozen: CallAccess | undefined,
): LongOutput {
  const { artifacts, redactor } = deps;
  return createLongOutput({
    ...{ sessionId, callId, redactor, maxBytes: deps.maxOutputBytes },
    store: keepsNothing(deps, frozen) ? undefined : artifacts,
  });
}

/** Off the record a body reads what is stored, and stores nothing. */
function storing(deps: ToolActivitiesDeps, frozen: CallAccess | undefined): ToolActivitiesDeps {
  if (frozen?.offTheRecord !== true) return deps;
  const { id, get } = deps.artifacts;
  const put = () => Promise.reject(new Error('Nothing is stored: the session is off the record.'));
  return { ...deps, artifacts: { id, get: get.bind(deps.artifacts), put } };
}

function createContext(
  input: ToolCallInput,
  attempt: number,
  onUpdate: (partial: string) => void,
  addOutput: (chunk: Uint8Array) => Promise<void>,
  deps: ToolActivitiesDeps,
  frozen: CallAccess | undefined,
): Omit<ToolContext, 'signal'> {
  const { sessionId, runId, turn, callId, basis, idempotencyKey = `${sessionId}/${callId}` } = input;
  return {
    ...(basis === undefined ? {} : { basis }),
    ...(frozen?.hosts ? { hosts: frozen.hosts } : {}),
    ...(frozen?.skills ? { skills: frozen.skills } : {}),
    sessionId,
    runId,
    turn,
    callId,
    attempt,
    idempotencyKey,
    onUpdate,
    addOutput: (chunk) => addOutput(typeof chunk === 'string' ? Buffer.from(chunk) : chunk),
    artifacts: {
      id: deps.artifacts.id,
      put: (...args) => deps.artifacts.put(...args),
      get: (...args) => deps.artifacts.get(...args).catch(toStoreOutage),
    },
    redact: (text, { cut = false } = {}) =>
      cut ? deps.redactor.cutText(sanitiseText(text)) : deps.redactor.text(sanitiseText(text)),
    transcript: () => deps.readLog(sessionId, input.view).catch(toInfrastructureError),
    toolSpec: (name) => deps.tools.get(name)?.spec,
  };
}

/** A store that gives no answer is not the tool's failure. */
function toStoreOutage(error: unknown): never {
  throw new ToolInfrastructureError('The artifact store gave no answer.', {
    cause: toStoreUnavailable(error),
  });
}

function toInfrastructureError(error: unknown): never {
  throw new ToolInfrastructureError('The transcript of this session could not be read from its workflow.', {
    cause: error,
  });
}
