// The end of a run on one screen: status, side effects, changes, next steps, one line for each claim, and the place of
// the whole report. The cause is last, where it stays in view. Pure.
import {
  describeOver,
  introduceActions,
  behindDecider,
  outcomeOf,
  settledBy,
} from '../../../packages/report/src/run-words.ts';
import { describeMark, lastWordsTitle, objectionsTo } from '../../../packages/report/src/last-words.ts';
import { markOf } from '../../../packages/report/src/marks.ts';
import { type Report, isNoFault } from '../../../packages/report/src/report.ts';
import { headingOf } from '../../../packages/report/src/heading.ts';
import { withShownTimes } from '../../../packages/report/src/shown-times.ts';
import { toReportRef } from '../../../packages/report/src/report-ref.ts';
import type { Colors } from '../colors.ts';
import { paintOf } from './describe-event.ts';
import { toLine } from './plain-text.ts';
import { present } from '../../../packages/base/src/present.ts';
import { counted } from '../../../packages/base/src/words.ts';
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
  return shown.map((line, index) => `${colors.dim((index === 0 ? title : '').padEnd(8))} ${line}`);
}

/** The heading of the report. */
function nowOf(report: Report, colors: Colors): string[] {
  const heading = headingOf(report);
  return heading === undefined ? [] : [`${colors.dim('now'.padEnd(8))} ${colors.bold(toLine(heading, 200))}`];
}

/** Gaps in the words of the agent; what code found is among the actions, or in the report. */
function gapLines({ gaps }: Report): string[] {
  return gaps
    .filter(({ source, closedBy }) => source === 'model' && closedBy === undefined)
    .map(({ text }) => toLine(text, 300));
}

function gradeOf(report: Report, colors: Colors): string {
  const { author, grade, agentGrade } = report;
  const { quotes, verifiedQuotes, claims, verifiedClaims } = toReportRef(report, '');
  const share = `${verifiedQuotes}/${quotes} quotes found, ${verifiedClaims}/${claims} claims`;
  const isWhole = verifiedQuotes === quotes && verifiedClaims === claims && author === 'agent';
  const by = author === 'code' ? ' (by code: no report was handed in)' : '';
  const own = agentGrade === undefined ? '' : ` (agent: ${agentGrade})`;
  return `${colors.dim('verdict'.padEnd(8))} ${(isWhole ? colors.green : colors.red)(`${isNoFault(report) ? 'no fault found' : grade}${own}${by || ` · ${share}`}`)}`;
}

/** Warns a person who was asked about such a call; the report has the lines. */
function plantedOf({ run }: Report, colors: Colors): string[] {
  const { instructions: [first, ...more] = [] } = run ?? {};
  if (!first) return [];
  const others = more.length === 0 ? '' : ` and ${counted(more.length, 'other call')}`;
  const words = `stopped: ${toLine(first.call, 100)}${others}, whose words stood in an output of ${toLine(first.foundIn.call, 100)}`;
  return [`${colors.dim('planted'.padEnd(8))} ${colors.red(words)}`];
}

const shownMarks = 2;

/** Objections to the last words of the agent, which are above; the report has all of them. */
function markedOf({ run }: Report, colors: Colors): string[] {
  return (run?.wordMarks ?? [])
    .slice(0, shownMarks)
    .map(
      (mark) =>
        `${colors.dim('words'.padEnd(8))} ${colors.red(toLine(`${lastWordsTitle}: ${describeMark(mark)}`, 300))}`,
    );
}

const stillGoing = { yes: 'still going on', unknown: 'not known whether it goes on' };

function impactOf(report: Report): string[] {
  if (!report.impact) return [];
  const { who, since, severity, ongoing } = report.impact;
  const still = ongoing === 'no' ? describeOver(report) : stillGoing[ongoing];
  const words = [still, `since ${since}`, who, severity].map((part) => toLine(part, 200));
  return [`${'impact'.padEnd(8)} ${words.join(' · ')}`];
}

function actionLines(report: Report, colors: Colors): string[] {
  const introduction = introduceActions(report, true);
  const actions = report.run?.actions ?? [];
  return present([
    introduction,
    ...actions.map((action) => {
      const paint = paintOf(colors, action.outcome);
      const settled = settledBy(report, action) ? ', settled by a later read' : '';
      // the action before its reason: the end of a line may be cut
      const why = action.why ?? (action.outcome === 'done' ? undefined : action.reason);
      const because = why === undefined ? '' : ` ("${toLine(why, 200)}")`;
      const outcome = paint(outcomeOf({ outcome: action.outcome }));
      return `${outcome}${toLine(behindDecider(action), 100)}${settled}: ${toLine(action.call, 200)}${because}`;
    }),
  ]);
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
      : `cause    ${toLine(`${rootCause.component} (${rootCause.kind}): ${rootCause.text}`, 600)}`;
  return wrapTo(words, width, causeRows).map((row) => colors.bold(row));
}
