// From a checkpoint to the state that a new session continues from: what was answered stays answered, what was open is
// open again, and an outcome that nobody can know is reported as unknown. Pure.
import type { AgentState, BatchCall, LogState, RunState, ViewState } from '../model/agent-state.ts';
import type { Checkpoint } from '../model/session-input.ts';
import { continuationOf } from '../state/continuation.ts';
import type { LogRecord } from '../model/messages.ts';
import type { Parsed } from '../base/json.ts';
import { parseState } from './parse-state.ts';
import { beginEpoch } from '../view/log.ts';
import { errorAnswer } from '../state/reduce-tools.ts';

export type ImportOptions = {
  /** Of the new session. */
  sessionId: string;
  now: number;
  /** The new session brings a prompt of its own. */
  hasPrompt: boolean;
  keepAlive: boolean;
  resumeFailed: boolean;
};

/** The state with all records held; `continues` where a new run has to continue the work of an ended one. */
export type Imported = { state: AgentState; continues: boolean };

/**
 * Without a run and without `continues` there is nothing to do but answer with the result, or take a prompt. Codes: Checkpoint.Failed, Checkpoint.NothingToContinue, and those of a broken state.
 */
export function toImportedState(
  checkpoint: Checkpoint,
  records: LogRecord[],
  options: ImportOptions,
): Parsed<Imported> {
  const { session, status, result } = checkpoint;
  if (!session)
    return refuse('Invalid', 'session: expected an object; "holdfast checkpoint export" writes it');
  const parsed = parseState(session.state);
  if (!parsed.ok) return refuse(parsed.code.replace('State.', ''), parsed.reason);
  if (status === 'failed' && !options.resumeFailed) {
    const why = result?.error ? ` (${result.error.message})` : '';
    return refuse('Failed', `its run failed${why}: set resumeFailed to continue it`);
  }
  if (status === 'completed' && !result)
    return refuse('Invalid', 'result: expected one, as the status is completed');
  const { run: open, ...rest } = parsed.value;
  const log: LogState = { records, nextSeq: records.length + 1, segments: [] };
  const state: AgentState = {
    ...rest,
    ...{ sessionId: options.sessionId, status: 'idle', log },
    view: viewOver(rest.view, log),
    ...(result ? { lastResult: result } : {}),
  };
  if (open) {
    const run = goOn(open, session.state.sessionId, checkpoint, options);
    return { ok: true, value: { state: { ...state, run }, continues: false } };
  }
  if (status === 'completed' || options.hasPrompt) return { ok: true, value: { state, continues: false } };
  const continues = continuationOf(state, { steering: 0, followUp: 0 }) !== undefined;
  if (continues || options.keepAlive) return { ok: true, value: { state, continues } };
  return refuse('NothingToContinue', 'its last message is an answer, and no prompt is given: give one');
}

/** A view whose first record is missing is the full one (COND-19). No worker of the new session has seen any of it. */
function viewOver(view: ViewState, log: LogState): ViewState {
  const known = view.fromSeq === 1 || view.fromSeq < log.nextSeq;
  return known ? { ...view, sentSeq: log.nextSeq - 1 } : beginEpoch({ log, view }, { fromSeq: 1 });
}

function goOn(
  run: RunState,
  origin: string,
  { created_at: exportedAt }: Checkpoint,
  { now }: ImportOptions,
): RunState {
  const { end, ...rest } = run;
  const stopped = end?.status === 'aborted';
  return {
    ...rest,
    // the time in between is no time of the run
    startedAt: Math.max(0, now - Math.max(0, Date.parse(exportedAt) - run.startedAt)),
    batch: run.batch.map((entry) => (entry.answer ? entry : reopen(entry, origin))),
    ...(end && !stopped ? { end } : {}),
  };
}

const unknownOutcome =
  'Outcome unknown: the session that made this call was left while the tool ran, so it may have taken effect or not. ' +
  'Verify with a read before you repeat it.';

/** `once` is never run again; the others keep the key that they have run under. */
function reopen(entry: BatchCall, origin: string): BatchCall {
  const { call, prepared, started } = entry;
  const once = prepared.status === 'ready' && prepared.effect === 'once';
  if (once && started) return { ...entry, answer: errorAnswer(entry, unknownOutcome, 'unknown') };
  const idempotencyKey = entry.idempotencyKey ?? `${origin}/${call.callId}`;
  return { ...entry, started: false, idempotencyKey };
}

function refuse(code: string, reason: string): { ok: false; code: string; reason: string } {
  return { ok: false, code: `Checkpoint.${code}`, reason };
}
