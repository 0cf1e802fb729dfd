// Finds in the task of a run when the trouble began, as an alert or a person says it. Runs in Node, pure.
import { momentsIn } from '../../../core/base/line-time.ts';
import { type LogRecord, textOf } from '../../../core/model/messages.ts';

const begins = /\b(?:first of|start(?:s|ed)?[ _]?(?:at)?|since|began|begins?|firing|fired|triggered)\b/gi;
/** Characters between such a word and its time. */
const reach = 40;

/** In milliseconds since 1970; the earliest of several. Undefined if the task names no such time. */
export function alertedAt(log: readonly LogRecord[], runId: string): number | undefined {
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
  const known = times.filter((moment) => moment?.hasZone);
  return known.length === 0 ? undefined : Math.min(...known.map((moment) => moment?.from ?? Infinity));
}
