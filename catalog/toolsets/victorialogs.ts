// Readers of VictoriaLogs' HTTP API: https://docs.victoriametrics.com/victorialogs/querying/. Pure.
import { z } from 'zod';
import {
  list,
  readJson,
  readJsonLines,
  record,
  shortText,
  text,
  valueAt,
} from '@holdfast/sources/json-reader';
import { answer, words } from '@holdfast/sources/source-answer';

const whoNames = [
  'kubernetes.pod_name',
  'pod',
  'service',
  'service.name',
  'app',
  'host',
  'host.name',
  '_stream',
];

/** In place of a message that a line does not have: https://docs.victoriametrics.com/victorialogs/keyconcepts/#message-field */
const noMessage = /^(?:missing _msg field\b|$)/;

/** Lines in the order of the server; a row of a pipe as it is. */
export const logs = readJsonLines(record, (lines) => answer(lines.map(logLine)));

function logLine(line: z.infer<typeof record>): string {
  const { _time: time, _msg: said } = line;
  if (typeof time !== 'string' || typeof said !== 'string' || noMessage.test(said))
    return JSON.stringify(line);
  const level = valueAt(line, 'level', 'severity', 'log.level', 'detected_level');
  const who = shortText(valueAt(line, ...whoNames));
  return words(time, shortText(level), who && `${who}:`, shortText(said));
}

const bucket = z.object({
  fields: z.record(z.string(), z.string()),
  timestamps: list(z.string()),
  values: list(z.number()),
  total: z.number(),
});

/** Counts over time, the most first, for `show: series`. */
export const hits = readJson(z.object({ hits: list(bucket) }), ({ hits: found }, { query, field }) =>
  answer(
    found
      .toSorted(({ total: one }, { total: other }) => other - one)
      .map(({ fields, timestamps, values, total }) => {
        const pairs = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
        const name =
          pairs.length > 0 ? pairs.join(', ') : field === undefined ? (shortText(query) ?? '*') : 'others';
        const points = timestamps.map((at, index) => [Date.parse(at), values[index] ?? null]);
        return { name: `${name} (${total} in all)`, points };
      }),
  ),
);

const found = z.object({ values: list(z.object({ value: text, hits: z.number() })) });

/** With their counts, the most first. A server that has stopped at its limit sends 0 for counts that it does not know. */
export const fields = readJson(found, ({ values }) =>
  answer(
    values
      .toSorted(({ hits: one }, { hits: other }) => other - one)
      .map(({ value, hits: count }) =>
        words(count === 0 ? '? lines with' : count, shortText(value) ?? '(empty)'),
      ),
  ),
);
