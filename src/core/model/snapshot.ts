// What the queries of a session answer. Everything here is derived from state; nothing is stored for it.
import type { AllowanceScope, SessionState, WaitingFor } from './events.ts';
import type { Failure } from '../base/failures.ts';
import type { ModelRef, UserMessage } from './messages.ts';
import type { Child } from './children.ts';
import type { Completion, PurposeUsage, RunStatus } from './run-result.ts';
import type { Plan } from './plan.ts';
import type { Budget, DrainMode } from './agent-spec.ts';
import type { ThinkingLevel } from './model-call.ts';
import type { AgentMode, ToolEffect } from './tool-spec.ts';

/** The state of an accepted steering message or follow-up (QUEUE-18). */
export type Receipt = {
  id: string;
  queue: 'steering' | 'followUp';
  /** `forwarded`: passed on to the subagent `to`, whose session has its further receipt. */
  state: 'queued' | 'delivered' | 'cancelled' | 'cleared' | 'undelivered' | 'forwarded';
  to?: string;
  runId?: string;
  turn?: number;
};

export type PendingApproval = {
  /** The call id. */
  id: string;
  tool: string;
  /** Exactly what would run, whole: compact JSON in which characters that do not show are escaped. */
  args: string;
  /** Given back with an answer, it binds the answer to these arguments. */
  argsDigest: string;
  /** What the loss of the worker that runs it would mean. */
  effect: ToolEffect;
  summary: string;
  reason?: string;
  /** What the tool itself shows of the call, e.g. a diff, or a command as it will run. */
  preview?: string;
  turn: number;
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
  sessionId: string;
};

/** A question of the tool ask_human. */
export type PendingQuestion = {
  /** The call id. */
  id: string;
  question: string;
  /** Answers to choose from; another one is as good. */
  options?: string[];
  turn: number;
  requestedAt: number;
  /** Workflow time (ms) at which the agent reads that nobody answered. */
  deadline: number;
  escalatedAt?: number;
  /** Of a question of a subagent; then the id is `<instance name>/<call id>`, at every level one more. */
  child?: ChildRef;
};

/** An approval that was remembered: it answers later calls that would ask, for the rest of the session. */
export type Allowance = {
  id: string;
  tool: string;
  /** `call`: calls with these arguments that rest on and do the same. `tool`: all calls that name no actions. */
  scope: AllowanceScope;
  argsDigest?: string;
  basis?: string;
  actionsDigest?: string;
  /** Why the call asked: one that asks for another reason is not covered. At most 300 characters. */
  reason?: string;
  /** Of the call that was approved. */
  summary: string;
  by: string;
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
  tokens: number;
  costUsd: number;
};

export type ChildSnapshot = Omit<Child, 'reserved' | 'result' | 'taskId' | 'index'> & {
  /** What it, or one below it, waits for, where a person or a worker is needed. */
  waiting?: WaitingFor;
};

export type Snapshot = {
  sessionId: string;
  workflowRunId: string;
  agent?: string;
  /** The instance name of a child; else the name that the start gave, or that of the agent. */
  name: string;
  /** The agent's name in the configuration; as `agent`, and known before the first run. */
  configName: string;
  description?: string;
  prefix: string;
  /** Instance name of the session that delegates; empty at the top. */
  parent: string;
  /** 0 at the top. */
  depth: number;
  /** Of the newest run, where it called task_complete. */
  completion?: Completion;
  /** The newest 100, oldest first. */
  children: ChildSnapshot[];
  task: string;
  state: SessionState;
  waitingFor?: WaitingFor;
  /** What the wait is about, in a sentence; e.g. the provider's message when an operator is needed. */
  waitingReason?: string;
  model?: ModelRef;
  /** `ref` names the frozen context that holds the text (client function systemPrompt); `hash` is that of the text. */
  systemPrompt?: { ref: string; hash?: string };
  thinkingLevel?: ThinkingLevel;
  /** Of the newest run, for which they are fixed. */
  mode?: AgentMode;
  dryRun?: boolean;
  offTheRecord?: boolean;
  tools: string[];
  /** Tool groups loaded with load_tools, in that order. */
  loadedGroups: string[];
  /** Skills that the session has loaded, in that order. */
  loadedSkills: string[];
  runId?: string;
  turn: number;
  messageCount: number;
  lastSeq: number;
  lastEventSeq: number;
  isStreaming: boolean;
  /**
   * The message in the making, from message_start to message_end. A query cannot know the attempt and the text so far:
   * the client function mergedSnapshot adds them.
   */
  streaming?: { callId: string; turn: number; messageSeq: number };
  pendingToolCalls: string[];
  errorMessage?: string;
  queues: { steering: string[]; followUp: string[] };
  queueModes: Record<'steering' | 'followUp', DrainMode>;
  receipts: Receipt[];
  /** Absent without one. */
  plan?: Plan;
  usage: PurposeUsage;
  costUsd: number;
  toolCalls: number;
  budget: Budget;
  /** The run in hand, and what ends it; absent while idle, and in the answers of older workers. */
  run?: RunProgress;
  approvals: PendingApproval[];
  questions: PendingQuestion[];
  /** Remembered approvals, oldest first. */
  allowances: Allowance[];
  /** Status of the last finished run. */
  lastStatus?: RunStatus;
  error?: Failure;
  continuedAsNew: number;
  labels: Record<string, string>;
};

export type SteerMessage = {
  id: string;
  message: string | UserMessage;
  mode?: 'next_turn' | 'interrupt';
  /** Instance name of a running subagent, of one below it as `a/b`. Absent: for the session itself. */
  to?: string;
};
export type FollowUpMessage = { id: string; message: string | UserMessage };
export type ApprovalAnswer = {
  approve: boolean;
  reason?: string;
  actor: string;
  argsDigest?: string;
  /** Approves also what comes later in the session: the same call, or every call of its tool. */
  remember?: AllowanceScope;
};
/** The answer with the id of its call, as one payload. */
export type NamedAnswer = ApprovalAnswer & { id: string };
export type QuestionAnswer = { text: string; actor: string };
export type NamedQuestionAnswer = QuestionAnswer & { id: string };
/** Takes an allowance back. */
export type AllowanceRef = { id: string; actor: string };

/** A message whose start has an event and whose end has none: the reply that a model is writing. */
export type OpenMessage = { runId: string; turn: number; messageSeq: number };
