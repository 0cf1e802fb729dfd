// Turns a checkpoint into the state of a new session. Answered calls stay answered, open calls are open again, and an
// unknowable outcome is reported as unknown. Pure.
import { defined } from '@holdfast/base/defined';
import {
  type AgentState,
  type BatchCall,
  type LogState,
  type RunState,
  type ViewState,
  storedIdOf,
} from '@holdfast/vocabulary/agent-state';
import type { Checkpoint } from '@holdfast/vocabulary/session-input';
import { continuationOf } from '../state/continuation.ts';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { type Parsed, refuse } from '@holdfast/base/json';
import { parseState } from './parse-state.ts';
import { beginEpoch } from '@holdfast/view/log';
import { errorAnswer } from '../state/own-answers.ts';

export type ImportOptions = {
  /** Id of the new session. */
  sessionId: string;
  now: number;
  /** True if the new session brings its own prompt. */
  hasPrompt: boolean;
  keepAlive: boolean;
  resumeFailed: boolean;
};

/** The state with all its records. `continues`: a new run must continue the work of one that has ended. */
export type Imported = { state: AgentState; continues: boolean };

/**
 * Without a run and without `continues`, the session only returns its result or takes a prompt. Refuses with
 * Checkpoint.Failed, Checkpoint.NothingToContinue, or the codes of a broken state.
 */
export function toImportedState(
  checkpoint: Checkpoint,
  records: LogRecord[],
  options: ImportOptions,
): Parsed<Imported> {
  const { session, status, result } = checkpoint;
  if (!session)
    return refuse(
      'Checkpoint.Invalid',
      'session: expected an object; "holdfast checkpoint export" writes it',
    );
  const parsed = parseState(session.state);
  if (!parsed.ok) return refuse(parsed.code.replace('State.', 'Checkpoint.'), parsed.reason);
  if (status === 'failed' && !options.resumeFailed) {
    const why = result?.error ? ` (${result.error.message})` : '';
    return refuse('Checkpoint.Failed', `its run failed${why}: set resumeFailed to continue it`);
  }
  if (status === 'completed' && !result)
    return refuse('Checkpoint.Invalid', 'result: expected one, as the status is completed');
  // a condense that was asked for stays with the session that was asked
  const { run: open, storedAs: _, condenseRequested: __, ...rest } = parsed.value;
  const log: LogState = { records, nextSeq: records.length + 1, segments: [] };
  // what the other session has spent is listed there; a run that goes on counts from its start
  const { usage = {}, costUsd = 0, toolCalls = 0, childToolCalls = 0 } = open ?? {};
  const spent = { usage, costUsd, toolCalls, childToolCalls };
  const state: AgentState = {
    ...rest,
    ...spent,
    sessionId: options.sessionId,
    status: 'idle',
    log,
    view: viewOver(rest.view, log),
    ...defined({ lastResult: result }),
  };
  if (open) {
    const run = goOn(open, storedIdOf(session.state), checkpoint, options);
    return { ok: true, value: { state: { ...state, run }, continues: false } };
  }
  if (status === 'completed' || options.hasPrompt) return { ok: true, value: { state, continues: false } };
  const continues = continuationOf(state, { steering: 0, followUp: 0 }) !== undefined;
  if (continues || options.keepAlive) return { ok: true, value: { state, continues } };
  return refuse(
    'Checkpoint.NothingToContinue',
    'it has no message without an answer, and no prompt is given: give one',
  );
}

/**
 * A view whose first record is missing becomes the full view (COND-19). No worker of the new session has seen any of
 * it.
 */
function viewOver(view: ViewState, log: LogState): ViewState {
  const known = view.fromSeq <= log.nextSeq;
  return known ? { ...view, sentSeq: log.nextSeq - 1 } : beginEpoch({ log, view }, { fromSeq: 1 });
}

function goOn(
  run: RunState,
  origin: string,
  { created_at: exportedAt }: Checkpoint,
  { now }: ImportOptions,
): RunState {
  // a deadline that ends it again sets the mark again
  const { end, timedOut: _, ...rest } = run;
  const stopped = end?.status === 'aborted';
  return {
    ...rest,
    // the time between export and import does not count for the run
    startedAt: Math.max(0, now - Math.max(0, Date.parse(exportedAt) - run.startedAt)),
    batch: run.batch.map((entry) => (entry.answer ? entry : reopen(entry, origin))),
    ...defined({ end: end && !stopped ? end : undefined }),
  };
}

const unknownOutcome =
  'Outcome unknown: the session that made this call was left while the tool ran, so it may have taken effect or not. ' +
  'Verify with a read before you repeat it.';

/** A started `once` call is never run again; other calls keep the idempotency key of their first run. */
function reopen(entry: BatchCall, origin: string): BatchCall {
  // the host may have other rules now
  const { inspected: _, ...rest } = entry;
  const { call, prepared, started } = rest;
  const once = prepared.status === 'ready' && prepared.effect === 'once';
  if (once && started) return { ...entry, answer: errorAnswer(entry, unknownOutcome, 'unknown') };
  const idempotencyKey = entry.idempotencyKey ?? `${origin}/${call.callId}`;
  return { ...rest, started: false, idempotencyKey };
}
