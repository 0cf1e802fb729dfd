// Small inputs after public bug reports, of the sources of logs, metrics and traces: each was answered wrongly once. Skipped
// by name where the shared data are missing.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isRecord, type Json } from '@holdfast/base/json';
import { startHttpServer } from '../../support/http-server.ts';
import { sharedMissing, sharedPath } from '../../support/shared.ts';
import { starterToolset } from '../../support/toolset-bench.ts';

type Report = {
  tool?: string;
  toolset?: string;
  answer?: Json;
  http?: { [path: string]: { html?: string; status?: number; body?: Json } };
  call?: [string, Json];
};

/** The arguments that a report leaves open. */
const usual: Record<string, Json> = {
  prometheus_query: { query: 'up' },
  elasticsearch_search: { index: 'logs-*' },
  loki_logs: { query: '{app="shop"}', limit: 100 },
};

async function answered({ tool: named, toolset, answer, http = {}, call }: Report) {
  const [tool, args] = call ?? [named ?? '', usual[named ?? ''] ?? {}];
  const { url } = await startHttpServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://source');
    const { html, status = 200, body = answer } = http[pathname] ?? http['*'] ?? {};
    response.writeHead(status).end(html ?? JSON.stringify(body));
  });
  const { open, returnOf } = starterToolset(toolset ?? tool.split('_', 1)[0] ?? '', { url });
  const opened = await open();
  return { ...(await returnOf(opened, tool, args)), problem: opened.instances?.[0]?.absent[0]?.reason };
}

/** Loki's answer with so many lines, which the report has in words only. */
const lines = (count: number): Json => ({
  status: 'success',
  data: {
    resultType: 'streams',
    result: [
      {
        stream: { app: 'shop' },
        values: Array.from({ length: count }, (_, at) => [`${1795843790 - at}000000000`, `GET /${at}`]),
      },
    ],
  },
});

/** By file: what is right, for each report in it. */
const right: Record<string, { kind?: string; said: RegExp; problem?: RegExp; answer?: Json }[]> = {
  'r20-isPartial.json': [{ kind: 'partial', said: /^Not whole: .*not every store has answered/ }],
  'r21-nothing-found.json': [
    { said: /T04:00:00.000Z pool exhausted$/ },
    { kind: 'failed', said: /^Failed: .*no such index \[x\]/ },
  ],
  'r22-limit.json': [
    { said: /^100 of at least 100: the limit is reached, and there may be more\n/, answer: lines(100) },
  ],
  's18-html-200.json': [
    {
      kind: 'not_reachable',
      said: /^Not reachable: a page of HTML in place of data, "Sign in"/,
      problem: /a page of HTML/,
    },
  ],
};

const cases = Object.entries(right).flatMap(([file, answers]) =>
  answers.map((each, index) => [file, index, each] as const),
);

const missing = Object.keys(right).find((file) => sharedPath(`data/reports/${file}`) === undefined);
const why = missing === undefined ? '' : ` (${sharedMissing(`data/reports/${missing}`)})`;

test.skipIf(missing !== undefined).each(cases)(
  `[SRC-69ab] the report %s (%i) has its right answer${why}`,
  async (file, index, { kind, said, problem, answer }) => {
    const read: unknown = JSON.parse(readFileSync(sharedPath(`data/reports/${file}`) ?? '', 'utf8'));
    const report = [read].flat()[index];
    if (!isRecord(report)) throw new Error(`${file} has no report ${index}`);
    const got = await answered({ ...report, ...(answer === undefined ? {} : { answer }) });
    expect(got.text).toMatch(said);
    expect((got.details as { answer?: string } | undefined)?.answer).toBe(kind);
    if (problem) expect(got.problem).toMatch(problem);
  },
);
