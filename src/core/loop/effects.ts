// The side effects of the loop: activities and waits. The workflow implements them under Temporal, and src/in-process
// in one process. Decisions and state stay in core.
import type { Failure, Recovery } from '@holdfast/base/failures';
import type { JsonObject, Json } from '@holdfast/base/json';
import { messageOf } from '@holdfast/base/message-of';
import type { CallModelInput, ToolCallInput } from '@holdfast/vocabulary/activity-contracts';
import type { ActivityName, InputOf, OutputOf } from '@holdfast/vocabulary/activity-table';
import type { ToolAnswer } from '@holdfast/vocabulary/agent-state';
import type { CallModelResult, PaidFailure } from '@holdfast/vocabulary/call-results';
import type { PureHookFunctions } from '@holdfast/vocabulary/hook';
import type { CallOutcome, Preface } from '@holdfast/vocabulary/messages';
import type { SessionResult } from '@holdfast/vocabulary/run-result';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { ToolEffect, ToolSpec } from '@holdfast/vocabulary/tool-spec';
import type { Session } from '../session/session.ts';

/** A stop came before the work was done. */
export type Stopped = { type: 'stopped' };

/** `error` is the activity's failure; `paid` is the cost of its attempts. */
export type Failed = { type: 'failed'; failure: Failure; error: unknown; paid?: PaidFailure };

export type EffectOutcome<T> = { type: 'done'; value: T } | Failed | Stopped;

/** Throws the failure; for activities that no stop ends. */
export function valueOf<T>(outcome: EffectOutcome<T>): T {
  if (outcome.type === 'done') return outcome.value;
  throw outcome.type === 'failed' ? outcome.error : new Error('stopped');
}

/** For work that a session can do without: undefined after a warning with the reason. */
export async function valueOrWarning<T>(
  session: Pick<Session, 'warn'>,
  calling: Promise<EffectOutcome<T>>,
  code: string,
  what = '',
): Promise<T | undefined> {
  try {
    return valueOf(await calling);
  } catch (error) {
    session.warn(code, what + messageOf(error));
    return undefined;
  }
}

export type ModelOutcome =
  | { type: 'reply'; result: CallModelResult }
  /** `result` has the text so far, if the worker reported it. */
  | { type: 'stopped'; result?: CallModelResult }
  | { type: 'failed'; failure: Failure; recovery: Recovery; paid?: PaidFailure };

/** `effect` is that of the call, and decides whether it runs again; the spec names the queue of its host. */
export type ToolCallRequest = {
  spec: ToolSpec;
  effect: ToolEffect;
  input: ToolCallInput;
  summary: string;
  host?: string;
};
export type Unanswered = { text: string; outcome: CallOutcome };
export type ToolCallOutcome =
  | { type: 'answered'; answer: ToolAnswer }
  /** `text` is the model's answer, `outcome` the known state of the call. */
  | ({ type: 'no_answer' } & Unanswered)
  | Stopped;

/** A session that this one starts: `id` is its session id, `name` its instance name. */
export type ChildRequest = { id: string; name: string; input: SessionInput };
export type ChildOutcome =
  | { type: 'ended'; result: SessionResult }
  /** The child could not begin, or was ended from outside without a result. */
  | { type: 'failed'; message: string }
  /** A stop asked the child to end, and it did not end in time. */
  | Stopped;

/** Converts an outcome inside the effect, because every promise costs in Temporal's sandbox. */
export type Take<Outcome, T> = (outcome: Outcome) => T | Promise<T>;

/** Deviations of one call from the policy of its activity. */
export type CallDeviations = {
  /** The call begins after a stop, and has the rest of that stop's grace period. */
  late?: boolean;
  limitMs?: number | undefined;
  /** The task queue of a host. */
  taskQueue?: string;
};

export type Effects = {
  /** False if the time is over before `ready` holds. Without a time it waits without limit. */
  until(ready: () => boolean, timeoutMs?: number, summary?: string): Promise<boolean>;
  /** The history is long: the session continues in a new execution at the next turn boundary. */
  isHandOverDue(): boolean;
  callModel<T>(input: CallModelInput, take: Take<ModelOutcome, T>): Promise<T>;
  /** `stopped` means that the call has not begun. */
  runTool<T>(request: ToolCallRequest, take: Take<ToolCallOutcome, T>): Promise<T>;
  /** A stop asks every child to end, and waits: a child that ends in time keeps its result. */
  runChild<T>(request: ChildRequest, take: Take<ChildOutcome, T>): Promise<T>;
  /** Calls any other activity, by its row of the table. Never rejects. */
  call<Name extends ActivityName>(
    name: Name,
    input: InputOf<Name>,
    options?: CallDeviations,
  ): Promise<EffectOutcome<OutputOf<Name>>>;
  /** Writes a line of the hook `logger`. */
  log(message: string, attributes: JsonObject): void;
  /** A user's hooks and tools beside the built-in ones, by name. */
  own?: { hooks: ReadonlyMap<string, PureHookFunctions>; tools: ReadonlyMap<string, WorkflowTool> };
};

/** Work before a run's first turn. Undefined if it adds nothing. A failure is a warning, and never ends the run. */
export type Preparation = (session: Session, effects: Effects) => Promise<Preface | undefined> | undefined;

export type WorkflowToolOutcome = Pick<ToolAnswer, 'terminate' | 'ran'> & {
  text: string;
  isError?: boolean;
  details?: Json;
};

/** `state` is current at every read; a tool changes it only by recording facts. */
export type WorkflowToolContext = {
  callId: string;
  session: Pick<Session, 'id' | 'input' | 'state' | 'record' | 'settings' | 'deadline' | 'questions'> &
    Pick<Session, 'announce' | 'warn' | 'now' | 'stop'>;
  effects: Pick<Effects, 'call' | 'until' | 'runChild'>;
};

export type WorkflowTool = {
  name: string;
  /**
   * Deterministic. A worker has checked `args` by the tool's schema, but a recording's own tools take any arguments, so
   * `args` are checked again. A throw is a failed tool call.
   */
  run(args: Json, context: WorkflowToolContext): WorkflowToolOutcome | Promise<WorkflowToolOutcome>;
};
