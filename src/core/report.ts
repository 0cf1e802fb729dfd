// A report with its evidence checked: what the tool report writes and what programs read. Plain JSON, pure.
import type { ReportRef } from './run-result.ts';

/** Where a quote stands in the stored output of its call; lines and characters count from 1. */
export type QuotePosition = { artifactId: string; line: number; character: number };

export type CheckedQuote = {
  callId: string;
  quote: string;
  verified: boolean;
  position?: QuotePosition;
  /** Why it is not verified. */
  reason?: string;
};

/** `verified` only where there is a quote and every quote is. */
export type CheckedClaim = { text: string; verified: boolean; quotes: CheckedQuote[] };

/** `source: code` gaps were found in the transcript, whatever the model wrote. */
export type Gap = { text: string; source: 'model' | 'code'; callId?: string };

export type Report = {
  version: 1;
  sessionId: string;
  runId: string;
  turn: number;
  summary: string;
  grade: ReportRef['grade'];
  claims: CheckedClaim[];
  ruledOut: string[];
  gaps: Gap[];
  timeline?: { at: string; event: string }[];
};

/** The figures of a report, under the name of its Markdown form. */
export function toReportRef(report: Report, artifactId: string): ReportRef {
  const quotes = report.claims.flatMap((claim) => claim.quotes);
  return {
    artifactId,
    grade: report.grade,
    quotes: quotes.length,
    verifiedQuotes: quotes.filter((quote) => quote.verified).length,
    claims: report.claims.length,
    verifiedClaims: report.claims.filter((claim) => claim.verified).length,
  };
}

/** A report is stored twice: as Markdown, which ReportRef names, and as JSON beside it. */
export function reportJsonName(markdownName: string): string {
  return markdownName.replace(/\.md$/, '.json');
}
