// The answers of a session's queries. Everything here is derived from state; nothing is stored for it. Types only.
import type { AllowanceScope, SessionState, WaitingFor } from './events.ts';
import type { Failure } from '@holdfast/base/failures';
import type { ModelRef, UserMessage } from './messages.ts';
import type { Child } from './children.ts';
import type { Completion, PurposeUsage, RunCause, RunStatus } from './run-result.ts';
import type { LiveHypothesis } from './hypotheses.ts';
import type { Plan } from './plan.ts';
import type { Budget, DrainMode } from './agent-spec.ts';
import type { ThinkingLevel } from './model-call.ts';
import type { AgentMode, ToolEffect } from './tool-spec.ts';

/** The state of a steering message or follow-up (QUEUE-18). */
export type Receipt = {
  /** Id of the message, given by its sender. */
  id: string;
  /** The queue that took it. */
  queue: 'steering' | 'followUp';
  /**
   * `forwarded`: passed on to the subagent `to`, whose session has the later receipt. `refused`: not taken, for
   * `reason`; it can be sent again under its id.
   */
  state: 'queued' | 'delivered' | 'cancelled' | 'cleared' | 'undelivered' | 'forwarded' | 'refused';
  /**
   * For a queued message in the answer of getReceipt: the run in progress reads it, the next one, or none.
   * `run_if_answered`: the run in progress, if the reply on its way, for which it has no turn after, makes no calls.
   */
  readIn?: 'run' | 'run_if_answered' | 'next_run' | 'no_run';
  /** The wait that comes first: the run reads the message after it. */
  after?: WaitingFor;
  /** Code of the refusal, e.g. `QueueFull`. */
  reason?: string;
  /** Instance name of the subagent that got the message. */
  to?: string;
  /** The run that took it. */
  runId?: string;
  /** The turn that took it. */
  turn?: number;
};

/** A steering message or follow-up that no turn has taken yet. */
export type QueuedText = {
  /** Id of the message, given by its sender. */
  id: string;
  /** The queue that holds it. */
  queue: 'steering' | 'followUp';
  /** Its words, at most 500 characters; images are left out. */
  text: string;
};

export type PendingApproval = {
  /** Id of the call. */
  id: string;
  /** Name of the tool. */
  tool: string;
  /** The whole arguments: compact JSON with invisible characters escaped and secrets masked. */
  args: string;
  /** `args` has a masked secret. */
  masked?: true;
  /** The arguments without the mask, if there is one: only in the answer of pendingApprovals of the session itself. */
  unmaskedArgs?: string;
  /** Sent back with an answer, it binds the answer to these arguments. */
  argsDigest: string;
  /** Effect of the call, which decides its fate if the worker that runs it is lost. */
  effect: ToolEffect;
  /** One line for people, e.g. `systemctl restart shop`. */
  summary: string;
  /** The reason for asking. */
  reason?: string;
  /** The parts that change something, gravest first, in a call with several parts. */
  changes?: string;
  /** Preview by the tool itself, e.g. a diff, or a command as it will run. */
  preview?: string;
  /** Turn of the call. */
  turn: number;
  /** Start of the wait: workflow time in ms. */
  requestedAt: number;
  /** Workflow time (ms) at which the wait ends, at the latest with the run. */
  deadline: number;
  /** Time of its escalation (approvals.escalateAfterMs of the agent). */
  escalatedAt?: number;
  /** Scopes in which an approval may be remembered. */
  rememberable: AllowanceScope[];
  /** The subagent that made the call; its id is then `<instance name>/<call id>`, with one name more at every level. */
  child?: ChildRef;
  /** Too long for the parent: the subagent's session has the whole call, and it can be approved only there. */
  isCut?: true;
};

/** A subagent, named from a session above it. */
export type ChildRef = {
  /** Instance names from the top, e.g. `triage-pool-1/log-analyst-db-1`. */
  name: string;
  /** Id of its session. */
  sessionId: string;
};

/** Approvals and questions of a session and its subagents; `many` if they are too large for a memo. */
export type WaitingNote = { approvals: PendingApproval[]; questions: PendingQuestion[] } | 'many';

/** A question of the tool ask_human. */
export type PendingQuestion = {
  /** Id of the call. */
  id: string;
  /** Question of the agent. */
  question: string;
  /** Suggested answers; any other text is accepted, too. */
  options?: string[];
  /** Turn of the call. */
  turn: number;
  /** Start of the wait: workflow time in ms. */
  requestedAt: number;
  /** Workflow time (ms) at which the agent is told that there is no answer. */
  deadline: number;
  /** Time of its escalation (approvals.escalateAfterMs of the agent). */
  escalatedAt?: number;
  /** The subagent that asked; the id is then `<instance name>/<call id>`, with one name more at every level. */
  child?: ChildRef;
};

/** A remembered approval: it answers later calls that would ask, for the rest of the session. */
export type Allowance = {
  /** Id of the approval, for forgetAllowance. */
  id: string;
  /** The tool whose calls it answers. */
  tool: string;
  /** `call`: calls with the same arguments, basis and actions. `tool`: all calls that name no actions. */
  scope: AllowanceScope;
  /** Digest of the approved arguments. */
  argsDigest?: string;
  /** Basis of the approved call, e.g. the hash of a file. */
  basis?: string;
  /** Digest of the approved call's actions. */
  actionsDigest?: string;
  /** The reason for asking: a call with another reason is not covered. At most 300 characters. */
  reason?: string;
  /** One line about the approved call. */
  summary: string;
  /** The person who approved. */
  by: string;
  /** Workflow time in ms since the epoch. */
  at: number;
};

/** Usage of a run, with earlier work on the same budget, and its limits beside the budget. */
export type RunProgress = {
  /** Start: workflow time in ms. */
  startedAt: number;
  /** Model responses that count towards `maxTurns`. */
  responses: number;
  /** Limit for responses; 0 is unlimited. */
  maxTurns: number;
  /** Workflow time (ms) at which the run is stopped. */
  deadline?: number;
  /** Start of the work's time (ms): that of the run, moved by earlier work and by time spent waiting for people. */
  workFrom: number;
  /** Turns of the work so far. */
  turns: number;
  /** Input and output tokens so far. */
  tokens: number;
  /** Cost in USD so far. */
  costUsd: number;
  /** Tool calls so far. */
  toolCalls: number;
};

export type ChildSnapshot = Omit<Child, 'reserved' | 'result' | 'taskId' | 'index'> & {
  /** The wait of the child or one of its children, if a person or a worker is needed. */
  waiting?: WaitingFor;
};

export type Snapshot = {
  /** Id of the session, which is that of its workflow. */
  sessionId: string;
  /** Id of the current execution; a session may have several, one after the other. */
  workflowRunId: string;
  /** Name of the agent in the newest run. */
  agent?: string;
  /** Instance name of a child; otherwise the name from the start, or that of the agent. */
  name: string;
  /** Name of the agent in the configuration; like `agent`, but known before the first run. */
  configName: string;
  /** Description of the agent. */
  description?: string;
  /** Shown before its lines when several sessions are shown together. */
  prefix: string;
  /** Instance name of the session that delegates; empty at the top. */
  parent: string;
  /** 0 for the top session. */
  depth: number;
  /** Status of task_complete in the newest run. */
  completion?: Completion;
  /** The newest 100 children, oldest first. */
  children: ChildSnapshot[];
  /** First words of the newest task. */
  task: string;
  /** State of the session. */
  state: SessionState;
  /** Kind of the wait. Absent: the session works, or its run has ended. */
  waitingFor?: WaitingFor;
  /** Subject of the wait, in a sentence; e.g. the provider's message if an operator is needed. */
  waitingReason?: string;
  /** The model of the newest run. */
  model?: ModelRef;
  /** Reference to the text: the client function systemPrompt reads it. */
  systemPrompt?: {
    /** Digest of the frozen context. */
    ref: string;
    /** Digest of the text. */
    hash?: string;
  };
  /** Thinking level of the model. */
  thinkingLevel?: ThinkingLevel;
  /** Mode of the newest run, fixed for that run. */
  mode?: AgentMode;
  /** Only reads are executed. */
  dryRun?: boolean;
  /** Only reads, and nothing is stored. */
  offTheRecord?: boolean;
  /** Names of the tools of the newest run. */
  tools: string[];
  /** Tool groups loaded with load_tools, in that order. */
  loadedGroups: string[];
  /** Skills that the session has loaded, in that order. */
  loadedSkills: string[];
  /** Id of the run in progress. */
  runId?: string;
  /** Current turn, or the last one; 0 before the first. */
  turn: number;
  /** Number of messages in the log. */
  messageCount: number;
  /** Place of the newest message. */
  lastSeq: number;
  /** Sequence number of the newest event. */
  lastEventSeq: number;
  /** True while a run is in progress. */
  isStreaming: boolean;
  /**
   * The message in progress, from message_start to message_end. A query cannot have the attempt and the text so far:
   * the client function mergedSnapshot adds them.
   */
  streaming?: {
    /** Id of the model call. */
    callId: string;
    /** Turn of the model call. */
    turn: number;
    /** Place of the reply in the log, once it is whole. */
    messageSeq: number;
  };
  /** Ids of the calls that run or wait. */
  pendingToolCalls: string[];
  /** Reason for the last run's failure, in words. */
  errorMessage?: string;
  /** Ids of the queued messages, by queue. */
  queues: {
    /** Read between two turns. */
    steering: string[];
    /** Read when the agent is done. */
    followUp: string[];
  };
  /** Number of messages taken from a queue at once. */
  queueModes: {
    /** Mode of the queue of steering messages. */
    steering: DrainMode;
    /** Mode of the queue of follow-ups. */
    followUp: DrainMode;
  };
  /** Receipts of the newest messages. */
  receipts: Receipt[];
  /** The plan; absent without one. */
  plan?: Plan;
  /** The hypotheses, oldest first; absent: none. A report sets their final status. */
  hypotheses?: LiveHypothesis[];
  /** Tokens by purpose, without those of children. */
  usage: PurposeUsage;
  /** Cost of the session in USD, with that of children. */
  costUsd: number;
  /** The main model has no known price: ignore `costUsd`. */
  costUnknown?: true;
  /** Calls of all tools. */
  toolCalls: number;
  /** Condenses of the run, or of the last one, that failed; absent: none. */
  failedCondenses?: number;
  /** Limits for the current work. */
  budget: Budget;
  /** The current run and its limits; absent while idle. */
  run?: RunProgress;
  /** Calls that wait for a person. */
  approvals: PendingApproval[];
  /** Questions that wait for an answer. */
  questions: PendingQuestion[];
  /** Remembered approvals, oldest first. */
  allowances: Allowance[];
  /** Status of the last finished run. */
  lastStatus?: RunStatus;
  /** Cause of the end of the last finished run. */
  lastCause?: RunCause;
  /** Failure of the last run. */
  error?: Failure;
  /** Number of hand-overs to another execution. */
  continuedAsNew: number;
  /** Labels from the start. */
  labels: Record<string, string>;
};

export type SteerMessage = {
  /** Id made by the sender: a second message with it is ignored. Its receipt has this id. */
  id: string;
  /** The words, or words and images. */
  message: string | UserMessage;
  /** `interrupt` stops the turn in progress. Default `next_turn`. */
  mode?: 'next_turn' | 'interrupt';
  /** Instance name of a running subagent, or `a/b` for one below it. Absent: the session itself. */
  to?: string;
  /** Name of the sender, 1 to 200 characters, which the report has beside the words. */
  actor?: string;
};
export type FollowUpMessage = {
  /** Id made by the sender: a second message with it is ignored. Its receipt has this id. */
  id: string;
  /** The words, or words and images. */
  message: string | UserMessage;
  /** Name of the sender, as in a steering message. */
  actor?: string;
};
export type ApprovalAnswer = {
  /** True if the call may run. */
  approve: boolean;
  /** Reason for the agent. At most 4,000 characters. */
  reason?: string;
  /** Name of the person, 1 to 200 characters. */
  actor: string;
  /** From the pending approval; an approval without it is refused, and so is an answer for other arguments. */
  argsDigest?: string;
  /** Approves later calls of the session, too: the same call, or every call of its tool. */
  remember?: AllowanceScope;
};
/** The answer with the id of its call, as one payload. */
export type NamedAnswer = ApprovalAnswer & {
  /** Id of the call; for a subagent's call, the id of its pending approval. */
  id: string;
};
export type QuestionAnswer = {
  /** Text of the answer. */
  text: string;
  /** Name of the person. */
  actor: string;
};
export type NamedQuestionAnswer = QuestionAnswer & { id: string };
/** An answer to whatever waits for a person, in one form of three fields. */
export type Answer = {
  /** Id of the question. For a call, the id of its pending approval; to approve it, `@` and at least 16 characters of its `argsDigest` follow. */
  question: string;
  /** For a call `approve`, `approve for session`, `deny`, or `deny: the reason`; for a question of the agent any text. */
  answer: string;
  /** Name of the person, 1 to 200 characters. */
  by: string;
};
/** Takes an allowance or a pinned finding back. */
export type TakeBack = {
  /** Id of the allowance, from the snapshot, or of the finding, e.g. `finding-1`. */
  id: string;
  /** Name of the person, 1 to 200 characters. */
  actor: string;
};

/** A message with a start event and no end event yet: the reply that a model is writing. */
export type OpenMessage = { runId: string; turn: number; messageSeq: number };

/** Sent by workflows that call a session: a worker of its task queue reads the snapshot. */
export type SnapshotRequest = { sessionId: string };
export type SnapshotActivities = { readSnapshot(request: SnapshotRequest): Promise<Snapshot> };
