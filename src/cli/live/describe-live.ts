// The pinned rows of the live view, from its state: thinking, output, plan, hypotheses, trouble with a countdown, and the
// status line. Pure.
import { countLine } from '../../core/agent/hypotheses/hypotheses-text.ts';
import { describeCost, toDuration, toTimeLeft, counted } from '@holdfast/base/words';
import { markLines } from '@holdfast/base/visible';
import { tokensOf } from '@holdfast/vocabulary/messages';
import type { Colors } from '../colors.ts';
import { withTyped } from '../../config/command-line.ts';
import { toCount, toLine, toPlain } from '../render/plain-text.ts';
import { fitLine, widthOf } from '../render/fit.ts';
import { wrapLine, wrapText } from '../render/wrap.ts';
import { describeNextAttempt, nameCall } from './calls-in-flight.ts';
import type { RunProgress, Snapshot } from '@holdfast/vocabulary/snapshot';
import type { LiveState, Tick } from './live-state.ts';

export type Canvas = { width: number; colors: Colors };

const thinkingRows = 3;
const outputRows = 4;

/** The rows above the status line. */
export function describeActivity(state: LiveState, moment: Tick, place: Canvas): string[] {
  return [
    ...thinkingOf(state, place),
    ...outputOf(state, place),
    ...callsOf(state, moment, place),
    ...sentOf(state, place),
    ...booksOf(state, place),
    ...troubleOf(state, moment, place),
  ];
}

function thinkingOf({ model }: LiveState, { width, colors }: Canvas): string[] {
  if (!model || model.writes || model.thinking.trim() === '') return [];
  const words = toPlain(model.thinking).trim();
  const rows = wrapText(markLines(words.replaceAll(/\s*\n\s*/g, '\n')), width);
  return rows.slice(-thinkingRows).map((row) => colors.dim(row));
}

function outputOf({ calls, newestOutput = '' }: LiveState, { width, colors }: Canvas): string[] {
  const call = calls.get(newestOutput);
  const lines = toPlain(call?.partial ?? '')
    .replaceAll('\t', '  ')
    .trimEnd()
    .split('\n');
  if (!call || lines.join('') === '') return [];
  const head = calls.size > 1 ? [`  ${toLine(call.summary, width)}`] : [];
  const shown = lines.slice(-outputRows).map((line) => `    | ${line}`);
  return [...head, ...shown].map((row) => colors.dim(fitLine(row, width)));
}

const callRows = 6;

/** Several concurrent calls have a row each; a single one is in the status line. */
function callsOf({ calls }: LiveState, { now }: Tick, { width, colors }: Canvas): string[] {
  if (calls.size < 2) return [];
  const rows = [...calls.values()].map(
    ({ summary, since }) => `  → ${toLine(summary, 200)} · ${toSpan(now - since)}`,
  );
  const shown =
    rows.length <= callRows
      ? rows
      : [...rows.slice(0, callRows - 1), `  … ${rows.length - callRows + 1} more`];
  return shown.map((row) => colors.cyan(fitLine(row, width)));
}

/** Sent messages; once taken, a message is in the history. */
function sentOf({ sent, phase }: LiveState, { width, colors }: Canvas): string[] {
  const end = ` · ${phase === 'ended' ? 'no run has read it; it goes with the next task' : 'sent; the agent reads it before its next turn'}`;
  return [...sent.values()].map((words) =>
    colors.magenta(
      `${fitLine(`  » ${toLine(words, 300) || 'a message from elsewhere'}`, width - widthOf(end))}${end}`,
    ),
  );
}

function booksOf({ plan, hypotheses, phase }: LiveState, { width, colors }: Canvas): string[] {
  const step = plan?.step ? `: ${toLine(plan.step, 200)}` : '';
  const rows = [
    plan && `☰ plan ${plan.done}/${plan.total}${step}`,
    hypotheses && `☰ hypotheses ${countLine(hypotheses)}`,
  ];
  return phase === 'ended' ? [] : rows.flatMap((row) => (row ? [colors.cyan(fitLine(row, width))] : []));
}

/** Waiting retries, and silent workers. */
function troubleOf({ look }: LiveState, { now, at }: Tick, { width, colors }: Canvas): string[] {
  const lines = [
    ...look.silences.map(({ call, worker, since, heartbeatTimeoutMs }) => {
      const silent = seconds(now - since);
      return `! worker ${toLine(worker, 60)} silent ${silent} in ${nameCall(call)}, taken over at ${seconds(heartbeatTimeoutMs)}`;
    }),
    ...look.retries.map(
      (retry) =>
        `! ${nameCall(retry.call)}: ${describeNextAttempt(retry, at)}: ${toLine(withTyped(retry.message), 300)}`,
    ),
  ];
  return lines.map((line) => colors.yellow(fitLine(line, width)));
}

function seconds(ms: number): string {
  return `${Math.floor(ms / 1_000)} s`;
}

/** Whole seconds, because it is drawn once a second. */
function toSpan(ms: number): string {
  return ms < 60_000 ? seconds(Math.max(ms, 0)) : toDuration(ms);
}

/** Turn and present work, then cost and nearest limit. Two rows if one is too short. */
export function describeNow(state: LiveState, moment: Tick, { width, colors }: Canvas): string[] {
  const isWaiting = state.waits.size > 0;
  const work = `${isWaiting ? '?' : '●'} ${state.turn ? `turn ${state.turn} · ` : ''}${describeWork(state, moment)}`;
  const paint = isWaiting ? colors.yellow : state.phase === 'ended' ? colors.dim : colors.cyan;
  const facts = factsOf(state, moment);
  if (facts.length === 0) return [paint(fitLine(work, width))];
  const tail = ` · ${facts.join(' · ')}`;
  const room = width - widthOf(tail);
  if (room >= Math.min(leastWork, widthOf(work))) return [`${paint(fitLine(work, room))}${colors.dim(tail)}`];
  return [paint(fitLine(work, width)), colors.dim(fitLine(`  ${facts.join(' · ')}`, width))];
}

/** Columns; the name of a call needs at least these. */
const leastWork = 60;

/** The present work, and its duration. */
function describeWork(
  { phase, model, calls, waits, children }: LiveState,
  { now, isAsking = false }: Tick,
): string {
  const [waiting] = waits.values();
  if (waiting) {
    const more = waits.size > 1 ? ` and ${waits.size - 1} more` : '';
    return `waits for ${isAsking ? 'you' : toLine(waiting.text, 200)}${more}, ${toSpan(now - waiting.since)}`;
  }
  if (phase === 'condensing') return 'condensing the view';
  const [call] = calls.values();
  if (call) {
    const beside = children.size > 0 ? ` and ${counted(children.size, 'subagent')}` : '';
    const words = calls.size > 1 ? counted(calls.size, 'call') : toLine(call.summary, 200);
    return `${toSpan(now - call.since)} ${words}${beside}`;
  }
  if (model) {
    const verb = model.writes ? 'writes' : model.thinking === '' ? 'is asked' : 'thinks';
    return `model ${verb}, ${toSpan(now - model.since)}`;
  }
  return phase === 'running' ? 'working' : phase;
}

/** The most important first. */
function factsOf({ spent, startedAt, phase, waits }: LiveState, { at }: Tick): string[] {
  const budget = spent?.budget ?? {};
  const run = spent?.run;
  const elapsed = startedAt === undefined || phase === 'ended' ? undefined : Math.max(0, at - startedAt);
  const cost = spent && describeSpent({ ...spent, costUsd: run?.costUsd ?? spent.costUsd });
  const tokens = spent && (run?.tokens ?? tokensOf(spent.usage));
  const limit = budget.tokens === undefined ? '' : ` of ${toCount(budget.tokens)}`;
  const facts = [
    elapsed === undefined ? undefined : toSpan(elapsed),
    cost,
    tokens === undefined ? undefined : `${toCount(tokens)}${limit} tokens`,
    spent && nearestLimit(spent, { at, isWaiting: waits.size > 0 }),
  ];
  return facts.filter((fact) => fact !== undefined);
}

/** No limit after `cost unknown`, because a budget in money does not count it. */
function describeSpent(spent: Pick<Snapshot, 'costUsd' | 'costUnknown' | 'budget'>): string {
  const { costUsd: limit } = spent.budget;
  const of = limit === undefined || (spent.costUnknown && spent.costUsd === 0) ? '' : ` of $${limit}`;
  return `${describeCost(spent)}${of}`;
}

/** The person's text in rows after a mark, and the cursor's place in them. */
export function describeInput(
  line: string,
  cursor: number,
  { width, colors }: Canvas,
): { rows: string[]; row: number; column: number } {
  const inner = Math.max(width - 3, 1);
  // of a long paste, only the rows around the cursor
  const from = Math.max(0, cursor - 4 * inner);
  const rows = chunks(line.slice(from, cursor + inner), inner);
  const before = chunks(line.slice(from, cursor), inner);
  const mark = colors.bold('>');
  return {
    rows: rows.map((row, index) => `${index === 0 ? mark : ' '} ${row}`),
    row: before.length - 1,
    column: 2 + widthOf(before.at(-1) ?? ''),
  };
}

/** Broken anywhere, so that typed text does not jump. */
function chunks(text: string, width: number): string[] {
  const rows = [''];
  for (const { segment } of new Intl.Segmenter().segment(
    toPlain(text).replaceAll('\n', '⏎').replaceAll('\t', '⇥'),
  )) {
    const last = rows.at(-1) ?? '';
    if (widthOf(last + segment) > width) rows.push(segment);
    else rows[rows.length - 1] = last + segment;
  }
  return rows;
}

export function describeQuestionRows(question: string, { width, colors }: Canvas): string[] {
  return wrapLine(question.trim(), width).map((row) => colors.yellow(row));
}

/** A limit of the run; `words` follow "nearest limit: ". */
type Limit = { used: number; limit: number | undefined; words: string };

/** Below it turns are only a number: nobody knows how many a run needs. */
const nearShare = 0.75;

/**
 * E.g. `nearest limit: turn 80 of 100`; undefined without a run or a limit, and for turns that are not near theirs. `at` in ms of the wall clock. While a person
 * is waited for, the budget of time does not run and is left out.
 */
export function nearestLimit(
  { run, budget, costUnknown }: Pick<Snapshot, 'run' | 'budget' | 'costUnknown'>,
  { at, isWaiting }: { at: number; isWaiting: boolean },
): string | undefined {
  if (!run) return undefined;
  const { maxTurns, responses, turns, toolCalls, tokens, costUsd } = run;
  const limits: Limit[] = [
    { used: responses, limit: maxTurns || undefined, words: `turn ${responses} of ${maxTurns}` },
    { used: turns, limit: budget.turns, words: `turn ${turns} of ${budget.turns} in all` },
    { used: toolCalls, limit: budget.toolCalls, words: `call ${toolCalls} of ${budget.toolCalls}` },
    { used: tokens, limit: budget.tokens, words: 'tokens' },
    { used: costUsd, limit: costUnknown ? undefined : budget.costUsd, words: 'cost' },
    timeLimit(at - run.workFrom, isWaiting ? undefined : budget.wallMs, ' of work'),
    deadlineLimit(run, at),
  ];
  const shares = limits.flatMap(({ used, limit, words }) =>
    limit === undefined ? [] : [{ share: used / limit, words }],
  );
  const [nearest] = shares.toSorted((one, other) => other.share - one.share);
  if (!nearest || (nearest.words.startsWith('turn ') && nearest.share < nearShare)) return undefined;
  return `nearest limit: ${nearest.words}`;
}

function deadlineLimit({ startedAt, deadline }: RunProgress, at: number): Limit {
  return timeLimit(at - startedAt, deadline === undefined ? undefined : deadline - startedAt, '');
}

function timeLimit(used: number, limit: number | undefined, of: string): Limit {
  return { used, limit, words: `${toTimeLeft(Math.max(0, (limit ?? 0) - used))}${of} left` };
}
