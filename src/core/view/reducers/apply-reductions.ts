// A view as its reductions show it: the same on every worker, for every request of an epoch. Pure.
import type { ViewReduction } from '../../model/agent-state.ts';
import type { LogRecord, ToolCallPart } from '../../model/messages.ts';
import { toolCallsOf } from '../../model/messages.ts';
import { viewReducers } from './table.ts';

/** Records of a view from its beginning; only results up to a reduction's `throughSeq` are touched. */
export function reducedRecords(
  reductions: readonly ViewReduction[] | undefined,
  records: readonly LogRecord[],
): readonly LogRecord[] {
  if (!reductions || reductions.length === 0) return records;
  const calls = new Map<string, ToolCallPart>();
  return records.map((record) => {
    if (record.role === 'assistant') for (const call of toolCallsOf(record)) calls.set(call.callId, call);
    if (record.role !== 'tool_result') return record;
    const { seq, id, runId, turn, at, digest, ...result } = record;
    const message = reductions.reduce(
      (reduced, { name, params, throughSeq }) =>
        seq > throughSeq ? reduced : viewReducers[name].apply(reduced, params, calls.get(result.callId)),
      result,
    );
    return { seq, id, runId, turn, at, ...(digest === undefined ? {} : { digest }), ...message };
  });
}
