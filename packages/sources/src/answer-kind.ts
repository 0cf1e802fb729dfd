// The kind of a source's answer, which its result has in the details, so that reports and checks need no words of it. Pure.
import { isRecord } from '@holdfast/base/json';

const kinds = ['nothing', 'no_access', 'not_reachable', 'failed', 'partial', 'unknown'] as const;
/** Absent: the answer is data, in whole. */
export type AnswerKind = (typeof kinds)[number];

export function answerKindIn(details: unknown): AnswerKind | undefined {
  const answer = isRecord(details) ? details['answer'] : undefined;
  return kinds.find((kind) => kind === answer);
}

/** A proxy answers so for a server that it does not reach. */
const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** The kind that an HTTP status tells; undefined for any other status. */
export function kindOfStatus(status: number): 'no_access' | 'not_reachable' | undefined {
  if (status === 401 || status === 403) return 'no_access';
  return gatewayStatuses.has(status) ? 'not_reachable' : undefined;
}
