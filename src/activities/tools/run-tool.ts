// The activities `tool.<name>`: all gates are checked again, the body runs under heartbeat, and its outcome is cleaned,
// stored and capped. Runs in Node. A tool's own failure is a result; only lost infrastructure throws.
import { defined } from '@holdfast/base/defined';
import { Context } from '@temporalio/activity';
import type { ToolCallInput, ToolHeartbeat, ViewPosition } from '@holdfast/vocabulary/activity-contracts';
import type { ToolCallResult } from '@holdfast/vocabulary/call-results';
import { type Json, fieldsOf } from '@holdfast/base/json';
import { present } from '@holdfast/base/present';
import { hostParameter } from '@holdfast/vocabulary/hosts';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { withoutHost } from '../../core/tools/hosts.ts';
import type { PolicyVerdict } from '../../core/tools/policy.ts';
import { forgottenCall, unknownOutcome } from '../../core/state/own-answers.ts';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';
import type { DeltaBus } from '../base/delta-bus.ts';
import { digestOf } from '../base/digest.ts';
import type { CallAccess, FrozenAccess } from './frozen-access.ts';
import { claimCall } from './claim-call.ts';
import { confirmStart } from '../base/confirm-start.ts';
import { startHeartbeat } from '../base/heartbeat.ts';
import { type JudgedCall, judgeCall } from './judge-call.ts';
import { createPartialOutput } from './partial-output.ts';
import { reconcileCall } from './reconcile-call.ts';
import { runHandler, ToolInfrastructureError } from './run-handler.ts';
import { LongOutput } from '../storage/long-output.ts';
import { toStoreUnavailable } from '../storage/segments.ts';
import { sanitiseText } from '@holdfast/redaction/sanitise';
import type { ArtifactReader } from '@holdfast/stored/artifact-names';
import { withLoggedOutputs } from '@holdfast/stored/logged-outputs';
import { readStoredLog } from '@holdfast/stored/stored-session';
import { keepsNothing } from './keep-output.ts';
import { type ToolResultDeps, toRefusedResult, toToolCallResult } from './tool-result.ts';
import type { RegisteredTool, ToolContext } from './define-tool.ts';

export type ToolActivity = (input: ToolCallInput) => Promise<ToolCallResult>;

export type ToolActivitiesDeps = ToolResultDeps & {
  tools: ReadonlyMap<string, RegisteredTool>;
  /** The access that the run of a call began with. */
  frozenAccess: FrozenAccess;
  /** The host that this worker serves; absent if it serves sessions. */
  host?: string | undefined;
  /** Limit of one stored output, in bytes. */
  maxOutputBytes?: number | undefined;
  /** Shows partial outputs to watchers in the same process. */
  bus?: Pick<DeltaBus, 'publish' | 'isWatched' | 'hasReader'>;
  /** The session's log, oldest first; rejects if the workflow does not answer. */
  readLog(sessionId: string, view: ViewPosition): Promise<LogRecord[]>;
};

/** By wire name: one for each tool, and a second one for a tool that can look up its lost calls. */
export function createToolActivities(
  deps: ToolActivitiesDeps,
): Record<`tool.${string}` | `reconcile.${string}`, ToolActivity> {
  const activity = (name: string, tool: RegisteredTool, body: typeof runHandler): [string, ToolActivity] => [
    name,
    (input) => timed(() => runTool(tool, input, deps, body)),
  ];
  return Object.fromEntries(
    [...deps.tools].flatMap(([name, tool]) =>
      present([
        activity(`tool.${name}`, tool, runHandler),
        tool.reconcile && activity(`reconcile.${name}`, tool, reconcileCall),
      ]),
    ),
  );
}

/** The workflow only knows when it learns of the end. With many calls at once that is later than the end itself. */
async function timed(work: () => Promise<ToolCallResult>): Promise<ToolCallResult> {
  const began = performance.now();
  const result = await work();
  return { ...result, ran: { endedAt: Date.now(), ms: Math.round(performance.now() - began) } };
}

/** `body` runs after every gate. A refused look-up leaves the outcome unknown. */
async function runTool(
  tool: RegisteredTool,
  input: ToolCallInput,
  deps: ToolActivitiesDeps,
  body: typeof runHandler,
): Promise<ToolCallResult> {
  const { attempt, heartbeatDetails } = Context.current().info;
  const call = { spec: tool.spec, input, deps };
  const partial = createPartialOutput({ ...deps, input, tool: tool.spec.name, attempt });
  // First: a heartbeat also brings the cancellation, and a silent tool must not look dead. A changing tool beats only
  // when its body may begin, so an attempt without a heartbeat has changed nothing.
  let heartbeat = tool.spec.effect === 'read' ? startHeartbeat(partial.heartbeat, deps.bus) : undefined;
  try {
    const frozen = await deps.frozenAccess(tool, input.contextDigest);
    const { args, problem } = argumentsHere(input, deps.host);
    const at = { ...frozen.scope, tags: input.tags ?? [], ...defined({ on: deps.host }) };
    const judged = await judgeCall(frozen.tool, args, frozen.policies, at);
    const looksUp = body === reconcileCall;
    const changes = judged.effect !== 'read' || looksUp;
    // the progress of a lost call, or of an earlier attempt that had begun, is unknown
    const isOpen = looksUp || (changes && heartbeatDetails !== undefined);
    const dry = refuseDry(tool.spec, judged, frozen);
    const early = problem ?? refuse(tool.spec, input, judged) ?? dry;
    // before the last gate, which must be right before the body
    const claim =
      early === undefined && judged.effect === 'once' && !looksUp
        ? await claimCall(keepsNothing(deps, frozen) ? undefined : deps.artifacts, tool.spec.name, input)
        : undefined;
    if (claim === 'forgotten') return toRefusedResult(forgottenCall, call, 'unknown');
    const refusal =
      early ?? (changes ? await refuseLate(partial.heartbeat(), { looksUp, isOpen }) : undefined);
    if (refusal !== undefined) {
      const outcome = isOpen ? 'unknown' : refusal === dry ? 'simulated' : early ? 'refused' : 'not_run';
      const text = isOpen ? `${refusal}\n${unknownOutcome}` : refusal;
      return toRefusedResult(text, call, outcome);
    }
    heartbeat ??= startHeartbeat(partial.heartbeat, deps.bus);
    const long = longOutputOf(input, deps, frozen);
    const own = createContext(input, attempt, partial.update, long.add, deps, frozen);
    const run = await body(frozen.tool, args, { ...own, found: judged.facts.found });
    partial.close();
    const result = await toToolCallResult({ ...run, long }, call, frozen);
    return { ...result, ...defined({ notice: frozen.notice, unclaimed: claim?.unclaimed }) };
  } finally {
    heartbeat?.stop();
  }
}

/** Removes the host's name: a call for another host, or for none, must not run here. */
function argumentsHere({ args }: ToolCallInput, host: string | undefined): { args: Json; problem?: string } {
  if (host === undefined) return { args };
  const given = fieldsOf(args);
  const named = given[hostParameter];
  if (named === host) return { args: withoutHost(given) };
  return {
    args,
    problem: `Not executed: the call is for ${JSON.stringify(named ?? 'no host')}, and this is ${host}.`,
  };
}

/** The reason why a call must not run on this worker, whatever was decided elsewhere; undefined if it may. */
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

/** The workflow answers such a call itself; this is for a workflow that does not. */
function refuseDry({ name }: ToolSpec, { effect }: JudgedCall, frozen: CallAccess): string | undefined {
  return frozen.dryRun && effect !== 'read' ? `Not executed: ${name} in a dry run.` : undefined;
}

/** The last gate: a session that has abandoned the call has told the model that it did not run. */
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
  frozen: CallAccess,
): LongOutput {
  const { artifacts, redactor } = deps;
  return new LongOutput({
    sessionId,
    callId,
    redactor,
    maxBytes: deps.maxOutputBytes,
    store: keepsNothing(deps, frozen) ? undefined : artifacts,
  });
}

/** Off the record a body may read the store, and not write to it. */
const refusePut = () => Promise.reject(new Error('Nothing is stored: the session is off the record.'));

function createContext(
  input: ToolCallInput,
  attempt: number,
  onUpdate: (partial: string) => void,
  addOutput: (chunk: Uint8Array) => Promise<void>,
  deps: ToolActivitiesDeps,
  frozen: CallAccess,
): Omit<ToolContext, 'signal'> {
  const { sessionId, runId, turn, callId, basis, approvedBy } = input;
  const transcript = () => deps.readLog(sessionId, input.view).catch(toInfrastructureError);
  const { artifacts } = deps;
  const stored: ArtifactReader = { get: (...args) => artifacts.get(...args).catch(toStoreOutage) };
  const logOf = async (id: string) => (id === sessionId ? transcript() : readStoredLog(stored, id));
  return {
    ...defined({
      basis,
      approvedBy,
      hosts: frozen.hosts,
      skills: frozen.skills,
      top: frozen.top,
      dryRun: frozen.dryRun || undefined,
      offTheRecord: frozen.offTheRecord || undefined,
    }),
    sessionId,
    runId,
    turn,
    callId,
    attempt,
    idempotencyKey: input.idempotencyKey ?? `${sessionId}/${callId}`,
    onUpdate,
    addOutput: (chunk) => addOutput(typeof chunk === 'string' ? Buffer.from(chunk) : chunk),
    artifacts: {
      id: artifacts.id,
      ...withLoggedOutputs(stored, logOf),
      // bound: a store may be an instance of a class
      ...defined({ list: artifacts.list?.bind(artifacts) }),
      put: frozen.offTheRecord ? refusePut : (...args) => artifacts.put(...args),
    },
    redact: (text, { cut = false } = {}) =>
      cut ? deps.redactor.cutText(sanitiseText(text)) : deps.redactor.text(sanitiseText(text)),
    transcript,
    toolSpec: (name) => deps.tools.get(name)?.spec,
  };
}

/** A store without an answer is no failure of the tool. */
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
