// Which of two reports of one run counts. Pure.
import type { ReportRef } from '../model/run-result.ts';

/** No more claims are carried, no fewer are not, and one of the two has become worse: what was added or mended is not in it. */
export function provesLess(now: ReportRef, before: ReportRef): boolean {
  const carried = now.verifiedClaims - before.verifiedClaims;
  const bare = bareClaims(now) - bareClaims(before);
  return carried <= 0 && bare >= 0 && (carried < 0 || bare > 0);
}

function bareClaims({ claims, verifiedClaims }: ReportRef): number {
  return claims - verifiedClaims;
}
