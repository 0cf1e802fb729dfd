// The activities `tool.<name>`: the gates asked again, the body run under heartbeat, its outcome cleaned,
// stored and capped. Runs in Node. A tool's own failure is a result; only lost infrastructure throws.
import { Context } from '@temporalio/activity';
import type {
  ToolCallInput,
  ToolCallResult,
  ToolHeartbeat,
  ViewPosition,
} from '../core/activity-contracts.ts';
import type { LogRecord } from '../core/messages.ts';
import { decidePolicy } from '../core/tool-policy.ts';
import type { PolicyRule } from '../core/tool-policy.ts';
import type { ToolSpec } from '../core/tools.ts';
import { digestOf } from './digest.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { Redactor } from './redaction.ts';
import { runHandler } from './run-handler.ts';
import { sanitiseText } from './sanitise.ts';
import { toRefusedResult, toToolCallResult } from './tool-result.ts';
import type { ToolResultDeps } from './tool-result.ts';
import { ToolInfrastructureError } from './tools/infrastructure-error.ts';
import type { RegisteredTool, ToolContext } from './tools/tool-handler.ts';

export type ToolActivity = (input: ToolCallInput) => Promise<ToolCallResult>;

export type ToolActivitiesDeps = ToolResultDeps & {
  tools: ReadonlyMap<string, RegisteredTool>;
  policy: readonly PolicyRule[];
  /** The session's log, oldest first; rejects where the workflow cannot be asked. */
  readLog(sessionId: string, view: ViewPosition): Promise<LogRecord[]>;
};

/** One activity per tool, by its name on the wire. */
export function createToolActivities(deps: ToolActivitiesDeps): Record<`tool.${string}`, ToolActivity> {
  return Object.fromEntries(
    [...deps.tools].map(([name, tool]): [string, ToolActivity] => [
      `tool.${name}`,
      (input) => runTool(tool, input, deps),
    ]),
  );
}

async function runTool(
  tool: RegisteredTool,
  input: ToolCallInput,
  deps: ToolActivitiesDeps,
): Promise<ToolCallResult> {
  const partial = createPartial();
  // First: a heartbeat also brings the cancellation, and a silent tool must not look dead.
  const heartbeat = startHeartbeat((): ToolHeartbeat =>
    heartbeatDetails(input, partial.text(), deps.redactor),
  );
  try {
    const refusal = refuse(tool.spec, input, deps.policy);
    if (refusal !== undefined) return toRefusedResult(refusal, tool.spec, input, deps);
    const run = await runHandler(tool, input.args, createContext(input, partial.update, deps));
    partial.close();
    return await toToolCallResult(run, tool.spec, input, deps);
  } finally {
    heartbeat.stop();
  }
}

/** Why a call must not run on this worker, whatever was decided elsewhere; undefined where it may. */
function refuse(spec: ToolSpec, input: ToolCallInput, policy: readonly PolicyRule[]): string | undefined {
  if (digestOf(input.args) !== input.argsDigest) {
    return `Not executed: the arguments are not those that were checked and approved for ${spec.name}.`;
  }
  const verdict = decidePolicy(spec.name, spec.effect, policy);
  if (verdict.decision === 'allow') return undefined;
  if (verdict.decision === 'ask' && input.approvedBy !== undefined && input.approvedBy !== '')
    return undefined;
  return verdict.decision === 'ask'
    ? `Not executed: ${spec.name} needs a person's approval on this worker, and none came with the call.`
    : `Denied by policy: ${verdict.reason ?? `${spec.name} is not allowed.`}`;
}

function createContext(
  input: ToolCallInput,
  onUpdate: (partial: string) => void,
  deps: ToolActivitiesDeps,
): Omit<ToolContext, 'signal'> {
  const { sessionId, runId, turn, callId } = input;
  return {
    sessionId,
    runId,
    turn,
    callId,
    attempt: Context.current().info.attempt,
    idempotencyKey: `${sessionId}/${callId}`,
    onUpdate,
    artifacts: deps.artifacts,
    transcript: () => deps.readLog(sessionId, input.view).catch(toInfrastructureError),
  };
}

function toInfrastructureError(error: unknown): never {
  throw new ToolInfrastructureError('The transcript of this session could not be read from its workflow.', {
    cause: error,
  });
}

function heartbeatDetails(input: ToolCallInput, partial: string, redactor: Redactor): ToolHeartbeat {
  const { attempt } = Context.current().info;
  // Redacted before it is cut: half a secret matches no pattern.
  const shown = redactor.text(sanitiseText(partial)).slice(-2_048).toWellFormed();
  return { callId: input.callId, attempt, ...(shown === '' ? {} : { partial: shown }) };
}

type PartialText = { text(): string; update(text: string): void; close(): void };

// A handler that was left behind may go on calling: nothing of that is shown.
function createPartial(): PartialText {
  let latest = '';
  let open = true;
  return {
    text: () => latest,
    update: (text) => {
      if (open) latest = typeof text === 'string' ? text.slice(-65_536) : '';
    },
    close: () => {
      open = false;
    },
  };
}
