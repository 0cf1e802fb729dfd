// The calls behind a report that found no fault. Pure.
import { ownBooks } from '../../vocabulary/src/own-books.ts';
import { type Report, isNoFault } from './report.ts';

export type LookedAt = { callId: string; call: string };

/** Each different call that gave an output, oldest first; empty for every other ending. */
export function lookedAt(report: Report): LookedAt[] {
  const { calls = [] } = report.run ?? {};
  if (!isNoFault(report)) return [];
  const seen = calls.filter(({ call, isError }) => !isError && !ownBooks.has(call.split(' ')[0] ?? ''));
  return [...new Map(seen.map(({ callId, call }) => [call, { callId, call }])).values()];
}
