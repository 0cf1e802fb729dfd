// The figures of a report, for results, lists and messages. Pure.
import { cutWords } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';
import { oneLine } from '@holdfast/base/one-line';
import { toReadable } from '@holdfast/base/visible';
import type { ReportRef } from '@holdfast/vocabulary/run-result';
import { headingOf, headlineOf } from './heading.ts';
import { type Gap, type Report, type RootCause, isNoFault, namesCause, quotesOf } from './report.ts';

/** `artifactId` names the Markdown form of the report. */
export function toReportRef(report: Report, artifactId: string): ReportRef {
  const quotes = quotesOf(report);
  return {
    artifactId,
    grade: report.grade,
    quotes: quotes.length + (report.leftOutQuotes?.quotes ?? 0),
    verifiedQuotes: quotes.filter((quote) => quote.verified).length + (report.leftOutQuotes?.found ?? 0),
    ...defined({
      correctedQuotes: quotes.filter(({ namedCallId }) => namedCallId !== undefined).length || undefined,
      nearQuotes: quotes.filter(({ near }) => near).length || undefined,
    }),
    claims: report.claims.length,
    verifiedClaims: report.claims.filter((claim) => claim.verified).length,
    ...defined({
      agentGrade: report.agentGrade,
      byCode: report.author === 'code' || undefined,
      noFault: isNoFault(report) || undefined,
      cause: causeLine(report),
      heading: headingOf(report),
      wordMarks: report.run?.wordMarks,
    }),
  };
}

const causeLength = 300;

/** The root cause on one line; undefined if none is named. */
function causeLine(report: Report): string | undefined {
  if (!namesCause(report)) return undefined;
  const { rootCause, claims } = report;
  const words = rootCause ? describeCause(rootCause) : claims.find(({ role }) => role === 'cause')?.text;
  return words && cutWords(oneLine(toReadable(words)), causeLength);
}

/** Such as `payments (configuration): the pool has 2 places`. */
export function describeCause({ component, kind, text }: RootCause): string {
  return `${component} (${kind}): ${text}`;
}

/** Gaps in the words of the agent that no later read has closed. */
export function unknownsOf({ gaps }: Pick<Report, 'gaps'>): Gap[] {
  return gaps.filter(({ source, closedBy }) => source === 'model' && closedBy === undefined);
}

const titleCharacters = 250;

/** The headline of a completed report; a draft, whose run is not over, has none. */
export function titleOf(report: Report): string {
  return report.run ? cutWords(headlineOf(toReportRef(report, '')), titleCharacters) : 'Report';
}
