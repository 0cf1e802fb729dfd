// What the queries of a session answer. Everything here is derived from state; nothing is stored for it.
import type { AllowanceScope, SessionState, WaitingFor } from './events.ts';
import type { Failure } from '../base/failures.ts';
import type { ModelRef, UserMessage } from './messages.ts';
import type { Child } from './children.ts';
import type { Completion, PurposeUsage, RunCause, RunStatus } from './run-result.ts';
import type { Plan } from './plan.ts';
import type { Budget, DrainMode } from './agent-spec.ts';
import type { ThinkingLevel } from './model-call.ts';
import type { AgentMode, ToolEffect } from './tool-spec.ts';

/** The state of an accepted steering message or follow-up (QUEUE-18). */
export type Receipt = {
  /** Id of the message, as its sender gave it. */
  id: string;
  /** The queue that took it. */
  queue: 'steering' | 'followUp';
  /** `forwarded`: passed on to the subagent `to`, whose session has its further receipt. */
  state: 'queued' | 'delivered' | 'cancelled' | 'cleared' | 'undelivered' | 'forwarded';
  /** Instance name of the subagent that it was passed on to. */
  to?: string;
  /** The run that took it. */
  runId?: string;
  /** The turn that took it. */
  turn?: number;
};

export type PendingApproval = {
  /** The call id. */
  id: string;
  /** Name of the tool. */
  tool: string;
  /** What would run, whole: compact JSON in which characters that do not show are escaped, and secrets masked. */
  args: string;
  /** A secret in them is masked. */
  masked?: true;
  /** Where they are masked, the same without the mask: only in the answer of pendingApprovals of the session itself. */
  unmaskedArgs?: string;
  /** Given back with an answer, it binds the answer to these arguments. */
  argsDigest: string;
  /** What the loss of the worker that runs it would mean. */
  effect: ToolEffect;
  /** One line for people, e.g. `systemctl restart shop`. */
  summary: string;
  /** Why it is asked about. */
  reason?: string;
  /** Of a call of several parts those that change something, the gravest first. */
  changes?: string;
  /** What the tool itself shows of the call, e.g. a diff, or a command as it will run. */
  preview?: string;
  /** The turn of the call. */
  turn: number;
  /** Since when it waits: workflow time in ms. */
  requestedAt: number;
  /** Workflow time (ms) at which silence denies it. */
  deadline: number;
  /** Since when it counts as escalated (escalateAfterMs of the agent). */
  escalatedAt?: number;
  /** What an approval may be remembered for. */
  rememberable: AllowanceScope[];
  /** Of a call of a subagent; then the id is `<instance name>/<call id>`, at every level one more. */
  child?: ChildRef;
  /** Too long to be passed on: whole in the session of the subagent, and only there it can be approved. */
  isCut?: true;
};

/** A subagent, as a session above it names it. */
export type ChildRef = {
  /** Instance names from the top, e.g. `triage-pool-1/log-analyst-db-1`. */
  name: string;
  /** Id of its session. */
  sessionId: string;
};

/** What waits for people in a session and below it; `many` where it is too much for a memo. */
export type WaitingNote = { approvals: PendingApproval[]; questions: PendingQuestion[] } | 'many';

/** A question of the tool ask_human. */
export type PendingQuestion = {
  /** The call id. */
  id: string;
  /** What the agent asks. */
  question: string;
  /** Answers to choose from; another one is as good. */
  options?: string[];
  /** The turn of the call. */
  turn: number;
  /** Since when it waits: workflow time in ms. */
  requestedAt: number;
  /** Workflow time (ms) at which the agent reads that nobody answered. */
  deadline: number;
  /** Since when it counts as escalated (escalateAfterMs of the agent). */
  escalatedAt?: number;
  /** Of a question of a subagent; then the id is `<instance name>/<call id>`, at every level one more. */
  child?: ChildRef;
};

/** An approval that was remembered: it answers later calls that would ask, for the rest of the session. */
export type Allowance = {
  /** Its id; forgetAllowance takes it. */
  id: string;
  /** The tool whose calls it answers. */
  tool: string;
  /** `call`: calls with these arguments that rest on and do the same. `tool`: all calls that name no actions. */
  scope: AllowanceScope;
  /** Of the arguments that it is for. */
  argsDigest?: string;
  /** What the approved call rested on, e.g. the hash of a file. */
  basis?: string;
  /** Of what the approved call does. */
  actionsDigest?: string;
  /** Why the call asked: one that asks for another reason is not covered. At most 300 characters. */
  reason?: string;
  /** Of the call that was approved. */
  summary: string;
  /** Who approved. */
  by: string;
  /** Workflow time in ms since the epoch. */
  at: number;
};

/** What a run has used, with the work before it that counts against the same budget, and its limits beside the budget. */
export type RunProgress = {
  /** Workflow time (ms). */
  startedAt: number;
  /** Of `maxTurns`. */
  responses: number;
  /** Model responses; 0 is unlimited. */
  maxTurns: number;
  /** Workflow time (ms) at which it is stopped. */
  deadline?: number;
  /** Its work has taken the time since then (ms): the start, moved by earlier work and by the time that people took. */
  workFrom: number;
  /** Turns so far. */
  turns: number;
  /** Input and output so far. */
  tokens: number;
  /** USD so far. */
  costUsd: number;
  /** Tool calls so far. */
  toolCalls: number;
};

export type ChildSnapshot = Omit<Child, 'reserved' | 'result' | 'taskId' | 'index'> & {
  /** What it, or one below it, waits for, where a person or a worker is needed. */
  waiting?: WaitingFor;
};

export type Snapshot = {
  /** Id of the session: that of the workflow. */
  sessionId: string;
  /** Id of the execution at present; a session may have several, one after the other. */
  workflowRunId: string;
  /** The agent's name, of the newest run. */
  agent?: string;
  /** The instance name of a child; else the name that the start gave, or that of the agent. */
  name: string;
  /** The agent's name in the configuration; as `agent`, and known before the first run. */
  configName: string;
  /** Of the agent. */
  description?: string;
  /** Before its lines where several sessions are shown together. */
  prefix: string;
  /** Instance name of the session that delegates; empty at the top. */
  parent: string;
  /** 0 at the top. */
  depth: number;
  /** Of the newest run, where it called task_complete. */
  completion?: Completion;
  /** The newest 100, oldest first. */
  children: ChildSnapshot[];
  /** The first words that it was asked. */
  task: string;
  /** What it does. */
  state: SessionState;
  /** What it waits for. Absent: it works, or has ended its run. */
  waitingFor?: WaitingFor;
  /** What the wait is about, in a sentence; e.g. the provider's message when an operator is needed. */
  waitingReason?: string;
  /** The model of the newest run. */
  model?: ModelRef;
  /** Names the text: the client function systemPrompt reads it. */
  systemPrompt?: {
    /** Digest of the frozen context. */
    ref: string;
    /** Digest of the text. */
    hash?: string;
  };
  /** How much the model thinks. */
  thinkingLevel?: ThinkingLevel;
  /** Of the newest run, for which they are fixed. */
  mode?: AgentMode;
  /** Nothing but reads is executed. */
  dryRun?: boolean;
  /** Only reads, and nothing is stored. */
  offTheRecord?: boolean;
  /** Names of the tools of the newest run. */
  tools: string[];
  /** Tool groups loaded with load_tools, in that order. */
  loadedGroups: string[];
  /** Skills that the session has loaded, in that order. */
  loadedSkills: string[];
  /** The run in progress. */
  runId?: string;
  /** Its turn, or the last one; 0 before the first. */
  turn: number;
  /** Messages in the log. */
  messageCount: number;
  /** Place of the newest message. */
  lastSeq: number;
  /** Sequence number of the newest event. */
  lastEventSeq: number;
  /** A run is in progress. */
  isStreaming: boolean;
  /**
   * The message in the making, from message_start to message_end. A query cannot know the attempt and the text so far:
   * the client function mergedSnapshot adds them.
   */
  streaming?: {
    /** Id of the model call. */
    callId: string;
    /** Its turn. */
    turn: number;
    /** Place of the reply in the log, once it is whole. */
    messageSeq: number;
  };
  /** Ids of the calls that run or wait. */
  pendingToolCalls: string[];
  /** Why the last run failed, in words. */
  errorMessage?: string;
  /** Ids of the messages that wait, by queue. */
  queues: {
    /** Read between two turns. */
    steering: string[];
    /** Read when the agent is done. */
    followUp: string[];
  };
  /** How many messages of a queue are taken at once. */
  queueModes: {
    /** Of steering messages. */
    steering: DrainMode;
    /** Of follow-ups. */
    followUp: DrainMode;
  };
  /** Of the newest messages. */
  receipts: Receipt[];
  /** Absent without one. */
  plan?: Plan;
  /** Tokens by purpose, children not included. */
  usage: PurposeUsage;
  /** What the session has cost, children included, in USD. */
  costUsd: number;
  /** No price of the main model is known: `costUsd` says nothing. */
  costUnknown?: true;
  /** Calls of tools. */
  toolCalls: number;
  /** What the work in hand may spend. */
  budget: Budget;
  /** The run in hand, and what ends it; absent while idle, and in the answers of older workers. */
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
  /** Why the last run failed. */
  error?: Failure;
  /** How often the session continued in another execution. */
  continuedAsNew: number;
  /** As the start gave them. */
  labels: Record<string, string>;
};

export type SteerMessage = {
  /** Made by the sender: a second message with it is not taken again. Its receipt has it. */
  id: string;
  /** The words, or words and images. */
  message: string | UserMessage;
  /** `interrupt` stops the turn in progress. Default `next_turn`. */
  mode?: 'next_turn' | 'interrupt';
  /** Instance name of a running subagent, of one below it as `a/b`. Absent: for the session itself. */
  to?: string;
};
export type FollowUpMessage = {
  /** Made by the sender: a second message with it is not taken again. Its receipt has it. */
  id: string;
  /** The words, or words and images. */
  message: string | UserMessage;
};
export type ApprovalAnswer = {
  /** Whether the call runs. */
  approve: boolean;
  /** The agent reads it. At most 4,000 characters. */
  reason?: string;
  /** Who answers, 1 to 200 characters. */
  actor: string;
  /** As the pending approval has it: an answer for other arguments is refused. */
  argsDigest?: string;
  /** Approves also what comes later in the session: the same call, or every call of its tool. */
  remember?: AllowanceScope;
};
/** The answer with the id of its call, as one payload. */
export type NamedAnswer = ApprovalAnswer & {
  /** Id of the call; of a subagent's as its pending approval has it. */
  id: string;
};
export type QuestionAnswer = {
  /** The answer. */
  text: string;
  /** Who answers. */
  actor: string;
};
export type NamedQuestionAnswer = QuestionAnswer & { id: string };
/** Takes an allowance back. */
export type AllowanceRef = {
  /** Id of the allowance, as the snapshot has it. */
  id: string;
  /** Who takes it back, 1 to 200 characters. */
  actor: string;
};

/** A message whose start has an event and whose end has none: the reply that a model is writing. */
export type OpenMessage = { runId: string; turn: number; messageSeq: number };

/** For workflows that call a session: a worker of its task queue reads the snapshot. */
export type SnapshotRequest = { sessionId: string };
export type SnapshotActivities = { readSnapshot(request: SnapshotRequest): Promise<Snapshot> };
