// A session over HTTP: one state, in place of those of Temporal, of the search attributes and of the session itself. Runs in
// Node.
import type { ClientErrorCode, SessionListing, Snapshot, WaitingItem } from '../client.ts';
import { itemsOf } from '../client/waiting-list.ts';
import { defined } from '../core/base/defined.ts';
import { toOuter } from '../core/model/outer-form.ts';
import type { WaitingFor } from '../core/model/events.ts';
import type { RunStatus } from '../core/model/run-result.ts';

export const sessionStates = ['running', 'waiting', 'idle', 'ended'] as const;

type Replaced = 'status' | 'agentStatus' | 'waitingFor' | 'outcome' | 'closedAt';

/** A session as it is listed. */
export type SessionEntry = Omit<SessionListing, Replaced> & {
  /** `waiting`: for what waitingFor names. `idle`: for the next prompt. `ended`: it takes no more messages. */
  state: (typeof sessionStates)[number];
  /** What it waits for while it is `waiting`. */
  waitingFor?: Exclude<WaitingFor, 'prompt'>;
  /** The way the last run ended, or Temporal ended the session. */
  outcome?: RunStatus | 'cancelled' | 'terminated';
  /** The end of an `ended` session. */
  endedAt?: number;
};

type Shown = 'waitingReason' | 'approvals' | 'questions' | 'lastStatus' | 'isStreaming';

/** The rest of a session's state: what the view itself shows is not repeated. */
export type SessionDetails = Omit<Snapshot, Shown | Exclude<keyof SessionEntry, 'model'>> & {
  /** The work of this moment. */
  phase: Snapshot['state'];
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
  snapshot?: SessionDetails;
  /** The reason why what only a worker knows is missing: newest figures, questions, snapshot. */
  unanswered?: {
    /** For programs, e.g. `NoWorker`. */
    code: ClientErrorCode;
    /** The reason in words for people. */
    message: string;
  };
};

export function toEntry(listing: SessionListing, snapshot?: Snapshot): SessionEntry {
  const { status, agentStatus, waitingFor: listed, outcome: last, closedAt, ...rest } = listing;
  const waits = snapshot ? snapshot.waitingFor : (listed as WaitingFor | undefined);
  const waitingFor = status === 'RUNNING' && waits !== 'prompt' ? waits : undefined;
  const isIdle = snapshot ? !snapshot.isStreaming : agentStatus === 'idle';
  const running = waitingFor ? 'waiting' : isIdle ? 'idle' : 'running';
  const state = status === 'RUNNING' ? running : 'ended';
  const outcome = endings[status] ?? snapshot?.lastStatus ?? last ?? lateEndings[status];
  return toOuter({ ...rest, state, ...defined({ waitingFor, outcome, endedAt: closedAt }) });
}

/** Ends that Temporal makes, whatever a run before had for one. */
const endings: Partial<Record<string, 'terminated' | 'timed_out'>> = {
  TERMINATED: 'terminated',
  TIMED_OUT: 'timed_out',
};
/** Ends of sessions that have written none. */
const lateEndings: Partial<Record<string, 'failed' | 'cancelled'>> = {
  FAILED: 'failed',
  CANCELLED: 'cancelled',
};

export function toView(listing: SessionListing, snapshot?: Snapshot, isFull = false): SessionView {
  const path = `/v1/sessions/${encodeURIComponent(listing.sessionId)}`;
  const links = { self: path, events: `${path}/events`, result: `${path}/result`, report: `${path}/report` };
  const entry = toEntry(listing, snapshot);
  if (!snapshot) return { ...entry, questions: [], links };
  const { turn: turns, costUsd, costUnknown, agent, waitingReason } = snapshot;
  const now = defined({
    turns,
    costUsd: costUnknown ? undefined : costUsd,
    costUnknown,
    agent,
    waitingReason,
  });
  return toOuter({
    ...entry,
    ...now,
    questions: itemsOf(snapshot),
    links,
    ...(isFull && { snapshot: toDetails(snapshot) }),
  });
}

function toDetails(snapshot: Snapshot): SessionDetails {
  // oxfmt-ignore
  const {
    sessionId: _, task: _task, agent: _agent, state: phase, waitingFor: _wait, waitingReason: _reason,
    costUsd: _cost, costUnknown: _unknown, labels: _labels, approvals: _approvals, questions: _questions,
    lastStatus: _last, isStreaming: _streaming, ...rest
  } = snapshot;
  return { ...rest, phase };
}
