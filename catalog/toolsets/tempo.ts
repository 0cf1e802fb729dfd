// Readers of Tempo's HTTP API: https://grafana.com/docs/tempo/latest/api_docs/. Pure.
import { z } from 'zod';
import { list, number, readJson, text, timeOf } from '@holdfast/sources/json-reader';
import { answer, words } from '@holdfast/sources/source-answer';

export { trace } from './trace-tree.ts';

/** The figures of a search, which are there where nothing was found: an empty list is left out then. */
const metrics = z.looseObject({ completedJobs: number, totalJobs: number });

const found = z.object({
  traceID: z.string(),
  startTimeUnixNano: text,
  durationMs: number,
  rootServiceName: text,
  rootTraceName: text,
  spanSets: list(z.object({ matched: number })).optional(),
});

const traces = z.union([
  z.object({ traces: list(found), metrics: metrics.optional() }),
  z.object({ metrics, traces: z.undefined().optional() }),
]);

/** Traces by a search, the slowest first. One that its limit ended (20, where it has none) has parts left, which is no gap. */
export const search = readJson(traces, ({ traces: all = [], metrics: figures }, { limit = 20 }) => {
  const { completedJobs: done, totalJobs: jobs = 0 } = figures ?? {};
  return answer(
    all
      .toSorted(({ durationMs: one = 0 }, { durationMs: other = 0 }) => other - one)
      .map(({ startTimeUnixNano, durationMs = 0, rootServiceName, rootTraceName, traceID, spanSets }) => {
        const matching = spanSets?.reduce((sum, { matched = 0 }) => sum + matched, 0);
        const root = words(timeOf(startTimeUnixNano), `${durationMs} ms`, rootServiceName, rootTraceName);
        return `${root}, trace ${traceID}${matching === undefined ? '' : `, ${matching} matching spans`}`;
      }),
    {
      gaps: [
        done !== undefined &&
          done < jobs &&
          all.length < Number(limit) &&
          `${done} of ${jobs} parts of the store were searched`,
      ],
    },
  );
});

const tagValues = z.union([
  z.object({ tagValues: list(z.object({ value: text })) }),
  z.object({ metrics, tagValues: z.undefined().optional() }),
]);

/** Values of one attribute. */
export const attributeValues = readJson(tagValues, ({ tagValues: all = [] }) =>
  answer(all.map(({ value }) => value)),
);
