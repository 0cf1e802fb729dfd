// The result of a run, for people: with its plan, its changes and its evidence. Pure.
import type { Colors } from '../colors.ts';
import type { HistorySize } from '../../client/history-size.ts';
import { typed } from '../../config/command-line.ts';
import { paintOf } from './describe-event.ts';
import { describeStatus } from './describe-status.ts';
import { toCount, toLine, toPlain } from './plain-text.ts';
import { describeOutcome } from '@holdfast/vocabulary/call-outcome';
import { type Usage, addUsage, inputTotal, noUsage } from '@holdfast/vocabulary/messages';
import { countLine, countsOf, hypothesesText } from '../../core/agent/hypotheses/hypotheses-text.ts';
import { planText, progressLine } from '../../core/agent/plan/plan-text.ts';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';
import type { RunResult } from '@holdfast/vocabulary/run-result';
import { describeAdjusted, describeGrade, describeShortShare, isAllFound } from '@holdfast/report/marks';
import { byCodeNote } from '@holdfast/report/verdict';
import { lastWordsText } from '@holdfast/report/last-words';
import { present } from '@holdfast/base/present';
import { counted, describeCost, toDuration } from '@holdfast/base/words';

/** Renders answers and reports; without it they are shown unchanged. */
export type ShowMarkdown = (markdown: string) => string;
export type ReportPart = { report?: string | undefined; show?: ShowMarkdown };

/** Replaces the commands of a stored report, which are for any machine, by pasteable ones. Never in the lines of a quote. */
export function withPasteable(markdown: string): string {
  const commands = /^( *(?:More: |- |- The whole session: )`)holdfast (?=(?:output|show) )/gm;
  return markdown.replaceAll(commands, (_, before: string) => `${before}${typed('')}`);
}

/** Several lines, with the whole answer and report. */
export function describeResult(
  result: RunResult,
  colors: Colors,
  { report = '', show = toPlain }: ReportPart = {},
): string {
  return join([
    describeStatus(result, colors),
    planLines(result).join('\n'),
    show(composeAnswer(result)).trim(),
    show(withPasteable(report)).trim(),
    changeLines(result, colors).join('\n'),
    describeCompletion(result, colors),
    describeEvidence(result, colors),
  ]);
}

/** The verdict of the report, and the last words of the agent behind it; without a report the words alone. */
export function composeAnswer(result: Pick<RunResult, 'answer' | 'lastWords' | 'report'>): string {
  return [result.answer.trim(), lastWordsText(result)].filter(Boolean).join('\n\n');
}

/** The same for people who have just seen the run end: without status and answer, which were its last lines. */
export function describeReport(
  result: RunResult,
  colors: Colors,
  { report = '', show = toPlain }: ReportPart = {},
): string {
  return join([show(withPasteable(report)).trim(), describeEvidence(result, colors)]);
}

function join(parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Turns, tokens, cost, time, and the size of the history if known. */
export function describeFigures(result: RunResult, history?: Pick<HistorySize, 'events' | 'bytes'>): string {
  const usage = Object.values(result.usage).reduce<Usage>((sum, part) => addUsage(sum, part), noUsage);
  return present([
    counted(result.turns, 'turn'),
    counted(result.toolCalls, 'tool call'),
    `${toCount(inputTotal(usage))} tokens in, ${toCount(usage.output)} out${usage.estimated ? ' (estimated)' : ''}`,
    describeCost(result),
    toDuration(result.endedAt - result.startedAt),
    ...failedCondensesOf(result),
    history && `history ${counted(history.events, 'event')}, ${Math.round(history.bytes / 1024)} KiB`,
  ]).join(' · ');
}

export function failedCondensesOf({ failedCondenses = 0 }: Pick<RunResult, 'failedCondenses'>): string[] {
  return failedCondenses === 0 ? [] : [counted(failedCondenses, 'failed condense')];
}

function changeLines({ changes = [] }: RunResult, colors: Colors): string[] {
  if (changes.length === 0) return [];
  const lines = changes.map(({ call, outcome, why }) => {
    const words = toLine(describeOutcome(outcome, why), 240);
    return `  ${paintOf(colors, outcome)(words)}: ${toLine(call, 200)}`;
  });
  return ['changes', ...lines];
}

/** The completion that a subagent has reported to its parent. */
function describeCompletion({ completion }: RunResult, colors: Colors): string {
  if (!completion) return '';
  const { status, summary, caveats = '' } = completion;
  const paint = status === 'completed' ? colors.green : colors.red;
  return [paint(`task ${status}`), ...[summary, caveats].filter((text) => text !== '').map(toPlain)].join(
    '\n',
  );
}

/** E.g. `7/7 quotes found, 3/3 claims, grade likely (agent: confirmed)`. */
function describeEvidence({ report }: RunResult, colors: Colors): string {
  if (!report) return '';
  if (report.byCode) return colors.red(byCodeNote);
  const text = `${describeShortShare(report, describeAdjusted(report))}, grade ${describeGrade(report)}`;
  return isAllFound(report)
    ? colors.green(text)
    : colors.red(`${text} (claims without their quotes are marked)`);
}

export function hypothesesLines({ hypotheses = [] }: Pick<Snapshot, 'hypotheses'>): string[] {
  if (hypotheses.length === 0) return [];
  const lines = hypothesesText(hypotheses).split('\n');
  return [`hypotheses ${countLine(countsOf(hypotheses))}`, ...lines.map((line) => `  ${toPlain(line)}`)];
}

export function planLines({ plan }: Pick<RunResult, 'plan'>): string[] {
  if (!plan) return [];
  const lines = planText(plan.steps)
    .split('\n')
    .map((line) => `  ${toPlain(line)}`);
  return [`plan     ${toLine(progressLine(plan.steps), 200)}`, ...lines];
}
