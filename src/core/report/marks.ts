// The marks of claims and quotes, in the words that every form of a report has. Pure.
import type { CheckedClaim, CheckedQuote } from './report.ts';

/** Whether its quotes carry it. Of those that were found, `reason` says why they do not. */
export function judgeClaim(
  quotes: readonly CheckedQuote[],
): Pick<CheckedClaim, 'verified'> & Partial<Pick<CheckedClaim, 'reason'>> {
  if (quotes.length === 0 || !quotes.every(({ verified }) => verified)) return { verified: false };
  const weak = quotes.flatMap((quote) => quote.weak ?? []);
  if (weak.length < quotes.length) return { verified: true };
  return { verified: false, reason: `its quotes do not carry it alone: ${[...new Set(weak)].join('; ')}` };
}

/** The words say what was checked: that the quotes are there, not that they prove the claim. */
export function markOf({ verified, quotes, reason }: Omit<CheckedClaim, 'text'>): string {
  const noun = quotes.length === 1 ? 'Quote' : 'Quotes';
  if (verified) return `${noun} found`;
  if (quotes.length === 0) return 'NO QUOTE';
  return reason === undefined ? `${noun.toUpperCase()} NOT FOUND` : `WEAK ${noun.toUpperCase()} ONLY`;
}
