// The state of a session as plain, versioned data. The state alone decides the next step, so continuing as new,
// resuming and forking are one thing: load a state and continue. Only core/state/reduce.ts makes new ones.
import type { CallModelResult, ToolCallResult } from './call-results.ts';
import type { FrozenContext, Segment } from './frozen-context.ts';
import type { Budget, CondenseStrategyName, ViewReducerName, SessionSettings } from './agent-spec.ts';
import type { PrefixReason, SessionState } from './events.ts';
import type { Json } from '../base/json.ts';
import type { CallDecision, CallTimes, LogRecord, Message, PromptMessage, ToolCallPart } from './messages.ts';
import type { Child } from './children.ts';
import type {
  Change,
  Completion,
  PurposeUsage,
  ReportRef,
  RunCause,
  RunResult,
  RunStatus,
} from './run-result.ts';
import type { Plan } from './plan.ts';
import type { PreparedCall } from './tool-spec.ts';
import type { Failure } from '../base/failures.ts';
import { findingsBytes, utf8Bytes } from '../base/sizes.ts';

/** Raised with every change of a state's shape; a state of another version is refused. */
export const stateVersion = 1;

/** The answer to one call: from its activity, or written by us where no activity gave one (then no digest). */
export type ToolAnswer = Omit<ToolCallResult, 'digest'> & { digest?: string };

/** One call of the batch in hand. */
export type BatchCall = {
  call: ToolCallPart;
  prepared: PreparedCall;
  started: boolean;
  /** The further tiers of the policy have judged it. */
  evaluated?: true;
  /** The host that it is for has judged it. */
  inspected?: true;
  /** When it was taken up: workflow time in ms. */
  begunAt?: number;
  answer?: ToolAnswer;
  decided?: CallDecision;
  ran?: CallTimes;
  /** Beyond the budget: it does not run, and does not count. */
  overBudget?: true;
  /** Of a call that was made in another session: it may have run under this key. */
  idempotencyKey?: string;
};

/** What counts against a budget. */
export type Spent = Required<Budget>;

/** How a run is going to end; set once, then the loop closes what is open and ends it. */
export type RunEnd = { status: RunStatus; cause?: RunCause; error?: Failure };

/**
 * The place of a run inside a turn. boundary: between turns, the only place to poll, hand over or end.
 * ready: the turn has its messages, the model is next. answered: the reply is in the log, its calls are open.
 */
export type Cursor = 'boundary' | 'ready' | 'answered';

export type RunState = {
  runId: string;
  startedAt: number;
  /** What the run was asked, in its own words, at most 8 KiB: kept beside every summary. */
  task: string;
  /** First log seq of this run: its messages are everything from here on. */
  firstSeq: number;
  cursor: Cursor;
  /** Turns begun, from 1. */
  turn: number;
  turnOpen: boolean;
  /** Taken from a queue or the prompt; enter the log after the next turn_start. */
  pending: PromptMessage[];
  /** Steering was polled at this boundary. */
  polled: boolean;
  /** Model responses against maxTurns; a follow-up starts it afresh. */
  responses: number;
  /** One last request without tools was decided on, when there were so many `responses`; then the run ends so. */
  final?: { end: RunEnd; responses: number };
  batch: BatchCall[];
  /** The model owes an answer: at the start, and after results that it has not seen. */
  wantsReply: boolean;
  /** Every result of the last batch asked to end the run (LOOP-05). */
  terminated: boolean;
  end?: RunEnd;
  usage: PurposeUsage;
  costUsd: number;
  toolCalls: number;
  /** What earlier runs of the same work have used of its budget: this one continues them. */
  before?: Spent;
  condenses: number;
  loop: LoopRing;
  /** Calls and condenses so far; absent before the first call. */
  trail?: Trail;
  /** The highest count of equal calls the model was warned of; 0 before the first warning. */
  warnedRepeats: number;
  /** Turns in a row in which every call failed, and the highest count the model was warned of; absent: none. */
  failedTurns?: { count: number; warned: number };
  /** The newest; absent: none. */
  changes?: Change[];
  /** `tool:argsDigest` of denied calls: denied again without asking (MODE-06). */
  denied: string[];
  /** The provider refused the last request as too long; once condensed and repeated, a second refusal ends the run. */
  overflow?: 'refused' | 'repeated';
  /** Turn in which a condense was tried and did not happen: not tried again up to its end. */
  condenseTriedAt?: number;
  warnedOfContext?: true;
  /** What it is assembled with, over the start input: the session's as it was accepted, then what its hooks changed. */
  settings: SessionSettings;
  /** What its hooks remember, by their key (ListedHook). */
  hookState?: Record<string, Json>;
  /** The session's own view, while the run works with another (MSG-15). */
  sessionView?: ViewState;
  timedOut?: true;
  /** Sensitivity tags of the results of this run. */
  tags?: string[];
  report?: ReportRef;
  /** Of the first task_complete: the run ends after its batch. */
  completion?: Completion;
  /** Tool calls of children that have ended: they count against the budget. */
  childToolCalls?: number;
  /** ms in which it waited for people: the budget of time leaves them out. Absent: none. */
  waitedMs?: number;
  /** Open steps of the plan were held against a final answer; that happens once. */
  planReminded?: true;
  /** The last reply as the outputSchema judges it; absent: it has calls, or no schema binds it. */
  output?: { seq: number; faults: string[] };
  /** An answer that did not follow the outputSchema was sent back; that happens once for a task. */
  outputAsked?: true;
  /** An answer without the report that was owed was sent back; that happens once. */
  reportAsked?: true;
  /** The final report was taken in the reply of this number: one more answers, and nothing is looked at any more. */
  reportFinal?: { responses: number };
};

/** Outline of a record that left the state: seq, role (user, assistant, result, or never sent), estimated tokens. */
export type ArchivedEntry = [seq: number, role: 'u' | 'a' | 'r' | 'x', tokens: number];

export type LogState = {
  /** Records still held here, oldest first; older ones are in segments. */
  records: LogRecord[];
  nextSeq: number;
  segments: Segment[];
  /** Of archived records that the view still shows, oldest first; absent: none. */
  archived?: ArchivedEntry[];
};

/** A view reducer as it is applied in this epoch, to messages up to `throughSeq`; or what makes the view fit its window. */
export type ViewReduction =
  | { name: ViewReducerName; params: { [key: string]: Json }; throughSeq: number }
  | WindowFit;
export type WindowFit = { name: 'fit_window'; params: FitParams; throughSeq: number };
/** The most tokens of a result's text; `messages`: of each other text, and pictures are left out. Before a vendor's factor. */
export type FitParams = { results: number; messages?: number };

/** Files that the agent has worked with, oldest first. */
export type TouchedFiles = { read: string[]; modified: string[] };

export type ViewState = {
  /** Rises whenever the model's view is no longer an extension of the one before. */
  epoch: number;
  /** First log seq of the view. */
  fromSeq: number;
  /** Last log seq that a model call of this execution has named; later ones are unseen. */
  sentSeq: number;
  /** Last log seq at the last condense: counts of the provider up to it are void. */
  condensedAtSeq: number;
  /** Replaces everything before `fromSeq`, for the rest of the run. */
  replaced?: Message[];
  /** What was folded, in the summariser's words. */
  summary?: string;
  /** The task in its own words, kept beside every summary. */
  task?: string;
  /** Of the condense that made this epoch: where the summary is. */
  strategy?: CondenseStrategyName;
  /** Pinned when this epoch began; later ones are in the view by their own calls. */
  findings?: Finding[];
  /** Calls that were folded when this epoch began. */
  calls?: CallIndex;
  /** The plan as it was when this epoch began, in words; later changes are in the view by their own calls. */
  plan?: string;
  reductions?: ViewReduction[];
  /** Of everything that was folded; kept by strategy token_tail. */
  files?: TouchedFiles;
};

export type AgentState = {
  version: typeof stateVersion;
  sessionId: string;
  /** First 200 characters of the first prompt. */
  task: string;
  status: SessionState;
  log: LogState;
  view: ViewState;
  runs: number;
  run?: RunState;
  /** Of the current or the last run. */
  context?: FrozenContext;
  /** Pinned by the agent, oldest first; absent: none. They outlive runs and condenses. */
  findings?: Finding[];
  /** Calls that a condense may still fold: those since the view began. They outlive runs; a reset ends them. */
  calls?: CallIndex;
  /** What the agent intends to do. It outlives runs and condenses; a reset ends it. */
  plan?: Plan;
  /** Tool groups loaded so far, in that order; absent: none. */
  loadedGroups?: string[];
  /** Skills loaded so far, in that order; absent: none. They outlive runs and condenses. */
  loadedSkills?: string[];
  /** Prefix digest of the last request. */
  sentPrefix?: string;
  /** What gave the context its present prefix. */
  prefixReason?: PrefixReason;
  lastResult?: RunResult;
  /** A run has ended with a report of the agent since the session began, or was reset. */
  reported?: true;
  /** The task of the last run: a condense while idle and a continued run use it. */
  lastTask?: string;
  /** Over all runs. */
  usage: PurposeUsage;
  costUsd: number;
  toolCalls: number;
  errorMessage?: string;
  /** Set since the start; they take effect with the next run. */
  settings?: SessionSettings;
  /** Facts of the messages up to here are in the notes already. */
  flushedSeq?: number;
  /** A person asked for a condense while idle; gone with its condense_end. */
  condenseRequested?: true;
  /** What was added to the budget of the work in hand, and what its runs so far have used. */
  budgetAdded?: Budget;
  budgetSpent?: Spent;
  /** The newest children, oldest first, and every one that runs; absent: there was none. */
  children?: Child[];
  /** Over all runs; not among `toolCalls`. */
  childToolCalls?: number;
  /** How many children each agent of the configuration has had, by its name. */
  childIds?: Record<string, number>;
};

export type ModelReplyFact = Pick<
  CallModelResult,
  'message' | 'digest' | 'calls' | 'costUsd' | 'wasted' | 'outputFaults'
>;

export function newAgentState(sessionId: string): AgentState {
  return {
    version: stateVersion,
    sessionId,
    task: '',
    status: 'idle',
    log: { records: [], nextSeq: 1, segments: [] },
    view: { epoch: 1, fromSeq: 1, sentSeq: 0, condensedAtSeq: 0 },
    runs: 0,
    usage: {},
    costUsd: 0,
    toolCalls: 0,
  };
}

/** Keys of the newest calls, oldest first. */
export type LoopRing = string[];

/** Keys of calls, with marks of condenses and of warnings between them (core/state/circles.ts), oldest first. */
export type Trail = string[];

export type Finding = { id: string; text: string; callId: string };

/**
 * A call whose output is stored. A tuple, because an index travels at every hand-over: the place of its result in the log, its
 * id, one line for people, its key (loop-guard.ts), and its artifact where that does not follow from the id (else empty).
 */
export type IndexedCall = [seq: number, callId: string, summary: string, key: string, artifactId: string];

/** Oldest first; `leftOut` had no room. */
export type CallIndex = { calls: IndexedCall[]; leftOut: number };

/** Room for further texts, in UTF-8 bytes. */
export function findingBytesLeft(findings: readonly Finding[]): number {
  return findings.reduce((left, { text }) => left - utf8Bytes(text), findingsBytes);
}
