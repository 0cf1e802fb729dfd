// The results of the calls of a run: a model's reply, a tool's result. On the wire, in history and in the state. Types
// only.
import type { JsonObject } from '@holdfast/base/json';
import type { AssistantMessage, CallOutcome, Usage, ToolResultMessage } from './messages.ts';
import type { PreparedCall } from './tool-spec.ts';
import type { ReportRef } from './run-result.ts';

/** `notice`: the difference between the worker's access and the run's; the session announces each one once. */
export type CallModelResult = {
  message: AssistantMessage;
  digest: string;
  calls: PreparedCall[];
  costUsd: number;
  /**
   * Tokens paid beside the message: by answered attempts that failed, and by the first parts of a paused turn. Included
   * in costUsd.
   */
  wasted?: Usage;
  /** The call was stopped; the message (stopReason aborted, no calls) has the text so far, which may be empty. */
  interrupted?: boolean;
  notice?: string;
  /** Data that the hooks around the call share from now on. */
  hookData?: JsonObject;
  /** Faults against the outputSchema in a reply without calls; empty if it follows the schema. */
  outputFaults?: string[];
  /** Place of the value in the text of the reply, where it is among other words. */
  outputAt?: [from: number, to: number];
};

export type ToolCallResult = {
  message: ToolResultMessage;
  digest: string;
  /** Ends the run when every result of the batch sets it (LOOP-05). */
  terminate?: boolean;
  /** The call was stopped; the message has the output so far. */
  interrupted?: boolean;
  /** Tags of the data in the result; the run remembers them. */
  sensitivity?: string[];
  /** The outcome, if message and `interrupted` do not tell it (packages/vocabulary/src/call-outcome.ts). */
  outcome?: CallOutcome;
  /** End and duration of the call, by the clock of the worker. */
  ran?: { endedAt: number; ms: number };
  /** Set by the tool `report`. */
  report?: ReportRef;
  /** The report is final and is not asked for again. */
  reportIsFinal?: true;
  /** As in CallModelResult: a difference in access. */
  notice?: string;
  /** The reason why no claim tells of this `once` call after a reset; the session announces each one once. */
  unclaimed?: string;
};

/** Cost of work without a message of its own: of a failed call, if the provider had answered, or of a hook. */
export type PaidFailure = { costUsd: number; wasted: Usage };
