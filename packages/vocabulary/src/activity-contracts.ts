// Inputs and outputs of the activities, as they are on the wire and in history. Every byte here is paid
// for once a turn: references instead of texts wherever an activity can find the text.
import type { RunModes } from './agent-spec.ts';
import type { PaidFailure } from './call-results.ts';
import type { TouchedFiles, ViewReduction } from './agent-state.ts';
import type { HookPoint } from './hook.ts';
import type { HostAnswers } from './hosts.ts';
import type { Json, JsonObject } from '@holdfast/base/json';
import type { LogRecord, Message, Usage } from './messages.ts';
import type { ToolChoice } from './model-call.ts';
import type { SessionInput } from './session-input.ts';
import type { PolicyDecision, PolicyTier, ToolEffect, ToolSpec } from './tool-spec.ts';
import type { FrozenContext, Segment } from './frozen-context.ts';
import type { StoredPlace } from './storage-contracts.ts';

/** The turn of a call. `contextDigest` names the frozen context, whose access and store apply, too. */
export type InTurn = { sessionId: string; runId: string; turn: number; contextDigest: string };

/** The parts that a worker must have to take a task that others have handed back. */
export type WorkerNeed =
  | { start: AssembleContextInput }
  | { contextDigest: string }
  /** The worker must have the tool, and be able to read the frozen context. */
  | { tool: string; contextDigest: string };

export type AssembleContextInput = StoredPlace & {
  runId: string;
  input: SessionInput;
  /** Tool groups that stay loaded from run to run, in loading order. */
  loadedGroups?: string[];
  /** Skills that the session has loaded so far. */
  loadedSkills?: string[];
  /** Set if the settings of a run change while it runs: the parts that it began with stay. */
  begun?: BegunWith;
  /** The plan in words, if the agent has it in its system prompt. */
  plan?: string;
  /** The answers of the hosts that the agent works on. */
  hosts?: HostAnswers;
};

/** The part of a frozen context that differs from worker to worker. */
export type BegunWith = Pick<
  FrozenContext,
  'access' | 'machine' | 'functions' | 'artifactStore' | 'sourceDigests' | 'skills'
> & {
  /** Absent: the prompt is assembled anew, from the current sources. */
  prompt?: Pick<FrozenContext, 'systemPrompt' | 'promptSections'>;
  /** Fixed for the run, even if the worker's own agents differ. */
  modes?: RunModes;
};

export type ResolveToolGroupsInput = { sessionId: string; contextDigest: string; groups: string[] };

/** Tools to append to those of the frozen context, with the new digests. */
export type LoadedTools = { groups: string[]; tools: ToolSpec[]; digest: string; prefixDigest: string };

/** `text` is for the model; without `loaded` nothing changes. */
export type ResolveToolGroupsResult = { text: string; isError?: boolean; loaded?: LoadedTools };

/** Skills of the run, by name. */
export type ReadSkillsInput = { sessionId: string; contextDigest: string; names: string[] };

/** In the order of the input; `unread` has the skills that could not be read, with reasons. */
export type ReadSkillsResult = { read: SkillText[]; unread: { name: string; reason: string }[] };
export type SkillText = { name: string; text: string };

/** A position in the view: its epoch, the first log seq in it, and the last one. */
export type ViewPosition = { epoch: number; fromSeq: number; toSeq: number };

/**
 * A message that the model has not seen: a digest into the worker's cache, or the record itself if no activity made it.
 */
export type UnseenMessage =
  | { seq: number; digest: string }
  | { seq: number; record: LogRecord }
  | { seq: number };

export type CallModelInput = InTurn & {
  view: ViewPosition;
  unseen: UnseenMessage[];
  toolChoice: ToolChoice;
  /**
   * Temporal's id of the execution before, in the first turn after a hand-over: a worker's cache of it still applies.
   */
  continuedFrom?: string;
  /** The usage of earlier attempts of a call that was handed back for good; it still counts. */
  ledger?: ModelLedger;
  /** Data that the run's hooks share; absent: none. */
  hookData?: JsonObject;
};

/** Heartbeat details of callModel: read by the next attempt, and by watchers through `describe`. */
export type CallModelHeartbeat = {
  turn: number;
  /** Run and place of the reply in the log, for watchers. */
  runId?: string;
  messageSeq?: number;
  attempt: number;
  /** The newest 32 KiB of the text so far. */
  partial: string;
  /** UTF-16 units of the text before them. Absent: none. */
  partialFrom?: number;
  ledger: ModelLedger;
};
/** The usage of all attempts of one model call; passed from attempt to attempt in the heartbeat. */
export type ModelLedger = {
  failures: number;
  /** Server time in ms; absent before the first failure. */
  firstFailureAt?: number;
  /**
   * Waits and failed attempts after the first failure, in ms, counted for the retry window. Lost workers add nothing.
   */
  spentMs?: number;
  /** Shown to people, e.g. "rate-limited until 12:03:10". */
  lastFailure?: string;
  wasted?: Usage;
  /** Cost of `wasted`, by the prices of the models that used it. */
  wastedUsd?: number;
  /** Index of the agent's model to ask: 0 is the first. Absent before one gave up. */
  model?: number;
};

/** Input of every `tool.<name>` activity. */
export type ToolCallInput = InTurn & {
  callId: string;
  args: Json;
  /** Must equal the digest of the canonical JSON of `args`, or nothing is executed. */
  argsDigest: string;
  /** Present when a person approved exactly these arguments. */
  approvedBy?: string;
  /** Sensitivity tags of the results so far; absent without any. */
  tags?: string[];
  /** The basis from the tool's facts when the call was prepared. */
  basis?: string;
  /** Characters of result text for the model. Absent: the default of 32,000. */
  resultCap?: number;
  /** The position in the log, for tools that read their own session's transcript. */
  view: ViewPosition;
  /** Replaces the call's own key: it may have run in another session, under that session's key. */
  idempotencyKey?: string;
  /** Number of the same `once` calls that the session has begun before. Absent: none. */
  sameBefore?: number;
  /** Present if a running call must not be shown. */
  live?: false;
};

/** Heartbeat details of a tool activity. */
export type ToolHeartbeat = {
  runId: string;
  turn: number;
  callId: string;
  attempt: number;
  partial?: string;
};

/** Calls that the static rules do not deny, for the further tiers of the policy. */
export type EvaluatePolicyInput = InTurn & {
  /** The task of the run, cut. */
  task: string;
  /** Sensitivity tags of the results so far. */
  tags: string[];
  /** `effect`: for a call on a host, the effect that the host reported. */
  calls: { callId: string; tool: string; args: Json; effect?: ToolEffect }[];
};
export type PolicyDecided = { callId: string; decision: PolicyDecision; tier: PolicyTier; reason?: string };
export type EvaluatePolicyResult = { verdicts: PolicyDecided[]; usage?: Usage; costUsd?: number };

/** Folds the view from `fromSeq` to `toSeq`, with the summary before it, into a new one. */
export type SummarizeInput = InTurn & {
  /** The view up to the last message that is folded. */
  view: ViewPosition;
  /** From here on, the folded messages get a summary of their own. */
  splitFromSeq?: number;
};
export type SummarizeResult = {
  summary: string;
  usage: Usage;
  costUsd: number;
  /** The files that the folded calls have read and modified, if the strategy tracks them. */
  files?: TouchedFiles;
};

/** One question beside the loop, without tools, to the model of its purpose. */
export type AskModelInput = InTurn & {
  purpose: 'planner' | 'extract';
  system: string;
  prompt: string;
  /** Messages shown as plain text before the prompt; the activity reads them. */
  view?: ViewPosition;
  /** First message of the view to show, without the summary before it. */
  fromSeq?: number;
  /** Lists the tools of the run before the prompt, each in a sentence. */
  tools?: true;
  /** Limit for the answer. A longer one is asked for once more, with twice the room. */
  maxTokens: number;
};
export type AskModelResult = { text: string; usage: Usage; costUsd: number };

/** The current task in its own words, and the summary so far. */
export type SummaryNotes = { task: string; summary?: string };
/** A user's own hook at one point; the parts that it reads from the log are named by position. */
export type RunHookInput = InTurn & {
  view: ViewPosition;
  hook: string;
  params: JsonObject;
  point: HookPoint;
  /** Without the parts that the worker finds in the view (core/loop/hooks.ts). */
  input: JsonObject;
  state?: Json;
  /** Data that the run's hooks share; absent: none. */
  data?: JsonObject;
  /** The budget of the run is used up: a hook asks no model any more. */
  spent?: true;
};
/** `state` is kept for the hook's next call in this run, `data` for all hooks; `paid` is the cost of its questions. */
export type RunHookResult = { output?: object; state?: Json; data?: JsonObject; paid?: PaidFailure };

/** One page of the internal query getView, and of getMessages. */
export type ViewPage = {
  epoch: number;
  /** Messages before the records that are not in the log in this epoch (summary, pinned findings). */
  head: Message[];
  /** For getView: the text after the frozen system prompt in this epoch. */
  system?: string;
  /** For getView: the reductions of results in this epoch. */
  reductions?: ViewReduction[];
  /** For getView: notes for a summariser beside the messages. */
  notes?: SummaryNotes;
  /** Stored stretches before the first record from the state; the reader loads them from the store. */
  segments: Segment[];
  records: LogRecord[];
  /** Present if the page was cut at 1 MiB: ask again from here. */
  nextSeq?: number;
};

/** The end of a session for others; without `answer` it left no result. */
export type SessionEnd = { outcome: string; costUsd: number; answer?: string };

/** `records` are alerts with their fates, as core/alerts shows them. */
export type ArchiveFatesInput = { group: string; page: string; records: readonly object[] };

/** `artifactId` is the Markdown form of the report. */
export type DescribeReportInput = { sessionId: string; artifactId: string };
