// The data that crosses a hand-over, and its one reader. Pure.
import { omit } from '@holdfast/base/omit';
import { parseState } from '../checkpoint/parse-state.ts';
import type { QueueOptions } from '@holdfast/vocabulary/agent-spec';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { CarriedApprovals } from './approvals.ts';
import type { CarriedDesk } from './desk.ts';
import type { CarriedEvents } from './event-ring.ts';
import type { CarriedInbox } from './inbox.ts';

/** Plain data that one execution hands to the next, beside the start input. */
export type Carried = {
  version: number;
  state: AgentState;
  events: CarriedEvents;
  inbox: CarriedInbox;
  approvals: CarriedApprovals;
  questions: CarriedDesk;
  handOvers: number;
  /** The execution that hands over. */
  executionId: string;
  /** The newest of the warnings that are given once. */
  announced: string[];
};

/** The start input of the next execution, without the fields that only a beginning takes. */
export function nextInput(input: SessionInput, carried: Carried): SessionInput {
  return { ...omit(input, 'prompt', 'messages', 'checkpoint'), carried };
}

/** True if a test has set a limit of turns and this execution has reached it. */
export function isHandOverForced({ continueAsNewAfterTurns: forced }: SessionInput, turns: number): boolean {
  return forced !== undefined && turns >= forced;
}

/**
 * The one place where carried state gets its type. A state that this code cannot read blocks the workflow until fitting
 * code is deployed: nothing is lost or guessed.
 */
export function fromCarried(carried: object | undefined): Carried | undefined {
  if (carried === undefined) return undefined;
  const { state, ...rest } = carried as Carried;
  const read = parseState(state);
  if (!read.ok) throw new Error(`The carried state cannot be read: ${read.reason}.`);
  return { ...rest, state: read.value };
}

/** Any language may send the input: assembleContext refuses unknown options. */
export function queuesOf({ queues }: SessionInput): Partial<QueueOptions> {
  return typeof queues === 'object' && queues !== null ? queues : {};
}
