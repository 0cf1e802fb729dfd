// Children of a session: what a session delegates, what it keeps of each child, and what it reads of its work.
import type { Budget } from './agent-spec.ts';
import type { Completion, PurposeUsage, RunStatus } from './run-result.ts';

/** An agent that a session may delegate to. */
export type ListedAgent = { name: string; description?: string; /** Absent: the default. */ prefix?: string };

/** What the model reads of one task. `agent` is the name in the call. */
export type TaskResult = {
  agent: string;
  result?: string;
  completion?: Completion;
  error?: string;
  warning?: string;
};

/** A child session as its parent knows it. */
export type Child = {
  /** Id of its session. */
  id: string;
  /** The instance name. */
  name: string;
  /** The name in the configuration. */
  agent: string;
  /** Before its lines where several sessions are shown together. */
  prefix: string;
  /** 1 for a child of the top session. */
  depth: number;
  /** At most 200 characters. */
  task: string;
  /** The delegate call, and the task's place in it. */
  callId: string;
  index: number;
  /** `left`: it belongs to the session that this one continues; a new child takes its task over. */
  state: 'running' | 'ended' | 'left';
  /** Workflow time in ms since the epoch. */
  startedAt: number;
  /** Workflow time in ms since the epoch. */
  endedAt?: number;
  /** Of its run. */
  status?: RunStatus;
  /** Of its task, in its own word (task_complete). */
  completion?: Completion['status'];
  /** Tokens by purpose. */
  usage: PurposeUsage;
  /** What it has cost, in USD. */
  costUsd: number;
  /** No price of its model is known: `costUsd` says nothing. */
  costUnknown?: true;
  /** The part of the parent's budget that is kept for it while it runs. */
  reserved?: Budget;
  /** Names its work over sessions; absent: its id. */
  taskId?: string;
  /** Until its call is answered. */
  result?: TaskResult;
};
