// A report with its evidence checked: what the tool report writes and what programs read. Plain JSON, pure.
import type { ReportRef } from '../model/run-result.ts';

/** The place of a quote in the stored output of its call; lines and characters count from 1. */
export type QuotePosition = { artifactId: string; line: number; character: number };

/** The call that an output came from. */
export type QuoteSource = {
  tool: string;
  /** Instance name of the session that made it, where this one has delegated to it. */
  agent?: string;
  /** The main arguments of the call (URL, file, command) on one line, without secrets; empty where it has none. */
  argument: string;
  /** Of the URL, of an argument `host`, or the task queue whose workers run the tool. */
  host?: string;
  /** When the result entered the log: ISO 8601, UTC. */
  at: string;
};

export type CheckedQuote = {
  callId: string;
  quote: string;
  /** The quote was found, character by character. Nothing is said about the claim. */
  verified: boolean;
  position?: QuotePosition;
  /** Why it was not found. */
  reason?: string;
  /** Absent where the session has no such call. */
  source?: QuoteSource;
};

/** `verified` only where there is a quote and every quote was found. */
export type CheckedClaim = { text: string; verified: boolean; quotes: CheckedQuote[] };

/**
 * `source: code` gaps were found in the transcript, whatever the model wrote. `closedBy`: the outcome of the call was
 * unknown, and this quote of a later read tells it.
 */
export type Gap = { text: string; source: 'model' | 'code'; callId?: string; closedBy?: CheckedQuote };

/** `grade` is the agent's own. */
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
  /** Of a run that changed nothing: only its reads were executed. */
  dryRun?: true;
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

/**
 * Finds quotes in one text, which is normalised once for all of them: line and character of the first place, counted from 1;
 * undefined where it is not there.
 */
export function quoteFinder(
  text: string,
): (quote: string) => Pick<QuotePosition, 'line' | 'character'> | undefined {
  const source = normalise(text);
  return (quote) => {
    const wanted = normalise(quote).replaceAll(/^\n+|\n+$/g, '');
    if (wanted.trim() === '') return undefined;
    const at = source.indexOf(wanted);
    if (at < 0) return undefined;
    const before = source.slice(0, at);
    const lineStart = before.lastIndexOf('\n') + 1;
    return { line: before.split('\n').length, character: at - lineStart + 1 };
  };
}

function normalise(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.replace(/[ \t]+$/, ''))
    .join('\n');
}
