// The marks of claims and quotes, and words for grades and sources, the same in every form of the report. Pure.
import { present } from '@holdfast/base/present';
import type { ReportRef } from '@holdfast/vocabulary/run-result';
import type { CauseCheck, CheckedClaim, CheckedQuote, QuoteSource } from './report.ts';

/** Decides if the quotes carry a claim. `reason` is set if the quotes were found and still do not. */
export function judgeClaim(
  quotes: readonly CheckedQuote[],
): Pick<CheckedClaim, 'verified'> & Partial<Pick<CheckedClaim, 'reason'>> {
  if (quotes.length === 0 || !quotes.every(({ verified }) => verified)) return { verified: false };
  const weak = quotes.flatMap((quote) => quote.weak ?? []);
  if (weak.length < quotes.length) return { verified: true };
  return { verified: false, reason: `its quotes do not carry it alone: ${[...new Set(weak)].join('; ')}` };
}

/**
 * A grade with its author, such as `likely (agent: confirmed)`, or `no fault found (agent: likely)`; every form of the
 * report uses it.
 */
export function describeGrade({
  grade,
  agentGrade = grade,
  byCode,
  noFault,
}: Pick<ReportRef, 'grade' | 'agentGrade' | 'byCode' | 'noFault'>): string {
  if (byCode) return `${grade} (by Holdfast)`;
  return `${gradeWord({ grade, noFault })} (agent: ${agentGrade})`;
}

export function gradeWord(given: { grade: ReportRef['grade']; noFault?: true | undefined }): string {
  return given.noFault ? 'no fault found' : given.grade;
}

/** The word for a check of the root cause. */
export const checkWords: Record<CauseCheck['result'], string> = {
  holds: 'Found',
  fails: 'MISSING',
  not_known: 'Not known',
};

/** Such as ` (1 of them under another call than was named)`; empty if every quote is as the agent gave it. */
export function describeAdjusted({ correctedQuotes = 0, nearQuotes = 0 }: Partial<ReportRef>): string {
  const parts = present([
    correctedQuotes > 0 && `${correctedQuotes} under another call than was named`,
    nearQuotes > 0 && `${nearQuotes} in another form`,
  ]);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** Such as `6 of 7 quotes found, all of them for 2 of 5 claims.`; `where` comes behind "found". */
export function describeShare(ref: ReportRef, where = ''): string {
  const { quotes, verifiedQuotes, claims, verifiedClaims } = ref;
  return `${verifiedQuotes} of ${quotes} quotes found${where}, all of them for ${verifiedClaims} of ${claims} claims.`;
}

/** The same beside a grade: it says where, and how many quotes were not as the agent gave them. */
export function describeEvidence(ref: ReportRef): string {
  return describeShare(ref, ` in the stored tool outputs${describeAdjusted(ref)}`);
}

/** The same for a row: `6/7 quotes found, 2/5 claims`. */
export function describeShortShare(ref: ReportRef, where = ''): string {
  const { quotes, verifiedQuotes, claims, verifiedClaims } = ref;
  return `${verifiedQuotes}/${quotes} quotes found${where}, ${verifiedClaims}/${claims} claims`;
}

/** True if every quote was found, and every claim is carried by its quotes. */
export function isAllFound({ quotes, verifiedQuotes, claims, verifiedClaims }: ReportRef): boolean {
  return verifiedQuotes === quotes && verifiedClaims === claims;
}

/** Says only that the quotes were found, not that they prove the claim. */
export function markOf({ verified, quotes, reason }: Omit<CheckedClaim, 'text'>): string {
  const noun = quotes.length === 1 ? 'Quote' : 'Quotes';
  if (verified) return `${noun} found`;
  if (quotes.length === 0) return 'NO QUOTE';
  return reason === undefined ? `${noun.toUpperCase()} NOT FOUND` : `WEAK ${noun.toUpperCase()} ONLY`;
}

export function describeFound({ verified, near }: CheckedQuote): string {
  if (!verified) return 'quote not found';
  return near ? 'quote nearly found' : 'quote found';
}

export const unknownReason = 'no reason known';

/** The facts that weaken a quote or tell it from the words of the agent, each with its name. */
export function notesOf(quote: CheckedQuote): [name: string, words: string][] {
  const { namedCallId, near, weak, redacted = [], isRemoved } = quote;
  const adjusted = present([
    namedCallId !== undefined && `the agent named call ${namedCallId}: corrected, it is nowhere else`,
    near && `it differs in ${near.join(', ')}`,
  ]).join('; ');
  const removed = isRemoved ? 'a line that a diff takes away' : '';
  const out =
    redacted.length === 0 ? '' : `a part was taken out before it was stored (${redacted.join(', ')})`;
  const notes: [string, string][] = [
    ['Adjusted', adjusted],
    ['Removed', removed],
    ['Weak', weak ?? ''],
    ['Redacted', out],
  ];
  return notes.filter(([, words]) => words !== '');
}

/** The host of a call, if its arguments do not name it. */
export function hostBeside({ host, argument }: QuoteSource): string | undefined {
  return host !== undefined && argument.includes(host) ? undefined : host;
}

/** Such as `http_get http://db1/metrics`. */
export function describeSource({ tool, argument }: QuoteSource): string {
  return `${tool} ${argument}`.trim();
}
