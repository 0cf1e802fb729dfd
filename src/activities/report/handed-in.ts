// The reports that an agent has handed in during one run, from its log, and the one that counts. Runs in Node, pure.
import { isRecord } from '@holdfast/base/json';
import { type LogRecord, isSteering } from '@holdfast/vocabulary/messages';
import { reportRefSchema } from '@holdfast/vocabulary/run-result.schema';
import type { ReportRef } from '@holdfast/vocabulary/run-result';
import { provesLess } from '@holdfast/report/proves-less';
import { isHandedIn } from '../../core/state/report.ts';

export type HandedIn = { callId: string; at: number; ref: ReportRef };

/** Oldest first. The loop writes the details of a result, never a model. */
export function handedInReports(log: readonly LogRecord[], runId: string): HandedIn[] {
  return log.flatMap((record) => {
    if (record.runId !== runId || !isHandedIn(record)) return [];
    const ref = reportRefSchema.safeParse(record.details).data;
    return ref === undefined ? [] : [{ callId: record.callId, at: record.at, ref }];
  });
}

/**
 * The last report, unless it proves less than the one that counted before. After words of a person or an objection of a
 * critic the later one always counts, because it answers them.
 */
export function countingReport(log: readonly LogRecord[], runId: string): HandedIn | undefined {
  const reports = handedInReports(log, runId);
  return reports.reduce<HandedIn | undefined>(
    (before, now) =>
      before && !isAskedAnew(log, before, now) && provesLess(now.ref, before.ref) ? before : now,
    undefined,
  );
}

export function isAskedAnew(
  log: readonly LogRecord[],
  before: Pick<HandedIn, 'callId'>,
  now?: Pick<HandedIn, 'callId'>,
): boolean {
  const placeOf = ({ callId }: Pick<HandedIn, 'callId'>): number =>
    log.findLastIndex((record) => record.role === 'tool_result' && record.callId === callId);
  return log
    .slice(placeOf(before), now ? placeOf(now) : log.length)
    .some(
      (record) =>
        isSteering(record) ||
        (record.role === 'tool_result' && isRecord(record.details) && record.details['objected'] === true),
    );
}
