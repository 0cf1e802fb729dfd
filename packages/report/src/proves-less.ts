// Two reports of one run: which of them has the better evidence. Pure.
import type { ReportRef } from '@holdfast/vocabulary/run-result';

/**
 * Decides which of two reports of one run counts: true if `now` carries no more claims, leaves no fewer uncarried, and is
 * worse in one of the two.
 */
export function provesLess(now: ReportRef, before: ReportRef): boolean {
  const carried = now.verifiedClaims - before.verifiedClaims;
  const bare = bareClaims(now) - bareClaims(before);
  return carried <= 0 && bare >= 0 && (carried < 0 || bare > 0);
}

function bareClaims({ claims, verifiedClaims }: ReportRef): number {
  return claims - verifiedClaims;
}
