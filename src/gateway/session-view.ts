// A session over HTTP: one state, in place of those of Temporal, of the search attributes and of the session itself. Runs in
// Node.
import type { ClientErrorCode, SessionListing, SessionStatus, Snapshot, WaitingItem } from '../client.ts';
import { itemsOf } from '../client/waiting-list.ts';
import { defined } from '@holdfast/base/defined';
import { toOuter } from '@holdfast/vocabulary/outer-form';
import type { WaitingFor } from '@holdfast/vocabulary/events';
import { type SessionOutcome, cutOff } from '@holdfast/vocabulary/run-status';

type Replaced = 'status' | 'agentStatus' | 'waitingFor' | 'outcome' | 'closedAt';

/** A session as it is listed. */
export type SessionEntry = Omit<SessionListing, Replaced> & {
  /** `waiting`: for what waitingFor names. `idle`: for the next prompt. `ended`: it takes no more messages. */
  state: SessionStatus;
  /** Kind of the wait while it is `waiting`. */
  waitingFor?: Exclude<WaitingFor, 'prompt'>;
  /** The way the last run ended, or Temporal ended the session. */
  outcome?: SessionOutcome;
  /** The end of an `ended` session. */
  endedAt?: number;
};

/** One session on one screen. */
export type SessionView = SessionEntry & {
  /** The wait in a sentence, e.g. the provider's message if an operator is needed. */
  waitingReason?: string;
  /** Approvals and questions that wait for a person. */
  questions: WaitingItem[];
  /** Paths of what belongs to it. */
  links: { self: string; events: string; result: string; report: string };
  /** With `view=full`: all of its state. */
  snapshot?: ReturnType<typeof toDetails>;
  /** The reason why what only a worker knows is missing: newest figures, questions, snapshot. */
  unanswered?: { code: ClientErrorCode; message: string };
};

export function toEntry(listing: SessionListing, snapshot?: Snapshot): SessionEntry {
  const { status, agentStatus, waitingFor: listed, outcome: last, closedAt, ...rest } = listing;
  const waits = snapshot ? snapshot.waitingFor : (listed as WaitingFor | undefined);
  const waitingFor = status === 'RUNNING' && waits !== 'prompt' ? waits : undefined;
  const isIdle = snapshot ? !snapshot.isStreaming : agentStatus === 'idle';
  const running = waitingFor ? 'waiting' : isIdle ? 'idle' : 'running';
  const state = status === 'RUNNING' ? running : 'ended';
  const outcome = cutOff[status] ?? snapshot?.lastStatus ?? last;
  return toOuter({ ...rest, state, ...defined({ waitingFor, outcome, endedAt: closedAt }) });
}

export function toView(listing: SessionListing, snapshot?: Snapshot, isFull = false): SessionView {
  const path = `/v1/sessions/${encodeURIComponent(listing.sessionId)}`;
  const links = { self: path, events: `${path}/events`, result: `${path}/result`, report: `${path}/report` };
  const entry = toEntry(listing, snapshot);
  if (!snapshot) return { ...entry, questions: [], links };
  const { turn: turns, costUsd, costUnknown, agent, waitingReason } = snapshot;
  const details = isFull && { snapshot: toDetails(snapshot) };
  const cost = costUnknown ? { costUnknown } : { costUsd };
  // one that Temporal has ended answers as if it still waited
  const waits = entry.state !== 'ended' && { waitingReason, questions: itemsOf(snapshot) };
  const now = { ...cost, questions: [], ...defined({ turns, agent, ...waits }) };
  return toOuter({ ...entry, ...now, links, ...details });
}

/** Without what the view says in other words. */
function toDetails(snapshot: Snapshot) {
  const { state: phase, waitingFor: _, waitingReason: _reason, lastStatus: _last, ...rest } = snapshot;
  const { approvals: _approvals, questions: _questions, isStreaming: _streaming, ...details } = rest;
  return { ...details, /** The work of this moment. */ phase };
}
