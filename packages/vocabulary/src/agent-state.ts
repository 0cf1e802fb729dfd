// The state of a session as plain, versioned data. The state alone decides the next step, so continuing as new,
// resuming and forking all load a state and continue. Only core/state/reduce.ts makes new states.
import type { CallModelResult, ToolCallResult } from './call-results.ts';
import type { FrozenContext, Segment } from './frozen-context.ts';
import type { Budget, CondenseStrategyName, ViewReducerName, SessionSettings } from './agent-spec.ts';
import type { PrefixReason, SessionState } from './events.ts';
import type { Json, JsonObject } from '@holdfast/base/json';
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
import type { Hypothesis } from './hypotheses.ts';
import type { Plan } from './plan.ts';
import type { PreparedCall } from './tool-spec.ts';
import type { Failure } from '@holdfast/base/failures';
import { cutText } from '@holdfast/base/cut-text';
import { findingsBytes, utf8Bytes } from '@holdfast/base/sizes';

/** Raised with every change of a state's shape; a state of another version is refused. */
export const stateVersion = 1;

/** The answer to one call: from its activity, or written by the workflow if there was none (then without a digest). */
export type ToolAnswer = Omit<ToolCallResult, 'digest'> & { digest?: string };

/** One call of the current batch. */
export type BatchCall = {
  call: ToolCallPart;
  prepared: PreparedCall;
  started: boolean;
  /** The policy's further tiers have judged the call. */
  evaluated?: true;
  /** The call's host has judged it. */
  inspected?: true;
  /** Start of the work on the call: workflow time in ms. */
  begunAt?: number;
  answer?: ToolAnswer;
  decided?: CallDecision;
  ran?: CallTimes;
  /** The call exceeds the budget: it does not run, and does not count. */
  overBudget?: true;
  /** Set for a call from another session: it may have run under this key. */
  idempotencyKey?: string;
};

/** `why`: a question's end, in words for the model. Absent: the policy's denial, which holds for the whole run. */
export type Denial = { why?: string };
/** `key` is `tool:argsDigest`. Once a person is `heard` the call is asked again. */
export type DeniedCall = Denial & { key: string; heard?: true };

/** The amounts that count against a budget. */
export type Spent = Required<Budget>;

/** The end that a run is going to have; set once, then the loop closes all open parts and ends the run. */
export type RunEnd = {
  status: RunStatus;
  cause?: RunCause;
  error?: Failure;
  /** In place of the last reply's text: a hook has changed the answer. */
  answer?: string;
  /** The output limit has cut the last reply. */
  answerCut?: true;
};

/**
 * The place of a run inside a turn. boundary: between turns, the only place to poll, hand over or end. ready: the turn
 * has its messages, the model is next. answered: the reply is in the log, its calls are open.
 */
export type Cursor = 'boundary' | 'ready' | 'answered';

export type RunState = {
  runId: string;
  startedAt: number;
  /** The task in its own words, at most 8 KiB: kept beside every summary. */
  task: string;
  /** First log seq of this run: all messages from here on belong to it. */
  firstSeq: number;
  cursor: Cursor;
  /** Number of turns begun. */
  turn: number;
  turnOpen: boolean;
  /** Messages taken from a queue or the prompt; they enter the log after the next turn_start. */
  pending: PromptMessage[];
  /** Steering was polled at this boundary. */
  polled: boolean;
  /** Model responses counted against loop.maxTurns; a follow-up resets the count. */
  responses: number;
  /** One last request without tools was decided on after `responses` replies; then the run has this end. */
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
  /** The amounts that earlier runs of the same work have used of its budget. */
  before?: Spent;
  condenses: number;
  failedCondenses?: number;
  loop: LoopRing;
  /** Calls and condenses so far; absent before the first call. */
  trail?: Trail;
  /** The highest number of equal calls that the model was warned of; 0 before the first warning. */
  warnedRepeats: number;
  /** Turns in a row in which every call failed, and the highest number that the model was warned of; absent: none. */
  failedTurns?: { count: number; warned: number };
  /** The last turns with calls; absent before the first one in which every call failed. */
  recentTurns?: TurnRing;
  /** The newest changes; absent: none. */
  changes?: Change[];
  /** Calls that were denied, or not answered (MODE-06). */
  denied: DeniedCall[];
  /** Time at which the run has last read words of a person. */
  heardAt?: number;
  /**
   * The provider refused the last request as too long. A refusal after the condense and the repeated request ends the
   * run.
   */
  overflow?: 'refused' | 'repeated';
  /** Turn up to which no further condense is tried, because one was tried without effect. */
  condenseTriedAt?: number;
  /** First turn in which a full window is condensed again; `futile`: condenses in a row that failed, or were due at once. */
  condensePause?: { until: number; futile: number };
  warnedOfContext?: true;
  /** Settings over the start input: the session's when the run was accepted, then the changes of hooks. */
  settings: SessionSettings;
  /** State of the run's hooks, by their key (ListedHook). */
  hookState?: Record<string, Json>;
  /** Data that the run's hooks share. */
  hookData?: JsonObject;
  /** The answer of a hook at the start of the run, in place of the model's. */
  given?: { hook: string; text: string };
  /** Number of answers that hooks have sent back. */
  retried?: number;
  /** The session's own view, while the run works with another (MSG-15). */
  sessionView?: ViewState;
  timedOut?: true;
  /** Sensitivity tags of the results of this run. */
  tags?: string[];
  report?: ReportRef;
  /** The first task_complete: the run ends after its batch. */
  completion?: Completion;
  /** Tool calls of ended children: they count against the budget. */
  childToolCalls?: number;
  /** Time of waiting for people in ms, which does not count for the time budget. Absent: none. */
  waitedMs?: number;
  /** Open steps of the plan were held against a final answer; that happens once. */
  planReminded?: true;
  /** The outputSchema's verdict on the last reply, if it has no calls. `at`: the place of a value among words. */
  output?: { seq: number; faults: string[]; at?: [from: number, to: number] };
  /** An answer that broke the outputSchema was sent back; that happens once for a task. */
  outputAsked?: true;
  /** An answer without the owed report was sent back; that happens once. */
  reportAsked?: true;
  /** The final report came in the reply of this number: one more reply follows, and no call runs any more. */
  reportFinal?: { responses: number };
};

/** Outline of a record that left the state: seq, role (user, assistant, result, or never sent), estimated tokens. */
export type ArchivedEntry = [seq: number, role: 'u' | 'a' | 'r' | 'x', tokens: number];

export type LogState = {
  /** Records in the state, oldest first; older ones are in segments. */
  records: LogRecord[];
  nextSeq: number;
  segments: Segment[];
  /** Outline of archived records that the view still shows, oldest first; absent: none. */
  archived?: ArchivedEntry[];
};

/**
 * A view reducer as applied in this epoch to messages up to `throughSeq`, or the cut that fits the view to its window.
 */
export type ViewReduction =
  | { name: ViewReducerName; params: { [key: string]: Json }; throughSeq: number }
  | WindowFit;
export type WindowFit = { name: 'fit_window'; params: FitParams; throughSeq: number };
/**
 * Largest number of tokens of a result's text; `messages`: of each other text, without images. Before a vendor's
 * factor.
 */
export type FitParams = { results: number; messages?: number };

/** Files that the agent has read or modified, oldest first. */
export type TouchedFiles = { read: string[]; modified: string[] };

export type ViewState = {
  /** Rises whenever the model's view is no longer an extension of the earlier one. */
  epoch: number;
  /** First log seq of the view. */
  fromSeq: number;
  /** Last log seq that a model call of this execution has named; later ones are unseen. */
  sentSeq: number;
  /** Last log seq at the last condense: counts of the provider up to it are void. */
  condensedAtSeq: number;
  /** Replaces everything before `fromSeq`, for the rest of the run. */
  replaced?: Message[];
  /** The summary of the folded messages. */
  summary?: string;
  /** The task in its own words, kept beside every summary. */
  task?: string;
  /** Strategy of the condense that made this epoch: it decides the place of the summary. */
  strategy?: CondenseStrategyName;
  /** Findings at the beginning of this epoch; later ones are in the view by their own calls. */
  findings?: PinnedFinding[];
  /** Calls that were folded when this epoch began. */
  calls?: CallIndex;
  /** Words of people that were folded when this epoch began, as one text. */
  said?: string;
  /** Time, machine and limits at the beginning of this epoch, as before a run's first message. */
  place?: string;
  /** The plan in words at the beginning of this epoch; later changes are in the view by their own calls. */
  plan?: string;
  /** The hypotheses in words at the beginning of this epoch; later changes are in the view by their own calls. */
  hypotheses?: string;
  reductions?: ViewReduction[];
  /** Skills whose text has come into this epoch, by the first digits of their digest; an older one may have been folded. */
  skills?: string[];
  /** Files of everything that was folded; kept by strategy token_tail. */
  files?: TouchedFiles;
};

export type AgentState = {
  version: typeof stateVersion;
  sessionId: string;
  /** Name of the session in the store; absent: it has none yet, because no run has begun. */
  storedAs?: string;
  /** First 200 characters of the newest task. */
  task: string;
  status: SessionState;
  log: LogState;
  view: ViewState;
  runs: number;
  run?: RunState;
  /** Context of the current or the last run. */
  context?: FrozenContext;
  /** Findings pinned by the agent, oldest first; absent: none. They outlive runs and condenses. */
  findings?: PinnedFinding[];
  takenBack?: TakenBack[];
  /** Number of the last message that a reset has cleared; absent: there was no reset. */
  clearedSeq?: number;
  /** Newest words of people since the start or the last reset, oldest first; absent: none. They outlive runs and condenses. */
  said?: SaidLine[];
  /** Workflow time in ms at which the model was last told the time. */
  toldAt?: number;
  /** Calls since the view began, which a condense may still fold. They outlive runs; a reset ends them. */
  calls?: CallIndex;
  /** The agent's plan. It outlives runs and condenses; a reset ends it. */
  plan?: Plan;
  /** The agent's hypotheses, oldest first; absent: none. They outlive runs and condenses; a reset ends them. */
  hypotheses?: Hypothesis[];
  /** Tool groups loaded so far, in that order; absent: none. */
  loadedGroups?: string[];
  /** Skills loaded so far, in that order; absent: none. They outlive runs and condenses. */
  loadedSkills?: string[];
  /** Prefix digest of the last request. */
  sentPrefix?: string;
  /** The cause of the context's current prefix. */
  prefixReason?: PrefixReason;
  lastResult?: RunResult;
  /** A run since the start or the last reset ended with a report of the agent. */
  reported?: true;
  /** The task of the last run: a condense while idle and a continued run use it. */
  lastTask?: string;
  /** Usage of all runs together. */
  usage: PurposeUsage;
  costUsd: number;
  toolCalls: number;
  errorMessage?: string;
  /** Settings changed since the start; they take effect with the next run. */
  settings?: SessionSettings;
  /** Place up to which the facts of messages are already in the notes. */
  flushedSeq?: number;
  /** A person requested a condense while idle; cleared by its condense_end. */
  condenseRequested?: true;
  /** Additions to the budget of the current work, and the amounts that its runs have used. */
  budgetAdded?: Budget;
  budgetSpent?: Spent;
  /** The newest children, oldest first, and every running one; absent: none. */
  children?: Child[];
  /** Tool calls of children in all runs; not included in `toolCalls`. */
  childToolCalls?: number;
  /** Number of children so far of each agent of the configuration, by its name. */
  childIds?: Record<string, number>;
  /** Number of `once` calls begun so far, by tool and arguments, of the newest 500 kinds. A reset keeps them. */
  begunOnce?: Record<string, number>;
};

/** Without a digest if no worker holds the message. */
export type ModelReplyFact = Pick<
  CallModelResult,
  'message' | 'calls' | 'costUsd' | 'wasted' | 'outputFaults' | 'outputAt'
> & { digest?: string };

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

/** One letter a turn, oldest first, and the highest number of failed ones that the model was warned of. */
export type TurnRing = { marks: string; warned: number };

/** Keys of calls, with marks of condenses and warnings between them (core/state/circles.ts), oldest first. */
export type Trail = string[];

export type PinnedFinding = { id: string; text: string; callId: string };
/** A finding that no longer holds, its text cut; `by` is the finding in its place, or a person. */
export type TakenBack = PinnedFinding & { by: string };

/** Words of a person as a line with who and when, after their place in the log; `taskOf` is the run whose task they are. */
export type SaidLine = [seq: number, words: string, taskOf?: string];

/**
 * A call whose output is stored. A tuple, because an index travels at every hand-over: the place of its result in the
 * log, its id, one line for people, its key (loop-guard.ts), and its artifact if that does not follow from the id (else
 * empty).
 */
export type IndexedCall = [seq: number, callId: string, summary: string, key: string, artifactId: string];

/** Oldest first; `leftOut` counts the calls without room. */
export type CallIndex = { calls: IndexedCall[]; leftOut: number };

/** The name under which a session stores: its id, unless an earlier session had that. */
export function storedIdOf({ storedAs, sessionId }: Pick<AgentState, 'storedAs' | 'sessionId'>): string {
  return storedAs ?? sessionId;
}

export function noFinding(id: string, { findings = [] }: Pick<AgentState, 'findings'>): string {
  const known = findings.map((one) => `${one.id} (${cutText(one.text, 60)})`).join(', ') || 'none';
  return `no finding is pinned as ${cutText(id, 60)}; pinned: ${known}.`;
}

/** Bytes (UTF-8) left for the texts of further findings. */
export function findingBytesLeft(findings: readonly PinnedFinding[]): number {
  return findings.reduce((left, { text }) => left - utf8Bytes(text), findingsBytes);
}
