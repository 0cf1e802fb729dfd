// What the loop needs from the world. Under Temporal the workflow implements it; in a unit test, memory does.
import type { CallModelInput } from '../model/activity-contracts.ts';
import type { CallModelResult } from '../model/call-results.ts';
import type { FrozenContext, Segment } from '../model/frozen-context.ts';
import type { BatchCall, ToolAnswer, TouchedFiles } from '../model/agent-state.ts';
import type { CondensePlan } from '../view/condense/strategy.ts';
import type { QueueName } from '../model/events.ts';
import type { Failure, Recovery } from '../base/failures.ts';
import type { PromptMessage, Usage, UserMessage } from '../model/messages.ts';
import type { HookInputs, HookOutputs, HookPoint, ListedHook } from '../model/hook.ts';
import type { SessionSettings } from '../model/agent-spec.ts';
import type { Waiting } from './next-step.ts';
import type { RunOutput } from '../model/run-result.ts';
import type { WorkflowTools } from './workflow-tools/workflow-tool.ts';
import type { PaidFailure } from '../model/call-results.ts';

export type ModelOutcome =
  | { type: 'reply'; result: CallModelResult }
  /** Stopped by a person or by an interrupting message; `result` holds the text so far where the worker told. */
  | { type: 'stopped'; result?: CallModelResult }
  | { type: 'failed'; failure: Failure; recovery: Recovery; paid?: PaidFailure };

export type CondenseOutcome =
  | {
      type: 'done';
      summary: string;
      usage: Usage;
      costUsd: number;
      segment?: Segment;
      files?: TouchedFiles;
    }
  | { type: 'stopped' }
  | { type: 'failed'; failure: Failure; paid?: PaidFailure };

export type ApprovalDecision =
  | { type: 'approved'; actor: string }
  | { type: 'denied'; reason: string }
  | { type: 'stopped' };

/** Stopped: it has not answered, and will not. */
export type HookOutcome<Point extends HookPoint> =
  | { type: 'answered'; output: HookOutputs[Point] | undefined }
  | { type: 'stopped' };

export type ContextOutcome = FrozenContext | { failure: Failure } | { stopped: true };

/** The queues as the loop sees them: looked at freely, taken from only here. */
export type InboxPort = {
  /** Taken once the run is accepted. Polled: its steering is among it, and is not looked at again before the request. */
  takePrompt(): { messages: PromptMessage[]; polled: boolean; continued: boolean };
  /** The reset that was asked for is in the state. */
  resetDone(): void;
  /** The oldest message or all of them, by the queue's mode. */
  take(queue: QueueName, place: { runId: string; turn: number }): UserMessage[];
};

export type LoopPorts = {
  waiting(): Waiting;
  inbox: InboxPort;
  /** A failure ends the run with code Run.ContextFailed. The settings stand over the start input. */
  assembleContext(runId: string, settings: SessionSettings): Promise<ContextOutcome>;
  /** Throws what the hook threw. One of afterToolCall is called also after a stop, for as long as there is time. */
  callHook<Point extends HookPoint>(
    hook: ListedHook,
    point: Point,
    input: HookInputs[Point],
  ): Promise<HookOutcome<Point>>;
  callModel(input: CallModelInput): Promise<ModelOutcome>;
  /** Archives what the plan folds, then summarises it. */
  condense(plan: CondensePlan): Promise<CondenseOutcome>;
  /** Never throws: what goes wrong is an answer. */
  runTool(entry: BatchCall, approvedBy: string | undefined): Promise<ToolAnswer>;
  /** Tools that run in the workflow itself, by name; asked before runTool. */
  workflowTools: WorkflowTools;
  requestApproval(entry: BatchCall): Promise<ApprovalDecision>;
  /** Resolves when an operator has mended what `failure` names, or the run was stopped. */
  waitForOperator(failure: Failure): Promise<'resume' | 'stopped'>;
  /** Set from a stop until the loop has dealt with it: an abort ends the run, an interrupting message goes on. */
  stopRequested(): 'abort' | 'interrupt' | undefined;
  /** A turn is closed: a good moment to show where the run stands. */
  turnEnded(): Promise<void> | void;
  /** A call has its answer, which is not in the log yet. */
  callAnswered(): Promise<void> | void;
  /** Idle: empties the queues and archives what the log holds; nothing where it holds nothing. */
  reset(): Promise<{ segment?: Segment }>;
  /** Idle: resolves when there is something to look at. */
  waitForWork(): Promise<void>;
  /** A run is about to end: what is told of its messages, where the state no longer holds them all. */
  readOutput(): Promise<RunOutput | undefined>;
  /** A run has ended: keep what must outlive the history. */
  runEnded(): Promise<void>;
};
