// Inputs and outputs of the activities, as they are on the wire and in history. Every byte here is paid
// for once a turn: references instead of texts wherever an activity can find the text.
import type { RunModes } from './agent-spec.ts';
import type { TouchedFiles, ViewReduction } from './agent-state.ts';
import type { BoardAnswer, BoardCallInput } from './board.ts';
import type { HookPoint } from './hook.ts';
import type { HostAnswers, HostsToAsk } from './hosts.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { LogRecord, Message, Usage } from './messages.ts';
import type { ToolChoice } from './model-call.ts';
import type { ReportRef, RunOutput } from './run-result.ts';
import type { SessionInput } from './session-input.ts';
import type { PolicyDecision, PolicyTier, ToolEffect, ToolSpec } from './tool-spec.ts';
import type {
  ArchiveSegmentInput,
  CompleteReportInput,
  LoadCheckpointInput,
  LoadedCheckpoint,
  ReadOutputInput,
  SaveCheckpointInput,
  SaveResultInput,
  SavedCheckpoint,
  SavedResult,
} from './storage-contracts.ts';
import type {
  FlushMemoryInput,
  SaveIncidentInput,
  SearchMemoryInput,
  SearchMemoryResult,
} from './memory-contracts.ts';
import type { FrozenContext, Segment } from './frozen-context.ts';
import type { FindReflectionsInput, WriteReflectionInput } from './reflections.ts';
import type { CallModelResult } from './call-results.ts';

/** What a worker must have to take a task that others have handed back. */
export type WorkerNeed =
  | { start: AssembleContextInput }
  | { contextDigest: string }
  /** The tool, and a way to read what the run was frozen with. */
  | { tool: string; contextDigest: string };

export type AssembleContextInput = {
  sessionId: string;
  runId: string;
  input: SessionInput;
  /** Tool groups that stay loaded from run to run, in the order in which they were loaded. */
  loadedGroups?: string[];
  /** Skills that the session has loaded so far. */
  loadedSkills?: string[];
  /** Of a run whose settings change in the middle: what it began with stays. */
  begun?: BegunWith;
  /** In words, where the agent has it in its system prompt. */
  plan?: string;
  /** What the hosts have said that the agent works on. */
  hosts?: HostAnswers;
};

/** What differs from worker to worker in a frozen context, beside the parts. */
export type BegunWith = Pick<
  FrozenContext,
  'access' | 'machine' | 'functions' | 'artifactStore' | 'sourceDigests' | 'skills'
> & {
  /** Absent: the prompt is assembled anew, from its sources as they are now. */
  prompt?: Pick<FrozenContext, 'systemPrompt' | 'promptSections'>;
  /** Fixed for the run, whatever the worker's own agents say. */
  modes?: RunModes;
};

export type ResolveToolGroupsInput = { sessionId: string; contextDigest: string; groups: string[] };

/** What loading groups does to the frozen context: these tools after its own, under these digests. */
export type LoadedTools = { groups: string[]; tools: ToolSpec[]; digest: string; prefixDigest: string };

/** `text` is for the model; without `loaded` nothing changes. */
export type ResolveToolGroupsResult = { text: string; isError?: boolean; loaded?: LoadedTools };

/** Skills of the run, by name. */
export type ReadSkillsInput = { sessionId: string; contextDigest: string; names: string[] };

/** In the order of the input; `unread` are those that could not be read, each with the reason. */
export type ReadSkillsResult = { read: SkillText[]; unread: { name: string; reason: string }[] };
export type SkillText = { name: string; text: string };

/** A position in the view: its epoch, the first log seq it shows, and the last one. */
export type ViewPosition = { epoch: number; fromSeq: number; toSeq: number };

/** A message the model has not seen: a digest into the worker's cache, or the record itself where no activity made it. */
export type UnseenMessage =
  | { seq: number; digest: string }
  | { seq: number; record: LogRecord }
  | { seq: number };

export type CallModelInput = {
  sessionId: string;
  runId: string;
  turn: number;
  contextDigest: string;
  view: ViewPosition;
  unseen: UnseenMessage[];
  toolChoice: ToolChoice;
  /** Temporal's id of the execution before, in the first turn after a hand-over: what a worker knows from it is true. */
  continuedFrom?: string;
  /** Of a call that was handed back for good: what its attempts have used up stays used up. */
  ledger?: ModelLedger;
};

/** Heartbeat details of callModel: read by the next attempt, and by watchers through `describe`. */
export type CallModelHeartbeat = {
  turn: number;
  /** For watchers: the run, and the place of the reply in the log. */
  runId?: string;
  messageSeq?: number;
  attempt: number;
  /** The newest 2 KiB of the text so far. */
  partial: string;
  ledger: ModelLedger;
};
/** What the attempts of one model call have used up; passes from attempt to attempt in the heartbeat. */
export type ModelLedger = {
  failures: number;
  /** Server time in ms; absent before the first failure. */
  firstFailureAt?: number;
  /** Waits and failed attempts after the first failure, in ms: what the retry window counts. Lost workers add nothing. */
  spentMs?: number;
  /** Shown to people, e.g. "rate-limited until 12:03:10". */
  lastFailure?: string;
  wasted?: Usage;
  /** What `wasted` cost, by the prices of the models that spent it. */
  wastedUsd?: number;
  /** Which of the agent's models is asked: 0 is the first. Absent before one gave up. */
  model?: number;
};

/** Input of every `tool.<name>` activity. */
export type ToolCallInput = {
  sessionId: string;
  runId: string;
  turn: number;
  callId: string;
  args: Json;
  /** Must equal the digest of the canonical JSON of `args`, or nothing is executed. */
  argsDigest: string;
  /** Present when a person approved exactly these arguments. */
  approvedBy?: string;
  /** Sensitivity tags of the results so far; absent without any. */
  tags?: string[];
  /** As the tool's facts named it when the call was prepared. */
  basis?: string;
  /** Characters of result text that go back to the model. Absent: the default of 32,000. */
  resultCap?: number;
  /** The position in the log, for tools that read their own session's transcript. */
  view: ViewPosition;
  /** In place of the call's own: it may have run in another session, under that one's key. */
  idempotencyKey?: string;
  /** Present where nothing of a running call is shown. */
  live?: false;
  /** Names the frozen context, whose access and store hold for the call too. */
  contextDigest: string;
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
export type EvaluatePolicyInput = {
  sessionId: string;
  runId: string;
  turn: number;
  contextDigest: string;
  /** What the run was asked, cut. */
  task: string;
  /** Sensitivity tags of the results so far. */
  tags: string[];
  /** `effect`: of a call on a host, as that host has said it. */
  calls: { callId: string; tool: string; args: Json; effect?: ToolEffect }[];
};
export type PolicyDecided = { callId: string; decision: PolicyDecision; tier: PolicyTier; reason?: string };
export type EvaluatePolicyResult = { verdicts: PolicyDecided[]; usage?: Usage; costUsd?: number };

/** Folds the view from `fromSeq` to `toSeq`, with the summary before it, into a new one. */
export type SummarizeInput = {
  sessionId: string;
  runId: string;
  turn: number;
  contextDigest: string;
  /** The view up to the last message that is folded. */
  view: ViewPosition;
  /** From here on a summary of its own. */
  splitFromSeq?: number;
};
export type SummarizeResult = {
  summary: string;
  usage: Usage;
  costUsd: number;
  /** What the folded calls have read and modified, where the strategy asks for it. */
  files?: TouchedFiles;
};

/** One question beside the loop, without tools, to the model of its purpose. */
export type AskModelInput = {
  sessionId: string;
  runId: string;
  turn: number;
  contextDigest: string;
  purpose: 'planner' | 'extract';
  system: string;
  prompt: string;
  /** Messages that go before the prompt as plain text; the activity reads them. */
  view?: ViewPosition;
  /** Of the view only the messages from here on, without the summary before them. */
  fromSeq?: number;
  /** The tools of the run go before it too, each in a sentence. */
  tools?: true;
  /** Of the answer. One that does not fit is asked for once more, with twice the room. */
  maxTokens: number;
};
export type AskModelResult = { text: string; usage: Usage; costUsd: number };

/** The task in hand in its own words, and the summary so far. */
export type SummaryNotes = { task: string; summary?: string };
/** A hook of the user's own at one point; what it reads of the log is named by position. */
export type RunHookInput = {
  sessionId: string;
  runId: string;
  turn: number;
  contextDigest: string;
  view: ViewPosition;
  hook: string;
  params: JsonObject;
  point: HookPoint;
  /** Without what the worker finds in the view (core/hooks/hook-wire). */
  input: JsonObject;
  state?: Json;
};
/** `state` is what the hook wants to find at its next call in this run. */
export type RunHookResult = { output?: object; state?: Json };

/** One page of the internal query getView, and of getMessages. */
export type ViewPage = {
  epoch: number;
  /** Messages before the records in this epoch and are not in the log (summary, pinned findings). */
  head: Message[];
  /** Of getView: the text behind the frozen system prompt in this epoch. */
  system?: string;
  /** Of getView: how the results of this epoch are shortened. */
  reductions?: ViewReduction[];
  /** Of getView: what a summariser must know beside the messages. */
  notes?: SummaryNotes;
  /** Stored stretches before the first record served from state; the reader loads them from the store. */
  segments: Segment[];
  records: LogRecord[];
  /** Present when the page was cut at 1 MiB: ask again from here. */
  nextSeq?: number;
};

/** `artifactId` is the Markdown form of the report. */
export type DescribeReportInput = { sessionId: string; artifactId: string };

/** Activity names and signatures that the workflow schedules. Tools come on top as `tool.<name>`. */
export type Activities = {
  assembleContext(input: AssembleContextInput): Promise<FrozenContext | HostsToAsk>;
  callModel(input: CallModelInput): Promise<CallModelResult>;
  summarize(input: SummarizeInput): Promise<SummarizeResult>;
  askModel(input: AskModelInput): Promise<AskModelResult>;
  searchMemory(input: SearchMemoryInput): Promise<SearchMemoryResult>;
  flushMemory(input: FlushMemoryInput): Promise<void>;
  saveIncident(input: SaveIncidentInput): Promise<void>;
  evaluatePolicy(input: EvaluatePolicyInput): Promise<EvaluatePolicyResult>;
  resolveToolGroups(input: ResolveToolGroupsInput): Promise<ResolveToolGroupsResult>;
  readSkills(input: ReadSkillsInput): Promise<ReadSkillsResult>;
  runHook(input: RunHookInput): Promise<RunHookResult>;
  archiveSegment(input: ArchiveSegmentInput): Promise<Segment>;
  readOutput(input: ReadOutputInput): Promise<RunOutput>;
  /** Adds what code knows of a run to its report, or makes one. Answers with what is stored. */
  completeReport(input: CompleteReportInput): Promise<ReportRef>;
  saveResult(input: SaveResultInput): Promise<SavedResult>;
  saveCheckpoint(input: SaveCheckpointInput): Promise<SavedCheckpoint>;
  loadCheckpoint(input: LoadCheckpointInput): Promise<LoadedCheckpoint>;
  /** Of a stored report, for the agent that checks it. */
  describeReport(input: DescribeReportInput): Promise<string>;
  /** Answers with the name of the note. */
  writeReflection(input: WriteReflectionInput): Promise<string>;
  /** The texts of the notes, newest first. */
  findReflections(input: FindReflectionsInput): Promise<string[]>;
  /** To another workflow: a refusal of it is an answer. */
  boardCall(input: BoardCallInput): Promise<BoardAnswer>;
  /** Resolves on the first worker that has what is needed; every other one hands it back. */
  awaitWorker(need: WorkerNeed): Promise<void>;
};
