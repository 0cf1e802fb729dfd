// A server that has been asked too often, as GitHub, GitLab and others say it.
import { expect, test } from 'vitest';
import { startHttpServer } from '../../support/http-server.ts';
import { starterToolset } from '../../support/toolset-bench.ts';

const now = Date.parse('2026-11-28T05:30:00Z');
const inFiveMinutes = `${now / 1_000 + 300}`;
const again = 'Again in 300 s, at 2026-11-28T05:35:00Z.';

test.each<[what: string, status: number, headers: Record<string, string>, message: string, says: string]>([
  ['GitHub', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inFiveMinutes }, 'no', again],
  ['GitHub, of another limit', 403, { 'retry-after': '300' }, 'no', again],
  [
    'GitHub, without a header',
    403,
    { 'x-ratelimit-remaining': '17', 'x-ratelimit-reset': inFiveMinutes },
    'You have exceeded a secondary rate limit.',
    'wait a minute at least',
  ],
  ['GitLab', 429, { 'ratelimit-remaining': '0', 'ratelimit-reset': inFiveMinutes }, 'Retry later', again],
  ['seconds', 429, { 'ratelimit-reset': '300' }, 'no', again],
  ['milliseconds', 429, { 'x-ratelimit-reset': `${now + 300_000}` }, 'no', again],
  ['a date', 429, { 'x-ratelimit-reset': '2026-11-28T05:35:00Z' }, 'no', again],
  ['an HTTP date', 429, { 'retry-after': 'Sat, 28 Nov 2026 05:35:00 GMT' }, 'no', again],
  ['nothing', 429, {}, 'no', 'wait a minute at least'],
])('[SRC-63a] by %s (%i) says when it can be asked again', async (_, status, headers, message, says) => {
  const { url } = await startHttpServer((_request, response) => {
    response.writeHead(status, headers).end(JSON.stringify({ message }));
  });
  const { open, returnOf } = starterToolset('github', { url, owner: 'a', repository: 'b' }, { now });
  const answer = await returnOf(await open(), 'github_runs', {});
  expect(answer).toMatchObject({ isError: true, details: { answer: 'failed' } });
  expect(answer.text).toMatch(/^Asked too often: /);
  expect(answer.text).toContain(says);
});

test('[SRC-63b] a refusal is none, whatever is left of a limit', async () => {
  const headers = { 'x-ratelimit-remaining': '17', 'x-ratelimit-reset': inFiveMinutes };
  const { url } = await startHttpServer((_request, response) => {
    response
      .writeHead(403, headers)
      .end(JSON.stringify({ message: 'Resource not accessible by integration' }));
  });
  const { open, returnOf } = starterToolset('github', { url, owner: 'a', repository: 'b' }, { now });
  expect((await returnOf(await open(), 'github_runs', {})).text).toMatch(/^No access: /);
});
