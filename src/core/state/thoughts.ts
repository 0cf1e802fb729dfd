// The thoughts of a run, built on reading from its log: the model's text before its calls, and each call's outcome
// (MSG-16). Pure, so that a client can build all of them if a result has only the newest.
import { newest } from '@holdfast/base/newest';
import { oneLine } from '@holdfast/base/one-line';
import { behindOutcome, describeOutcome, isMarked } from '@holdfast/vocabulary/call-outcome';
import { type LogRecord, type RecordOf, toolCallsOf } from '@holdfast/vocabulary/messages';
import type { Thought, Thoughts } from '@holdfast/vocabulary/run-result';
import { cutText, newestOf } from '@holdfast/base/cut-text';
import { jsonBytes } from '@holdfast/base/sizes';

const summaryCharacters = 80;

export const noThoughts: Thoughts = { items: [], truncated: false, fromSeq: 1, toSeq: 0 };

/** Needs records in log order without gaps, and with the message of each result. An answer is no thought. */
export function thoughtsOf(records: readonly LogRecord[]): Thought[] {
  const results = resultsByMessage(records);
  return records.flatMap((record): Thought[] => {
    if (record.role !== 'assistant' || toolCallsOf(record).length === 0) return [];
    const { seq } = record;
    const open = [...(results.get(seq) ?? [])];
    return record.content.flatMap((part): Thought[] => {
      if (part.type === 'text') return part.text.trim() ? [{ stage: 'reasoning', text: part.text, seq }] : [];
      if (part.type === 'thinking') return [];
      const { callId, name } = part;
      // removed, so that two calls with one id get one result each
      const at = open.findIndex((result) => result.callId === callId);
      const [result] = at < 0 ? [] : open.splice(at, 1);
      const summary = cutText(`${name} -> ${outcomeOf(result)}`, summaryCharacters);
      return [{ stage: 'tool_call', summary, callId, seq }];
    });
  });
}

/** The newest thoughts that fit into `limit` bytes of JSON, and the range of the log that they cover. */
export function newestThoughts(
  all: readonly Thought[],
  limit: number,
  { fromSeq, toSeq, complete }: { fromSeq: number; toSeq: number; complete: boolean },
): Thoughts {
  const items = newest(all, limit, (thought) => jsonBytes(thought) + 1);
  if (items.length === all.length) return { items, truncated: !complete, fromSeq, toSeq };
  const last = all.at(-1);
  // if a single thought is too long, its end is better than nothing
  if (items.length === 0 && last?.stage === 'reasoning')
    items.push({ ...last, text: newestOf(last.text, limit - 100) });
  return { items, truncated: true, fromSeq: items[0]?.seq ?? toSeq, toSeq };
}

/** Results come after the message that asked for them, and before the next one. */
function resultsByMessage(records: readonly LogRecord[]): Map<number, RecordOf<'tool_result'>[]> {
  const results = new Map<number, RecordOf<'tool_result'>[]>();
  let current: RecordOf<'tool_result'>[] = [];
  for (const record of records) {
    if (record.role === 'assistant') results.set(record.seq, (current = []));
    if (record.role === 'tool_result') current.push(record);
  }
  return results;
}

/** The beginning of the result that the model read, on one line. */
function outcomeOf(result: RecordOf<'tool_result'> | undefined): string {
  if (result === undefined) return 'no result';
  // a little more than is shown: a long output is not read to its end
  const text = result.content.map((part) => (part.type === 'text' ? part.text.slice(0, 400) : '[image]'));
  const line = oneLine(text.join(' ')) || 'no output';
  return isMarked(result.outcome, result.isError)
    ? `${describeOutcome(result.outcome ?? 'failed')}: ${behindOutcome(line, result.outcome)}`
    : line;
}
