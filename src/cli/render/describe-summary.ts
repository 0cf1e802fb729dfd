// The end of a run on one screen: status, side effects, changes, next steps, one line for each claim, and the place of
// the whole report. The cause is last, where it stays in view. Pure.
import {
  describeOngoing,
  introduceActions,
  behindDecider,
  outcomeOf,
  settledBy,
} from '@holdfast/report/run-words';
import { describeMark, lastWordsTitle, objectionsTo } from '@holdfast/report/last-words';
import { describeShortShare, gradeWord, isAllFound, markOf } from '@holdfast/report/marks';
import type { Report } from '@holdfast/report/report';
import { headingOf } from '@holdfast/report/heading';
import { withShownTimes } from '@holdfast/report/shown-times';
import { describeCause, toReportRef, unknownsOf } from '@holdfast/report/report-ref';
import { noReportNote } from '@holdfast/report/verdict';
import type { Colors } from '../colors.ts';
import { paintOf } from './describe-event.ts';
import { toLine } from './plain-text.ts';
import { present } from '@holdfast/base/present';
import { counted } from '@holdfast/base/words';
import { fitLine } from './fit.ts';
import { wrapLine } from './wrap.ts';

export type SummaryPlace = { width: number; height: number; colors: Colors };
export type SummaryParts = {
  /** One line with status and figures. */
  head: string;
  /** The command that prints the whole report; absent if a later line shows it. */
  command?: string;
};

const lowHeight = 20;
/** Rows of one entry above the lists. */
const mostRows = 2;

/** Fewer rows than the terminal has, because the shell's prompt follows. */
export function describeSummary(
  given: Report,
  { head, command }: SummaryParts,
  place: SummaryPlace,
): string[] {
  const report = withShownTimes(given);
  const { width, height, colors } = place;
  const fit = (line: string): string => fitLine(line, width);
  // on a low screen each has one row, so that the lists have some
  const shown = (line: string): string[] => wrapTo(line, width, height < lowHeight ? 1 : mostRows);
  const top = [
    fit(colors.dim(head)),
    ...nowOf(report, colors).flatMap(shown),
    fit(gradeOf(report, colors)),
    ...plantedOf(report, colors).map(fit),
    ...markedOf(report, colors).map(fit),
    ...impactOf(report).flatMap(shown),
  ];
  const cause = causeOf(report, place);
  const whole = command === undefined ? [] : [`whole    ${command}`];
  // the terminal breaks a command, not this code; the last row of the screen is the shell's
  const rows = whole.reduce((sum, line) => sum + Math.ceil(line.length / width), 0);
  const room = height - 1 - top.length - rows - cause.length;
  const lists = [
    { title: 'actions', lines: actionLines(report, colors) },
    { title: 'next', lines: nextLines(report, colors) },
    { title: 'unknown', lines: gapLines(report) },
    { title: 'claims', lines: claimLines(report, colors) },
  ].filter(({ lines }) => lines.length > 0);
  const shares = shareRows(
    lists.map(({ lines }) => lines.length),
    room,
  );
  const middle = lists.flatMap(({ title, lines }, index) =>
    cutList(title, lines, shares[index] ?? 0, colors),
  );
  return [...top, ...middle.map(fit), ...whole, ...cause];
}

/** Gives each list one row in turn, so that a long list leaves room for the others. */
function shareRows(wanted: readonly number[], room: number): number[] {
  const shares = wanted.map(() => 0);
  for (let left = room; left > 0;) {
    const before = left;
    for (const [index, most] of wanted.entries()) {
      if (left === 0 || (shares[index] ?? 0) >= most) continue;
      shares[index] = (shares[index] ?? 0) + 1;
      left -= 1;
    }
    if (left === before) break;
  }
  return shares;
}

/** The last row counts the lines without room. */
function cutList(title: string, lines: readonly string[], rows: number, colors: Colors): string[] {
  if (rows === 0) return [];
  const shown =
    lines.length <= rows
      ? lines
      : [...lines.slice(0, rows - 1), colors.dim(`… ${lines.length - rows + 1} more`)];
  return shown.map((line, index) => row(index === 0 ? title : '', line, colors));
}

/** A row with its name in a column. */
function row(name: string, words: string, colors: Colors): string {
  return `${colors.dim(name.padEnd(8))} ${words}`;
}

/** The heading of the report. */
function nowOf(report: Report, colors: Colors): string[] {
  const heading = headingOf(report);
  return heading === undefined ? [] : [row('now', colors.bold(toLine(heading, 200)), colors)];
}

/** Gaps in the words of the agent; what code found is among the actions, or in the report. */
function gapLines(report: Report): string[] {
  return unknownsOf(report).map(({ text }) => toLine(text, 300));
}

function gradeOf(report: Report, colors: Colors): string {
  const { author, agentGrade } = report;
  const ref = toReportRef(report, '');
  const isWhole = isAllFound(ref) && author === 'agent';
  const own = agentGrade === undefined ? '' : ` (agent: ${agentGrade})`;
  const share = author === 'code' ? ` (${noReportNote})` : ` · ${describeShortShare(ref)}`;
  const words = `${gradeWord(ref)}${own}${share}`;
  return row('verdict', (isWhole ? colors.green : colors.red)(words), colors);
}

/** Warns a person who was asked about such a call; the report has the lines. */
function plantedOf({ run }: Report, colors: Colors): string[] {
  const { instructions: [first, ...more] = [] } = run ?? {};
  if (!first) return [];
  const others = more.length === 0 ? '' : ` and ${counted(more.length, 'other call')}`;
  const words = `stopped: ${toLine(first.call, 100)}${others}, whose words stood in an output of ${toLine(first.foundIn.call, 100)}`;
  return [row('planted', colors.red(words), colors)];
}

const shownMarks = 2;

/** Objections to the last words of the agent, which are above; the report has all of them. */
function markedOf({ run }: Report, colors: Colors): string[] {
  return (run?.wordMarks ?? []).slice(0, shownMarks).map((mark) => {
    const words = toLine(`${lastWordsTitle}: ${describeMark(mark)}`, 300);
    return row('words', colors.red(words), colors);
  });
}

function impactOf(report: Report): string[] {
  if (!report.impact) return [];
  const { who, since, severity } = report.impact;
  const words = [describeOngoing(report.impact, report), `since ${since}`, who, severity].map((part) =>
    toLine(part, 200),
  );
  return [`${'impact'.padEnd(8)} ${words.join(' · ')}`];
}

function actionLines(report: Report, colors: Colors): string[] {
  const actions = report.run?.actions ?? [];
  const lines = actions.map((action) => {
    const paint = paintOf(colors, action.outcome);
    const settled = settledBy(report, action) ? ', settled by a later read' : '';
    // the action before its reason: the end of a line may be cut
    const why = action.why ?? (action.outcome === 'done' ? undefined : action.reason);
    const because = why === undefined ? '' : ` ("${toLine(why, 200)}")`;
    const outcome = paint(outcomeOf({ outcome: action.outcome }));
    return `${outcome}${toLine(behindDecider(action), 100)}${settled}: ${toLine(action.call, 200)}${because}`;
  });
  return present([introduceActions(report, true), ...lines]);
}

/** Objections come first: the end of a line may be cut. */
function nextLines({ recommended = [] }: Report, colors: Colors): string[] {
  return recommended.map((each) => {
    const objections = objectionsTo(each).join('; ');
    return `${objections === '' ? '' : `${colors.red(`[${toLine(objections, 200)}]`)} `}${toLine(each.text, 400)}`;
  });
}

function claimLines({ claims }: Report, colors: Colors): string[] {
  return claims.map((claim) => {
    const mark = claim.verified ? colors.green('✓') : colors.red(`✗ ${markOf(claim)}:`);
    return `${mark} ${toLine(claim.text, 400)}`;
  });
}

/** The last row says if it is not the end. */
function wrapTo(line: string, width: number, most: number): string[] {
  const rows = wrapLine(line, width);
  if (rows.length <= most) return rows;
  return [...rows.slice(0, most - 1), fitLine(`${rows[most - 1]} …`, width)];
}

const causeRows = 4;

/** For a report without a cause, its summary. */
function causeOf({ rootCause, summary }: Report, { width, colors }: SummaryPlace): string[] {
  const words =
    rootCause === undefined
      ? `summary  ${toLine(summary, 600)}`
      : `cause    ${toLine(describeCause(rootCause), 600)}`;
  return wrapTo(words, width, causeRows).map((row) => colors.bold(row));
}
