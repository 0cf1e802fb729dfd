// A report with its evidence checked: written by the tool `report` and at the end of a run, and read by programs. Plain
// JSON, pure.
import type { SeriesPoint } from '@holdfast/base/series';
import type { ReportRef } from '@holdfast/vocabulary/run-result';
import type { RunFacts } from './run-facts.ts';

/** The place of a quote in the stored output of its call; lines and characters count from 1. */
export type QuotePosition = { artifactId: string; line: number; character: number };

/** The call that produced an output. */
export type QuoteSource = {
  tool: string;
  /** Instance name of the subagent that made the call; absent for this session's own calls. */
  agent?: string;
  /** The main arguments of the call (URL, file, command) on one line, without secrets; may be empty. */
  argument: string;
  /** The host of the URL, an argument `host` or `instance`, or the task queue whose workers run the tool. */
  host?: string;
  /** An address at which a person sees what the call read. */
  link?: string;
  /** When the call ended: ISO 8601, UTC. */
  at: string;
};

/**
 * The stored lines around a quote, long ones cut; `fromLine` counts from 1. `marked`: the quoted characters of the lines as
 * they stand here, from 0.
 */
export type QuoteContext = {
  fromLine: number;
  lines: string[];
  marked: { line: number; start: number; end: number }[];
};

export type CheckedQuote = {
  callId: string;
  quote: string;
  /** The call that the agent named by mistake: the quote is only in the output of `callId`, in one place. */
  namedCallId?: string;
  /** The quote was found in the output. This does not prove the claim. */
  verified: boolean;
  /** Names its differences, such as `blanks`, if it was nearly found. Absent: found character by character. */
  near?: string[];
  position?: QuotePosition;
  /** The reason if it does not count as found. */
  reason?: string;
  /**
   * The reason if the quote was found but cannot carry a claim alone, e.g. a table header, or the output of a failed
   * call.
   */
  weak?: string;
  /** Kinds of secrets that were removed before the output was stored; their text is not known. */
  redacted?: string[];
  /** It is a line that a diff takes away. */
  isRemoved?: true;
  context?: QuoteContext;
  /** Absent if the session has no such call. */
  source?: QuoteSource;
  /** Index in the report's `series`, if the quote is about one of them. */
  series?: number;
};

/** A series of samples that a quote is about. */
export type ReportSeries = {
  callId: string;
  /** The name that the source gives it, such as `up{job="shop"}`. */
  name: string;
  /**
   * At most 200, in the order of time: milliseconds since 1970 and the value to six digits, null for a gap. Of more
   * samples, the lowest and the highest of each stretch of time.
   */
  points: SeriesPoint[];
};

export type Confidence = 'high' | 'medium' | 'low';

/** `verified` requires that there are quotes, that all were found, and that at least one is not weak. */
export type CheckedClaim = {
  text: string;
  role?: 'cause' | 'effect' | 'background';
  confidence?: Confidence;
  verified: boolean;
  /** The reason if the quotes were found but do not carry the claim. */
  reason?: string;
  quotes: CheckedQuote[];
};

/** Words of the model, with the quotes that it gave. */
export type QuotedText = { text: string; quotes: CheckedQuote[] };

export type TimelineEntry = { at: string; event: string; quotes: CheckedQuote[] };

/** Who is affected, since when, how badly, and whether it is still happening. */
export type Impact = { who: string; since: string; severity: string; ongoing: 'yes' | 'no' | 'unknown' };

export type RootCause = {
  component: string;
  kind: string;
  text: string;
  /** Id of the hypothesis that it is, such as `h1`. */
  hypothesis?: string;
};

/**
 * `met`: a line that was quoted from a call after the prediction shows what was expected; `opposite`: it shows the opposite.
 * `not_counted`: the quote proves nothing, for `reason`. `untested`: no call was named.
 */
export type CheckedPrediction = {
  /** Number after that of its hypothesis, such as `h1.2`. */
  id: string;
  call: string;
  expect: string;
  /** The opposite refutes the hypothesis: an attempt to break it. */
  refutes?: true;
  result: 'met' | 'opposite' | 'not_counted' | 'untested';
  reason?: string;
  quote?: CheckedQuote;
};

/**
 * A hypothesis with its status, which code sets. `refuted`: a call has shown the opposite of a prediction that had to hold.
 * `supported`: a prediction is met. `open`: tested, and neither. `untested`: no test counts.
 */
export type CheckedHypothesis = {
  /** Number in the order of writing, such as `h1`. */
  id: string;
  statement: string;
  component: string;
  kind: string;
  status: 'open' | 'supported' | 'refuted' | 'untested';
  predictions: CheckedPrediction[];
};

/**
 * One check by code of the root cause. `fails` lowers the grade; `not_known` says that the quotes do not tell, and does
 * not.
 */
export type CauseCheck = {
  check: 'component' | 'statement' | 'order' | 'alternative' | 'contradiction' | 'unexplained' | 'prediction';
  result: 'holds' | 'fails' | 'not_known';
  /** The finding, or what is missing, as a clause. */
  text: string;
};

/** `repeats` and `refused` are objections of code. */
export type Recommended = {
  text: string;
  risk?: string;
  rollback?: string;
  /** A command in it that an output had before, with the place of that output. */
  repeats?: RepeatedCommand;
  /** The reason for which the policy would refuse a call in it. */
  refused?: string;
};

/** A command in a text that an output had before; `line` counts from 1. */
export type RepeatedCommand = { command: string; callId: string; line: number };

/**
 * Code found `source: code` gaps in the transcript. `closedBy`: this quote from a later read settles a call whose
 * outcome was unknown.
 */
export type Gap = {
  text: string;
  source: 'model' | 'code';
  /** The first call with this gap. */
  callId?: string;
  /** Number of calls with this gap, if more than one. */
  count?: number;
  closedBy?: CheckedQuote;
};

export type Report = {
  version: 1;
  sessionId: string;
  runId: string;
  turn: number;
  /** `code`: the agent handed in no report, so code wrote this one at the end of the run. */
  author: 'agent' | 'code';
  summary: string;
  /** The grade after its cap; `agentGrade` is the agent's own, if different. */
  grade: ReportRef['grade'];
  agentGrade?: ReportRef['grade'];
  /** The reason if the grade is not the agent's own: a clause with its full stop. */
  gradeReason?: string;
  impact?: Impact;
  rootCause?: RootCause;
  /** The checks of the root cause; absent without one, and in reports of before. */
  causeChecks?: CauseCheck[];
  /** The explanations that the agent wrote down, oldest first; absent: none. */
  hypotheses?: CheckedHypothesis[];
  /** The most important claim comes first. */
  claims: CheckedClaim[];
  ruledOut: QuotedText[];
  recommended?: Recommended[];
  gaps: Gap[];
  timeline?: TimelineEntry[];
  /**
   * Output lines that report an error, a change or a full resource, in a report by code; lines of failure that nothing
   * explains, in one that found no fault.
   */
  standsOut?: CheckedQuote[];
  /** Series that quotes are about, at most eight; added when the run has ended. */
  series?: ReportSeries[];
  /** Fields that the agent handed in and the form has no place for. */
  leftOut?: string[];
  /** Numbers of quotes in what the form has no place for: they are looked up, and count. */
  leftOutQuotes?: { quotes: number; found: number };
  /** Set if the run was a dry run: only its reads were executed. */
  dryRun?: true;
  /** Facts that code knows of the run; absent until the run has ended. */
  run?: RunFacts;
};

/** True if the agent has looked, and says that nothing is wrong. */
export function isNoFault({
  author,
  grade,
  rootCause,
}: Pick<Report, 'author' | 'grade' | 'rootCause'>): boolean {
  return author === 'agent' && grade !== 'inconclusive' && isKind(rootCause, 'none');
}

/** True if the agent says that it has not found the cause. */
export function isUnknown({ rootCause }: Pick<Report, 'rootCause'>): boolean {
  return isKind(rootCause, 'unknown');
}

/** A cause is named as such, or a claim has that role. */
export function namesCause({ rootCause, claims }: Pick<Report, 'rootCause' | 'claims'>): boolean {
  if (rootCause) return !isKind(rootCause, 'none') && !isUnknown({ rootCause });
  return claims.some(({ role }) => role === 'cause');
}

const kindWords = {
  none: /^(?:none|nothing(?: is)?(?: wrong)?|no (?:fault|issue|problem|error|incident|root cause|cause)s?(?: found)?|false (?:alarm|positive)|not an? (?:fault|issue|problem|incident)|healthy)$/,
  unknown: /^(?:unknown|undetermined|not (?:known|found|determined)|unclear|inconclusive)$/,
};

function isKind(rootCause: RootCause | undefined, kind: keyof typeof kindWords): boolean {
  const said = rootCause?.kind
    .toLowerCase()
    .replaceAll(/[_\s-]+/g, ' ')
    .replaceAll(/^\W+|\W+$/g, '');
  return said !== undefined && kindWords[kind].test(said);
}

/** The quotes of the claims, of the ruled-out causes and of the timeline. */
export function quotesOf({
  claims,
  ruledOut,
  timeline = [],
}: Pick<Report, 'claims' | 'ruledOut' | 'timeline'>): CheckedQuote[] {
  return [...claims, ...ruledOut, ...timeline].flatMap(({ quotes }) => quotes);
}

/** True if the quote was found, and can carry a claim alone. */
export function carries({ verified, weak }: CheckedQuote): boolean {
  return verified && weak === undefined;
}

/** The name of the JSON form, which is stored beside the Markdown form that a ReportRef names. */
export function reportJsonName(markdownName: string): string {
  return markdownName.replace(/\.md$/, '.json');
}

/** The name of the Markdown form once the run has ended. */
export function reportOfRun(runId: string): string {
  return `report-of-${runId}.md`;
}
