// Finds in the task of a run when the trouble began, as an alert or a person says it. Runs in Node, pure.
import { type Moment, momentsIn } from '@holdfast/base/line-time';
import { type LogRecord, textOf } from '@holdfast/vocabulary/messages';

const begins = /\b(?:first of|start(?:s|ed)?[ _]?(?:at)?|since|began|begins?|firing|fired|triggered)\b/gi;
/** Characters between such a word and its time. */
const reach = 40;

/** The earliest of several; undefined if the task names no such time. */
export function alertedAt(log: readonly LogRecord[], runId: string): Moment | undefined {
  const tasks = log.filter(
    (record) => record.role === 'user' && record.origin === 'prompt' && record.runId === runId,
  );
  const times = tasks.flatMap((task) => {
    const text = textOf(task);
    return Array.from(text.matchAll(begins), ({ 0: word, index }) => {
      const after = index + word.length;
      return momentsIn(text.slice(after, after + reach), task.at)[0];
    });
  });
  return times
    .filter((moment) => moment?.hasZone)
    .toSorted((left, right) => (left?.from ?? 0) - (right?.from ?? 0))[0];
}
