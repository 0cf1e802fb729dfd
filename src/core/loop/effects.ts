// The side effects of the loop: activities and waits. Under Temporal the workflow implements them, in one process
// src/memory does. All that is decided, and all that is remembered, is in core.
import type { Failure, Recovery } from '../base/failures.ts';
import type { JsonObject, Json } from '../base/json.ts';
import type {
  ArchiveSegmentInput,
  CompleteReportInput,
  LoadCheckpointInput,
  LoadedCheckpoint,
  ReadOutputInput,
  SavedCheckpoint,
  SavedResult,
  SaveCheckpointInput,
  SaveResultInput,
} from '../model/storage-contracts.ts';
import type {
  AskModelInput,
  AskModelResult,
  AssembleContextInput,
  CallModelInput,
  DescribeReportInput,
  EvaluatePolicyInput,
  EvaluatePolicyResult,
  ReadSkillsInput,
  ReadSkillsResult,
  ResolveToolGroupsInput,
  ResolveToolGroupsResult,
  RunHookInput,
  RunHookResult,
  SummarizeInput,
  SummarizeResult,
  ToolCallInput,
} from '../model/activity-contracts.ts';
import type {
  FlushMemoryInput,
  SaveIncidentInput,
  SearchMemoryInput,
  SearchMemoryResult,
} from '../model/memory-contracts.ts';
import type { ToolAnswer } from '../model/agent-state.ts';
import type { BoardAnswer, BoardCallInput } from '../model/board.ts';
import type { CallModelResult, PaidFailure } from '../model/call-results.ts';
import type { FrozenContext, Segment } from '../model/frozen-context.ts';
import type { PureHookFunctions } from '../model/hook.ts';
import type {
  DescribeHostInput,
  HostDescription,
  HostsToAsk,
  HostToAsk,
  InspectCallsInput,
  InspectCallsResult,
} from '../model/hosts.ts';
import type { CallOutcome, Preface } from '../model/messages.ts';
import type { ReportRef, RunOutput, SessionResult } from '../model/run-result.ts';
import type { SessionInput } from '../model/session-input.ts';
import type { FindReflectionsInput, WriteReflectionInput } from '../model/reflections.ts';
import type { ToolEffect, ToolSpec } from '../model/tool-spec.ts';
import type { Session } from '../session/session.ts';

/** A stop reached it before it was done. */
export type Stopped = { type: 'stopped' };

export type ContextOutcome =
  | { type: 'done'; context: FrozenContext }
  /** It needs the answers of these hosts first. */
  | { type: 'hosts'; askHosts: HostToAsk[] }
  | { type: 'failed'; message: string }
  | Stopped;

/** Of what the activity gave: a context, or the hosts that have to be asked before there is one. */
export function toContextOutcome(assembled: FrozenContext | HostsToAsk): ContextOutcome {
  return 'askHosts' in assembled ? { type: 'hosts', ...assembled } : { type: 'done', context: assembled };
}

export type ModelOutcome =
  | { type: 'reply'; result: CallModelResult }
  /** `result` holds the text so far, where the worker reported it. */
  | { type: 'stopped'; result?: CallModelResult }
  | { type: 'failed'; failure: Failure; recovery: Recovery; paid?: PaidFailure };

/** Archived first, so that nothing is folded that is not stored (COND-15). */
export type CondenseRequest = {
  archive: ArchiveSegmentInput | undefined;
  summarize: SummarizeInput;
  timeoutMs?: number;
};
export type CondenseOutcome =
  | ({ type: 'done'; segment?: Segment } & SummarizeResult)
  | { type: 'failed'; failure: Failure; paid?: PaidFailure }
  | Stopped;

export type AskModelOutcome =
  | ({ type: 'done' } & AskModelResult)
  | { type: 'failed'; failure: Failure; paid?: PaidFailure }
  | Stopped;

export type FlushOutcome = { type: 'done' } | { type: 'failed'; message: string } | Stopped;

export type MemoryOutcome =
  | ({ type: 'done' } & SearchMemoryResult)
  | { type: 'failed'; message: string }
  | Stopped;

/** `effect` is that of the call, which decides whether it is run again; the spec names the queue of its host. */
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
  /** `text` is what the model reads, `outcome` what became of the call as far as anybody knows. */
  | ({ type: 'no_answer' } & Unanswered)
  | Stopped;

export type PolicyOutcome =
  | { type: 'done'; result: EvaluatePolicyResult }
  | { type: 'failed'; message: string }
  | Stopped;

export type SkillsOutcome =
  | ({ type: 'done' } & ReadSkillsResult)
  | { type: 'failed'; message: string }
  | Stopped;

export type HookOutcome =
  | { type: 'answered'; result: RunHookResult }
  | { type: 'failed'; message: string }
  | Stopped;

/** The hosts of the configuration, each on a task queue of its own. One that does not answer in seconds is missing. */
export type HostEffects = {
  describe(
    input: DescribeHostInput,
    host: HostToAsk,
  ): Promise<HostDescription | { missing: string } | Stopped>;
  inspect(
    input: InspectCallsInput,
    host: Pick<HostToAsk, 'name' | 'taskQueue'>,
  ): Promise<InspectCallsResult | { missing: string } | Stopped>;
};

/** A session that this one starts. */
/** `id` is that of its session, `name` its instance name. */
export type ChildRequest = { id: string; name: string; input: SessionInput };
export type ChildOutcome =
  | { type: 'ended'; result: SessionResult }
  /** It could not begin, or was ended from outside without a result. */
  | { type: 'failed'; message: string }
  /** Asked to end by a stop, it did not do so in time. */
  | Stopped;

/** A stop asks every child to end, and waits for it: what has ended in time keeps its result. */
export type ChildEffects = {
  run<T>(request: ChildRequest, take: Take<ChildOutcome, T>): Promise<T>;
};

/** Makes of an outcome what the caller wants: in the effect itself, because every promise costs in Temporal's sandbox. */
export type Take<Outcome, T> = (outcome: Outcome) => T | Promise<T>;

/** What needs no stop rejects when it fails for good. */
export type Effects = {
  /** False when the time is over before `ready` holds. Without a time it waits without limit. */
  until(ready: () => boolean, timeoutMs?: number, summary?: string): Promise<boolean>;
  /** The history is long: the session continues in a new execution at the next turn boundary. */
  isHandOverDue(): boolean;
  assembleContext(input: AssembleContextInput): Promise<ContextOutcome>;
  callModel<T>(input: CallModelInput, take: Take<ModelOutcome, T>): Promise<T>;
  /** Stopped: it was not begun. */
  runTool<T>(request: ToolCallRequest, take: Take<ToolCallOutcome, T>): Promise<T>;
  evaluatePolicy(input: EvaluatePolicyInput): Promise<PolicyOutcome>;
  children: ChildEffects;
  /** Absent in one process: no host can be reached from there. */
  hosts?: HostEffects;
  /** A late one begins after a stop: it has what is left of the time that a stop gives. */
  runHook(input: RunHookInput, late: boolean): Promise<HookOutcome>;
  condense(request: CondenseRequest): Promise<CondenseOutcome>;
  askModel(input: AskModelInput): Promise<AskModelOutcome>;
  searchMemory(input: SearchMemoryInput): Promise<MemoryOutcome>;
  flushMemory(input: FlushMemoryInput): Promise<FlushOutcome>;
  saveIncident(input: SaveIncidentInput): Promise<void>;
  resolveToolGroups(input: ResolveToolGroupsInput): Promise<ResolveToolGroupsResult>;
  readSkills(input: ReadSkillsInput): Promise<SkillsOutcome>;
  archive(input: ArchiveSegmentInput): Promise<Segment>;
  readOutput(input: ReadOutputInput): Promise<RunOutput>;
  completeReport(input: CompleteReportInput): Promise<ReportRef>;
  saveResult(input: SaveResultInput): Promise<SavedResult>;
  saveCheckpoint(input: SaveCheckpointInput): Promise<SavedCheckpoint>;
  loadCheckpoint(input: LoadCheckpointInput): Promise<LoadedCheckpoint>;
  describeReport(input: DescribeReportInput): Promise<string>;
  writeReflection(input: WriteReflectionInput): Promise<string>;
  findReflections(input: FindReflectionsInput): Promise<string[]>;
  /** Never rejects: a board that does not answer is a refusal, of which nobody knows whether it was taken. */
  callBoard(input: BoardCallInput): Promise<BoardAnswer>;
  /** Of the hook `logger`. */
  log(message: string, attributes: JsonObject): void;
  /** Beside the built-in ones, by name. */
  pureHooks?: ReadonlyMap<string, PureHookFunctions>;
  workflowTools?: ReadonlyMap<string, WorkflowTool>;
};

/** Before a run's first turn. Undefined where it has nothing to say. What goes wrong in it is a warning of its own, never the end of the run. */
export type Preparation = (session: Session, effects: Effects) => Promise<Preface | undefined> | undefined;

export type WorkflowToolOutcome = Pick<ToolAnswer, 'terminate' | 'ran'> & {
  text: string;
  isError?: boolean;
  details?: Json;
};

/** `state` is the newest at every read; what a tool changes it records as a fact. */
export type WorkflowToolContext = {
  callId: string;
  session: Pick<
    Session,
    'id' | 'input' | 'state' | 'record' | 'settings' | 'deadline' | 'questions' | 'announce' | 'now' | 'stop'
  >;
  effects: Pick<
    Effects,
    | 'resolveToolGroups'
    | 'readSkills'
    | 'until'
    | 'children'
    | 'callBoard'
    | 'writeReflection'
    | 'findReflections'
  >;
};

export type WorkflowTool = {
  name: string;
  /**
   * Deterministic. `args` passed the tool's schema on a worker; a recording's own tools take any, so it is looked at
   * again. A throw is a failed tool.
   */
  run(args: Json, context: WorkflowToolContext): WorkflowToolOutcome | Promise<WorkflowToolOutcome>;
};
