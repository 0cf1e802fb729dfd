// A report with its evidence checked: what the tool report and the end of a run write, and what programs read. Plain JSON,
// pure.
import type { ReportRef } from '../model/run-result.ts';
import type { RunFacts } from './run-facts.ts';

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
  /** When the call ended: ISO 8601, UTC. */
  at: string;
};

export type CheckedQuote = {
  callId: string;
  quote: string;
  /** The call that the agent named: the quote is in no output of the session but that of `callId`, in one place. */
  namedCallId?: string;
  /** The quote was found. Nothing is said about the claim. */
  verified: boolean;
  /** Found but for blanks, tabs, backticks or line numbers; absent: character by character. */
  isNear?: true;
  position?: QuotePosition;
  /** Why it does not count as found. */
  reason?: string;
  /** It was found, but does not carry a claim alone: why (a table header, the output of a failed call). */
  weak?: string;
  /** Kinds of secrets that were taken out of it before it was stored: the text that was there is not known. */
  redacted?: string[];
  /** The stored lines around it, long ones cut; `fromLine` counts from 1. */
  context?: { fromLine: number; lines: string[] };
  /** Absent where the session has no such call. */
  source?: QuoteSource;
};

export type Confidence = 'high' | 'medium' | 'low';

/** `verified` only where there is a quote, every quote was found, and one of them is not weak. */
export type CheckedClaim = {
  text: string;
  role?: 'cause' | 'effect' | 'background';
  confidence?: Confidence;
  verified: boolean;
  /** Why quotes that were found do not carry it. */
  reason?: string;
  quotes: CheckedQuote[];
};

/** Words of the model, with the quotes that it gave for them. */
export type QuotedText = { text: string; quotes: CheckedQuote[] };

export type TimelineEntry = { at: string; event: string; quotes: CheckedQuote[] };

/** Who is affected, since when, how badly, and whether it is still happening. */
export type Impact = { who: string; since: string; severity: string; ongoing: 'yes' | 'no' | 'unknown' };

export type RootCause = { component: string; kind: string; text: string };

export type Recommended = { text: string; risk?: string; rollback?: string };

/**
 * `source: code` gaps were found in the transcript, whatever the model wrote. `closedBy`: the outcome of the call was
 * unknown, and this quote of a later read tells it.
 */
export type Gap = {
  text: string;
  source: 'model' | 'code';
  /** Of equal ones the first. */
  callId?: string;
  /** So many calls, where more than one has this very gap. */
  count?: number;
  closedBy?: CheckedQuote;
};

export type Report = {
  version: 2;
  sessionId: string;
  runId: string;
  turn: number;
  /** `code`: the agent has handed in none, and this one was made when its run ended. */
  author: 'agent' | 'code';
  summary: string;
  /** After its cap; `agentGrade` is the agent's own, where it is another. */
  grade: ReportRef['grade'];
  agentGrade?: ReportRef['grade'];
  /** Why the grade is not the agent's own: a part of a sentence, with its full stop. */
  gradeReason?: string;
  impact?: Impact;
  rootCause?: RootCause;
  /** The most important first. */
  claims: CheckedClaim[];
  ruledOut: QuotedText[];
  recommended?: Recommended[];
  gaps: Gap[];
  timeline?: TimelineEntry[];
  /** Of a report by code: lines that say what went wrong, was changed or is full, from the outputs that were read. */
  standsOut?: CheckedQuote[];
  /** Parts of what the agent handed in that the form has no place for, by their fields. */
  leftOut?: string[];
  /** Of a run that changed nothing: only its reads were executed. */
  dryRun?: true;
  /** What code knows of the run; absent until the run has ended. */
  run?: RunFacts;
};

/** Of the claims, of what was ruled out, and of the timeline. */
export function quotesOf({
  claims,
  ruledOut,
  timeline = [],
}: Pick<Report, 'claims' | 'ruledOut' | 'timeline'>): CheckedQuote[] {
  return [...claims, ...ruledOut, ...timeline].flatMap(({ quotes }) => quotes);
}

/** The figures of a report, under the name of its Markdown form. */
export function toReportRef(report: Report, artifactId: string): ReportRef {
  const quotes = quotesOf(report);
  return {
    artifactId,
    grade: report.grade,
    quotes: quotes.length,
    verifiedQuotes: quotes.filter((quote) => quote.verified).length,
    ...count('correctedQuotes', quotes.filter(({ namedCallId }) => namedCallId !== undefined).length),
    ...count('nearQuotes', quotes.filter(({ isNear }) => isNear).length),
    claims: report.claims.length,
    verifiedClaims: report.claims.filter((claim) => claim.verified).length,
    ...(report.agentGrade === undefined ? {} : { agentGrade: report.agentGrade }),
    ...(report.author === 'code' ? { byCode: true } : {}),
  };
}

function count(name: 'correctedQuotes' | 'nearQuotes', found: number): Partial<ReportRef> {
  return found === 0 ? {} : { [name]: found };
}

/** A report is stored twice: as Markdown, which ReportRef names, and as JSON beside it. */
export function reportJsonName(markdownName: string): string {
  return markdownName.replace(/\.md$/, '.json');
}

/** Its Markdown form, once the run has ended. */
export function reportOfRun(runId: string): string {
  return `report-of-${runId}.md`;
}
