// Cuts a checkpoint back to an earlier moment: the log up to the end of a turn, and nothing later. Pure.
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { defined } from '@holdfast/base/defined';
import { type AgentState, newAgentState, storedIdOf } from '@holdfast/vocabulary/agent-state';
import type { Checkpoint } from '@holdfast/vocabulary/session-input';
import { type LogRecord, describedText, isWholeReply, toolCallsOf } from '@holdfast/vocabulary/messages';
import { type Parsed, refuse } from '@holdfast/base/json';
import { cutToBytes } from '@holdfast/base/cut-text';
import { taskBytes } from '@holdfast/base/sizes';
import { unfoldCalls } from '@holdfast/view/call-index';
import { beginEpoch } from '@holdfast/view/log';
import { givesSkill, skillMark } from '../agent/skills/skill-text.ts';
import { keepsGroups } from '../state/reduce-context.ts';
import { hypothesesIn } from '@holdfast/report/hypotheses';
import { isHandedIn } from '../state/report.ts';

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
function planAt({ messages, session }: Checkpoint, kept: LogRecord[]): AgentState['plan'] {
  const plan = session?.state.plan;
  const later = (messages.records ?? []).slice(kept.length);
  const changed = later.some(
    (record) =>
      record.runId === plan?.runId && record.role === 'tool_result' && record.toolName === 'update_plan',
  );
  return !changed && kept.some(({ runId }) => runId === plan?.runId) ? plan : undefined;
}

// oxfmt-ignore
type Anew =
  | 'run' | 'context' | 'lastResult' | 'errorMessage' | 'storedAs' | 'toldAt' | 'sentPrefix' | 'prefixReason'
  | 'condenseRequested' | 'budgetAdded' | 'budgetSpent' | 'children' | 'childToolCalls' | 'begunOnce';
/** Every field that goes on, so that the compiler reports a new one without a rule. */
type Forked = { [Field in Exclude<keyof AgentState, Anew>]: AgentState[Field] };

function atEnd(checkpoint: Checkpoint, records: LogRecord[], atTurn: number): Checkpoint {
  const { result: _, session, ...rest } = checkpoint;
  const toSeq = records.length;
  const fresh = newAgentState(session ? storedIdOf(session.state) : '');
  const origin = session?.state ?? fresh;
  const { task, context, flushedSeq, clearedSeq = 0, findings = [], takenBack = [] } = origin;
  const made = new Set(records.flatMap((record) => (record.role === 'tool_result' ? [record.callId] : [])));
  const isMade = ({ callId }: { callId: string }): boolean => made.has(callId);
  const later = [...takenBack, ...findings].filter((one) => !isMade(one)).map(({ id }) => id);
  // a finding that was replaced after the fork point holds again
  const isAgain = ({ by }: { by: string }): boolean => later.includes(by);
  const log = { ...fresh.log, nextSeq: toSeq + 1 };
  const fromSeq = clearedSeq < toSeq ? clearedSeq + 1 : 1;
  const shown = records.slice(fromSeq - 1);
  const hypotheses = hypothesesIn(shown);
  const isRead = (name: string): boolean => shown.some((record) => givesSkill(record, name));
  const read = context?.skills?.filter(({ name }) => isRead(name)).map(skillMark);
  const skills = origin.view.skills?.filter((mark) => read?.includes(mark));
  // all calls, unfolded: the fork begins with the full view
  const calls = origin.calls && unfoldCalls(origin.calls, origin.view.calls);
  const state: Forked = {
    ...fresh,
    task,
    // ids of runs continue after the highest, names of subagents too
    runs: Math.max(0, ...records.map(({ runId }) => Number(/^run-(\d+)$/.exec(runId)?.[1] ?? 0))),
    childIds: origin.childIds,
    findings: [...takenBack.filter(isAgain), ...findings].filter(isMade),
    takenBack: takenBack.filter((one) => isMade(one) && !isAgain(one)),
    said: origin.said?.filter(([seq]) => seq <= toSeq),
    // those of now: a mode that a person has lowered since is not lifted by going back
    settings: origin.settings,
    loadedGroups: keepsGroups(context) ? origin.loadedGroups : undefined,
    loadedSkills: origin.loadedSkills?.filter(isRead),
    flushedSeq: flushedSeq && Math.min(flushedSeq, toSeq),
    reported: shown.some(isHandedIn) ? origin.reported : undefined,
    clearedSeq: fromSeq > 1 ? clearedSeq : undefined,
    plan: planAt(checkpoint, records),
    hypotheses: unlessEmpty(hypotheses),
    calls: calls && { ...calls, calls: calls.calls.filter(([seq]) => seq <= toSeq) },
    lastTask: taskOf(records) || task,
    log,
    // no count of a folded view stands for it
    view: { ...beginEpoch({ log, view: origin.view }, { fromSeq }), ...defined({ skills }) },
  };
  return {
    ...rest,
    id: `${fresh.sessionId}/${toSeq}`,
    iteration: atTurn + 1,
    messages: { segments: [], fromSeq: 1, toSeq, records },
    status: 'in_progress',
    session: { state: defined(state), input: session?.input ?? {} },
  };
}

/** The prompts and follow-ups of the newest run that had any; they are kept as the task beside every summary. */
function taskOf(records: LogRecord[]): string {
  const prompts = records.filter(
    (record) => record.role === 'user' && ['prompt', 'follow_up'].includes(record.origin),
  );
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
