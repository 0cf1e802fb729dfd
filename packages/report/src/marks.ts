// The marks of claims and quotes, in the same words for every form of the report. Pure.
import type { ReportRef } from '../../vocabulary/src/run-result.ts';
import type { CauseCheck, CheckedClaim, CheckedQuote } from './report.ts';

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
  return `${noFault ? 'no fault found' : grade} (agent: ${agentGrade})`;
}

/** The word for a check of the root cause. */
export const checkWords: Record<CauseCheck['result'], string> = {
  holds: 'Found',
  fails: 'MISSING',
  not_known: 'Not known',
};

/** Such as ` (1 of them under another call than was named)`; empty if every quote is as the agent gave it. */
export function describeAdjusted({ correctedQuotes = 0, nearQuotes = 0 }: Partial<ReportRef>): string {
  const parts = [
    ...(correctedQuotes > 0 ? [`${correctedQuotes} under another call than was named`] : []),
    ...(nearQuotes > 0 ? [`${nearQuotes} in another form`] : []),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** Describes how a found quote differs from the one the agent gave; undefined if it does not. */
export function describeAdjustment({ namedCallId, near }: CheckedQuote): string | undefined {
  const parts = [
    ...(namedCallId === undefined
      ? []
      : [`the agent named call ${namedCallId}: corrected, it is nowhere else`]),
    ...(near ? [`it differs in ${near.join(', ')}`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

/** Says only that the quotes were found, not that they prove the claim. */
export function markOf({ verified, quotes, reason }: Omit<CheckedClaim, 'text'>): string {
  const noun = quotes.length === 1 ? 'Quote' : 'Quotes';
  if (verified) return `${noun} found`;
  if (quotes.length === 0) return 'NO QUOTE';
  return reason === undefined ? `${noun.toUpperCase()} NOT FOUND` : `WEAK ${noun.toUpperCase()} ONLY`;
}
