// What the calls of a run answer with: a model's reply, a tool's result. On the wire, in history and in the state.
import type { AssistantMessage, CallOutcome, Usage, ToolResultMessage } from './messages.ts';
import type { PreparedCall } from './tool-spec.ts';
import type { ReportRef } from './run-result.ts';

/** `notice`: how the worker's access differs from the run's; the session announces each one once. */
export type CallModelResult = {
  message: AssistantMessage;
  digest: string;
  calls: PreparedCall[];
  costUsd: number;
  /** Paid for beside the message: by answered attempts that failed, by the first parts of a paused turn. In costUsd too. */
  wasted?: Usage;
  /** The call was stopped; the message (stopReason aborted, no calls) holds the text so far, which may be none. */
  interrupted?: boolean;
  notice?: string;
  /** Of a reply without calls where the run has an outputSchema: in what it does not follow that; empty where it does. */
  outputFaults?: string[];
};

export type ToolCallResult = {
  message: ToolResultMessage;
  digest: string;
  /** Ends the run when every result of the batch sets it (LOOP-05). */
  terminate?: boolean;
  /** The call was stopped; the message holds what it had. */
  interrupted?: boolean;
  /** Tags of what the result holds; the run remembers them. */
  sensitivity?: string[];
  /** Where message and `interrupted` do not say it (core/model/call-outcome.ts). */
  outcome?: CallOutcome;
  /** By the clock of the worker: when it ended, and how long it took. */
  ran?: { endedAt: number; ms: number };
  /** Set by the tool `report`. */
  report?: ReportRef;
  /** The report is not asked for once more. */
  reportIsFinal?: true;
  /** As in CallModelResult. */
  notice?: string;
};

/** What a failed call cost, where the provider had answered. */
export type PaidFailure = { costUsd: number; wasted: Usage };
