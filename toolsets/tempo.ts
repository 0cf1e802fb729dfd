// Readers of Tempo's HTTP API: https://grafana.com/docs/tempo/latest/api_docs/. Pure.
import { z } from 'zod';
import { list, number, readJson, text, timeOf } from '../src/activities/toolsets/json-reader.ts';
import { answer, words } from '../src/activities/toolsets/source-answer.ts';

export { trace } from './trace-tree.ts';

const found = z.object({
  traceID: z.string(),
  startTimeUnixNano: text,
  durationMs: number,
  rootServiceName: text,
  rootTraceName: text,
  spanSets: list(z.object({ matched: number })).optional(),
});

/** Traces by a search, the slowest first. The list is left out where there is none, and the figures of the search are there. */
export const search = readJson(
  z.union([
    z.object({ traces: list(found) }),
    z.object({ metrics: z.unknown().refine((metrics) => metrics !== undefined), traces: z.undefined() }),
  ]),
  ({ traces = [] }) =>
    answer(
      traces
        .toSorted(({ durationMs: one = 0 }, { durationMs: other = 0 }) => other - one)
        .map(({ startTimeUnixNano, durationMs = 0, rootServiceName, rootTraceName, traceID, spanSets }) => {
          const matching = spanSets?.reduce((sum, { matched = 0 }) => sum + matched, 0);
          const root = words(timeOf(startTimeUnixNano), `${durationMs} ms`, rootServiceName, rootTraceName);
          return `${root}, trace ${traceID}${matching === undefined ? '' : `, ${matching} matching spans`}`;
        }),
    ),
);
