// The children of a session: the agents to delegate to, the record of each child, and the results. Types only.
import type { Budget } from './agent-spec.ts';
import type { Completion, PurposeUsage, RunStatus } from './run-result.ts';

/** An agent that a session may delegate to. */
export type ListedAgent = {
  name: string;
  description?: string;
  /** Absent: the default prefix. */ prefix?: string;
};

/** The result of one task for the model. `agent` is the name in the call. */
export type TaskResult = {
  agent: string;
  result?: string;
  completion?: Completion;
  error?: string;
  warning?: string;
  /** Name under which `read_artifact` has the child's whole result; said to the model where a part is left out. */
  artifact?: string;
  /** Name under which `read_artifact` has the report of a child whose run did not complete. */
  report?: string;
};

/** A child session in its parent's state. */
export type Child = {
  /** Id of the child's session. */
  id: string;
  /** Instance name of the child. */
  name: string;
  /** Name of the agent in the configuration. */
  agent: string;
  /** Shown before its lines when several sessions are shown together. */
  prefix: string;
  /** 1 for a child of the top session. */
  depth: number;
  /** The task, at most 200 characters. */
  task: string;
  /** Id of the delegate call, and the task's index in it. */
  callId: string;
  index: number;
  /** `left`: it belongs to the session that this one continues; a new child takes over its task. */
  state: 'running' | 'ended' | 'left';
  /** Workflow time in ms since the epoch. */
  startedAt: number;
  /** Workflow time in ms since the epoch. */
  endedAt?: number;
  /** Status of its run. */
  status?: RunStatus;
  /** Status that the child gave its task (task_complete). */
  completion?: Completion['status'];
  /** Tokens by their purpose. */
  usage: PurposeUsage;
  /** Cost of the child in USD. */
  costUsd: number;
  /** The model has no known price: ignore `costUsd`. */
  costUnknown?: true;
  /** The part of the parent's budget that is reserved while it runs. */
  reserved?: Budget;
  /** Names its work across sessions; absent: its id. */
  taskId?: string;
  /** Kept until its call is answered. */
  result?: TaskResult;
};
