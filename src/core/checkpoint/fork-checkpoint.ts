// Cuts a checkpoint back to an earlier moment: the log up to the end of a turn, and nothing later. Pure.
import { type AgentState, newAgentState, keyOf } from '../model/agent-state.ts';
import type { Checkpoint } from '../model/session-input.ts';
import { type LogRecord, describedText, isWholeReply, toolCallsOf } from '../model/messages.ts';
import { type Parsed, refuse } from '../base/json.ts';
import { cutToBytes } from '../base/cut-text.ts';
import { taskBytes } from '../base/sizes.ts';
import { unfoldCalls } from '../view/call-index.ts';
import { beginEpoch } from '../view/log.ts';
import { keepsGroups } from '../state/reduce-context.ts';

/** Default run: the newest one in the log. */
export type ForkPoint = { atTurn: number; run?: string };

/**
 * The checkpoint at the end of that turn, with the full view since the last reset and no run. Refuses with
 * Fork.NoSuchTurn if the log has no such turn, and with Fork.TurnOpen if the turn is not over. The document must have
 * all its records from 1 on.
 */
export function forkCheckpoint(checkpoint: Checkpoint, { atTurn, run }: ForkPoint): Parsed<Checkpoint> {
  const { records = [] } = checkpoint.messages;
  const runs = [...new Set(records.map(({ runId }) => runId))].filter((runId) => runId !== '');
  const runId = run ?? runs.at(-1);
  const ofRun = records.filter((record) => record.runId === runId);
  const lastTurn = Math.max(0, ...ofRun.map(({ turn }) => turn));
  const last = ofRun.findLast((record) => record.turn === atTurn);
  if (runId === undefined || last === undefined) {
    const known = runs.includes(runId ?? '')
      ? `${runId} has turns 1 to ${lastTurn}`
      : `the runs are ${runs.join(', ') || 'none'}`;
    return refuse('Fork.NoSuchTurn', `there is no turn ${atTurn} of ${runId ?? 'any run'}: ${known}`);
  }
  const kept = records.filter(({ seq }) => seq <= last.seq);
  if (hasOpenCall(kept))
    return refuse('Fork.TurnOpen', `turn ${atTurn} of ${runId} is not over: its calls have no results yet`);
  return { ok: true, value: atEnd(checkpoint, kept, atTurn) };
}

/**
 * Keeps the plan if nothing after the fork point changed it. An older plan is not in the state, only its words in the
 * log.
 */
function planAt({ messages, session }: Checkpoint, kept: LogRecord[]): Pick<AgentState, 'plan'> {
  const plan = session?.state.plan;
  const later = (messages.records ?? []).slice(kept.length);
  const changed = later.some(
    (record) =>
      record.runId === plan?.runId && record.role === 'tool_result' && record.toolName === 'update_plan',
  );
  return plan && !changed && kept.some(({ runId }) => runId === plan.runId) ? { plan } : {};
}

/** All calls, unfolded: the fork begins with the full view. */
function callsAt({ session }: Checkpoint, kept: LogRecord[]): Pick<AgentState, 'calls'> {
  const { calls, view } = session?.state ?? {};
  if (!calls) return {};
  const all = unfoldCalls(calls, view?.calls);
  return { calls: { ...all, calls: all.calls.filter(([seq]) => seq <= kept.length) } };
}

function atEnd(checkpoint: Checkpoint, records: LogRecord[], atTurn: number): Checkpoint {
  const { result: _, session, ...rest } = checkpoint;
  // ids of runs continue after the highest
  const runs = Math.max(0, ...records.map(({ runId }) => Number(/^run-(\d+)$/.exec(runId)?.[1] ?? 0)));
  const { task = '', findings = [], takenBack = [], said = [], settings } = session?.state ?? {};
  const { context, loadedGroups, clearedSeq = 0 } = session?.state ?? {};
  const sessionId = session ? keyOf(session.state) : '';
  const made = new Set(records.flatMap((record) => (record.role === 'tool_result' ? [record.callId] : [])));
  const isMade = ({ callId }: { callId: string }): boolean => made.has(callId);
  const later = [...takenBack, ...findings].filter((one) => !isMade(one)).map(({ id }) => id);
  // a finding that was replaced after the fork point holds again
  const [again, gone] = [true, false].map((is) => takenBack.filter(({ by }) => later.includes(by) === is));
  const pinned = [...(again ?? []), ...findings].filter(isMade);
  const fresh = newAgentState(sessionId);
  const log = { ...fresh.log, nextSeq: records.length + 1 };
  const fromSeq = clearedSeq < records.length ? clearedSeq + 1 : 1;
  const state: AgentState = {
    ...fresh,
    task,
    runs,
    ...(pinned.length > 0 ? { findings: pinned } : {}),
    ...(gone && gone.length > 0 ? { takenBack: gone.filter(isMade) } : {}),
    ...(said.length > 0 ? { said: said.filter(([seq]) => seq <= records.length) } : {}),
    // those of now: a mode that a person has lowered since is not lifted by going back
    ...(settings ? { settings } : {}),
    ...(loadedGroups && keepsGroups(context) ? { loadedGroups } : {}),
    ...(fromSeq > 1 ? { clearedSeq } : {}),
    ...planAt(checkpoint, records),
    ...callsAt(checkpoint, records),
    lastTask: taskOf(records) || task,
    log,
    // no count of a folded view stands for it
    view: beginEpoch({ log, view: session?.state.view ?? fresh.view }, { fromSeq }),
  };
  return {
    ...rest,
    id: `${sessionId}/${records.length}`,
    iteration: atTurn + 1,
    messages: { segments: [], fromSeq: 1, toSeq: records.length, records },
    status: 'in_progress',
    session: { state, input: session?.input ?? {} },
  };
}

/** The prompts of the newest run that had any; they are kept as the task beside every summary. */
function taskOf(records: LogRecord[]): string {
  const prompts = records.filter((record) => record.role === 'user' && record.origin === 'prompt');
  const words = prompts.filter(({ runId }) => runId === prompts.at(-1)?.runId).map(describedText);
  return cutToBytes(words.join('\n\n'), taskBytes);
}

function hasOpenCall(records: LogRecord[]): boolean {
  const at = records.findLastIndex(({ role }) => role === 'assistant');
  const reply = records[at];
  if (!reply || !isWholeReply(reply)) return false;
  const answered = records
    .slice(at)
    .flatMap((record) => (record.role === 'tool_result' ? [record.callId] : []));
  return toolCallsOf(reply).some(({ callId }) => !answered.includes(callId));
}
