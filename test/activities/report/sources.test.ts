// Where the quotes of a report come from, and which unknown outcomes they settle.
import { describe, expect, test } from 'vitest';
import { createHttpGetTool } from '../../../src/activities/built-in/http/http-tools.ts';
import { createReadTool } from '../../../src/activities/built-in/files/read.ts';
import type { RegisteredTool } from '../../../src/activities/tools/define-tool.ts';
import { defineTool } from '../../../src/activities/tools/define-tool.ts';
import type { JsonObject } from '@holdfast/base/json';
import { textOf } from '@holdfast/vocabulary/messages';
import { renderReportHtml } from '@holdfast/report/report-html';
import { renderReport } from '@holdfast/report/report-markdown';
import type { Gap, Report } from '@holdfast/report/report';
import { z } from 'zod';
import { wholeReport } from '../../support/sample-reports.ts';
import { quoting, readStored, startReportSession } from '../../support/report-session.ts';

const command = defineTool({
  name: 'remote_command',
  description: 'Runs a command on a host.',
  input: z.looseObject({}),
  effect: 'read',
  taskQueue: 'hosts-db1',
  summaryArguments: ['command'],
  run: () => Promise.resolve({ text: '' }),
});
const restart = defineTool({
  name: 'restart',
  description: 'Restarts a service.',
  input: z.looseObject({}),
  summaryArguments: ['service', 'deploy'],
  run: () => Promise.resolve({ text: '' }),
});
const tools: RegisteredTool[] = [
  createHttpGetTool({ allow: [] }),
  createReadTool({ roots: [] }),
  command,
  restart,
];

describe('every quote names its source', () => {
  test('[REPORT-06a] tool, main argument, host and time of the call, beside its id and the line: in JSON and Markdown', async () => {
    const { ran, report, artifacts } = await startReportSession({ tools });
    const url = 'http://payments:9090/metrics?scope=all';
    await ran('call_1', '# HELP\npool_size 2', { name: 'http_get', args: { url } });
    await ran('call_2', 'pool_size: 2', { name: 'read', args: { path: '/etc/pool.yaml', limit: 5 } });
    await ran('call_3', 'load 0.4', { name: 'remote_command', args: { command: 'uptime -p' } });
    await ran('call_4', 'load 0.5', { name: 'remote_command', args: { command: 'w', host: 'db2' } });
    const result = await report(
      quoting(
        ['call_1', 'pool_size 2'],
        ['call_2', 'pool_size: 3'],
        ['call_3', 'load 0.4'],
        ['call_4', 'load 0.5'],
      ),
    );
    const { report: content, markdown } = await readStored(artifacts, result);
    expect(content.claims[0]?.quotes.map((quote) => quote.source)).toEqual([
      { tool: 'http_get', argument: url, host: 'payments:9090', at: '2026-11-21T03:04:06.000Z' },
      { tool: 'read', argument: '/etc/pool.yaml', at: '2026-11-21T03:04:08.000Z' },
      { tool: 'remote_command', argument: 'uptime -p', host: 'hosts-db1', at: '2026-11-21T03:04:10.000Z' },
      { tool: 'remote_command', argument: 'w', host: 'db2', at: '2026-11-21T03:04:12.000Z' },
    ]);
    expect(markdown.split('\n').filter((line) => line.startsWith('   - '))).toEqual([
      `   - quote found: \`http_get ${url}\`, 2026-11-21 03:04:06 UTC, call \`call_1\`, line 2`,
      '   - QUOTE NOT FOUND: `read /etc/pool.yaml`, 2026-11-21 03:04:08 UTC, call `call_2`: it is not in the output of that call',
      '   - quote found: `remote_command uptime -p` on hosts-db1, 2026-11-21 03:04:10 UTC, call `call_3`, line 1',
      '   - quote found: `remote_command w` on db2, 2026-11-21 03:04:12 UTC, call `call_4`, line 1',
    ]);
  });

  test('[SRC-01d] [SRC-07ab] the instance that was asked, and an address for people, in JSON, Markdown and on the page', async () => {
    const { ran, report, artifacts } = await startReportSession({ tools });
    const ask = (instance: string, link: string) => ({
      name: 'remote_command',
      args: { command: 'q', instance },
      details: { link },
    });
    await ran('call_1', 'pool_size 2', ask('eu', 'https://grafana.example/explore?left=<pool>'));
    await ran('call_2', 'pool_size 3', ask('us', 'javascript:alert(1)'));
    await ran('call_3', 'pool_size 4', ask('ap', 'https://me:planted-1@grafana.example/'));
    const result = await report(
      quoting(['call_1', 'pool_size 2'], ['call_2', 'pool_size 3'], ['call_3', 'pool_size 4']),
    );
    const { report: content, markdown } = await readStored(artifacts, result);
    const address = 'https://grafana.example/explore?left=%3Cpool%3E';
    expect(content.claims[0]?.quotes.map(({ source }) => [source?.host, source?.link])).toEqual([
      ['eu', address],
      ['us', undefined],
      ['ap', undefined],
    ]);
    expect(markdown).toContain('`remote_command q` on eu,');
    expect(markdown).toContain(`     Seen at: <${address}>`);
    const page = renderReportHtml(content);
    expect(page).toContain(`<a href="${address}" rel="noreferrer">`);
    expect(`${page}${markdown}`).not.toMatch(/javascript:|planted-1/);
  });

  test('[REPORT-06b] the mark says what was checked, and the grade whose it is', async () => {
    const { ran, report, artifacts } = await startReportSession({ tools });
    await ran('call_1', 'pool_size 2');
    const result = await report({ ...quoting(['call_1', 'pool_size 2']), grade: 'confirmed' });
    const { markdown } = await readStored(artifacts, result);
    expect(markdown).toContain('Grade: **confirmed (agent: confirmed)**. 1 of 1 quotes found');
    expect(markdown).toContain('1. **Quote found.** The pool was exhausted.');
    expect(`${markdown}${textOf(result.message)}`).not.toMatch(/verified/i);
  });

  test('[REPORT-06a] a secret in the arguments is taken out, a long argument is cut, backticks do not end the code', async () => {
    const { ran, report, artifacts } = await startReportSession({ tools, secrets: ['hunter2-hunter2'] });
    await ran('call_1', 'a line of text', {
      name: 'remote_command',
      args: { command: 'psql --password=hunter2-hunter2 `id`', token: 'hunter2-hunter2' },
    });
    await ran('call_2', 'a line of text', {
      name: 'http_get',
      args: { url: `http://h/${'x'.repeat(2_000)}` },
    });
    const result = await report(quoting(['call_1', 'a line of text'], ['call_2', 'a line of text']));
    const { report: content, markdown } = await readStored(artifacts, result);
    expect(JSON.stringify(content) + markdown).not.toContain('hunter2');
    expect(markdown).toMatch(/`remote_command psql --password=\S+ id ` on hosts-db1/);
    expect(content.claims[0]?.quotes[1]?.source?.argument).toHaveLength(300 - 'http_get '.length);
  });

  test('[REPORT-06a] the host that ran it goes before what its arguments say, and holds no secret', async () => {
    const { ran, report, log, artifacts } = await startReportSession({ tools, secrets: ['hunter2-hunter2'] });
    await ran('call_1', 'a line of text', { name: 'http_get', args: { url: 'http://payments:9090/' } });
    const result = log.at(-1);
    if (result?.role === 'tool_result') result.host = 'db3';
    await ran('call_2', 'a line of text', { name: 'remote_command', args: { host: 'hunter2-hunter2' } });
    const stored = await readStored(
      artifacts,
      await report(quoting(['call_1', 'a line of text'], ['call_2', 'a line of text'])),
    );
    expect(stored.report.claims[0]?.quotes.map(({ source }) => source?.host)).toEqual([
      'db3',
      '[redacted:secret]',
    ]);
  });

  test('[REPORT-06a] a call that the session does not have, or whose arguments cannot be read, has what is known', async () => {
    const { ran, report, log, artifacts } = await startReportSession({ tools });
    await ran('call_1', 'a line of text', { name: 'http_get', args: { url: 'http://h/' } });
    const [reply] = log;
    if (reply?.role === 'assistant' && reply.content[0]?.type === 'tool_call')
      reply.content[0].arguments = '{"url';
    const result = await report(quoting(['call_1', 'a line of text'], ['call_9', 'a line of fiction']));
    const { report: content } = await readStored(artifacts, result);
    const [known, unknown] = content.claims[0]?.quotes ?? [];
    expect(known?.source).toEqual({ tool: 'http_get', argument: '', at: '2026-11-21T03:04:06.000Z' });
    expect(unknown).not.toHaveProperty('source');
  });
});

const unknown =
  'Outcome unknown: the worker was lost while this tool ran, so it may have taken effect or not.';
const told = '2026-11-21T03:04:09Z rollback id=d-513 service=shop';

describe('a gap "outcome unknown"', () => {
  const inClaim = (quotes: JsonObject[]): JsonObject => ({ claims: [{ text: 'It is back.', quotes }] });
  type Options = { quote?: string; before?: boolean; outcome?: string; quotedIn?: typeof inClaim };
  type Read = { name?: string; args?: { [key: string]: string }; text?: string; isError?: boolean };

  /** One unknown call, then one read that is quoted. */
  async function gapsAfter(
    read: Read,
    { quote = read.text ?? told, before = false, outcome = unknown, quotedIn = inClaim }: Options = {},
  ): Promise<Gap[]> {
    const { ran, answered, report, artifacts } = await startReportSession({ tools });
    const { name = 'read', args = { path: 'deploys.log' }, text = told, isError = false } = read;
    if (!before) answered('call_1', outcome, { service: 'shop', deploy: 'd-513' });
    await ran('call_2', text, { name, args, isError });
    if (before) answered('call_1', outcome, { service: 'shop', deploy: 'd-513' });
    const result = await report(quotedIn([{ callId: 'call_2', quote }]));
    const { report: content } = await readStored(artifacts, result);
    return content.gaps.filter((gap) => gap.callId === 'call_1');
  }

  test('[REPORT-08ab] is closed by a quoted later read of the same object, and names the quote', async () => {
    const { ran, answered, report, artifacts } = await startReportSession({ tools });
    answered('call_1', unknown, { service: 'shop', deploy: 'd-513' });
    await ran('call_2', `first\n${told}`, { name: 'read', args: { path: 'deploys.log' } });
    const result = await report(quoting(['call_2', told]));
    const { report: content, markdown } = await readStored(artifacts, result);
    expect(content.gaps).toMatchObject([
      {
        source: 'code',
        callId: 'call_1',
        text: expect.stringContaining('Outcome unknown'),
        closedBy: {
          callId: 'call_2',
          quote: told,
          verified: true,
          position: { line: 2 },
          source: { tool: 'read' },
        },
      },
    ]);
    expect(markdown).toMatch(
      /## Gaps\n\n- \*\*Closed by a later read\.\*\* restart .*Outcome unknown.*\n {3}- quote found: `read deploys\.log`, \S+ \S+ UTC, call `call_2`, line 2 \(shown above\)\n/,
    );
    const at = '2026-11-21T03:04:06.000Z';
    const run = {
      actions: [{ callId: 'call_1', at, call: 'restart shop', outcome: 'unknown', why: 'lost' }],
    };
    const withRun = { ...content, run: { ...wholeReport.run, ...run } } as Report;
    for (const form of [renderReport(withRun), renderReportHtml(withRun)])
      expect(form).toContain('settled by a later read: line 2 of call call');
    expect(textOf(result.message)).toContain('Gaps closed by a quoted later read: 1.');
    expect(textOf(result.message)).not.toContain('Gaps added');
    expect(result.message.details).toMatchObject({ gaps: 0 });
  });

  test.each<[string, Read, Options?]>([
    ['the object in the arguments of the read', { args: { path: 'shop/d-513' }, text: 'all is well' }],
    ['one part there, the other in the quote', { args: { path: '/etc/shop.yaml' }, text: 'deploy: d-513' }],
    [
      'quoted for what was ruled out',
      {},
      { quotedIn: (quotes) => ({ ruledOut: [{ text: 'It is lost.', quotes }] }) },
    ],
    [
      'quoted in the timeline',
      {},
      { quotedIn: (quotes) => ({ timeline: [{ at: '03:04', event: 'It is back.', quotes }] }) },
    ],
  ])('[REPORT-08a] is closed: %s', async (_name, read, options) => {
    expect(await gapsAfter(read, options)).toMatchObject([{ closedBy: { callId: 'call_2' } }]);
  });

  test.each<[string, Read, Options?]>([
    ['a gap of another kind', {}, { outcome: 'Denied by ann: not now' }],
    ['a read whose line about it is not quoted', { text: `${told}\nall is well` }, { quote: 'all is well' }],
    ['a quote that was not found', {}, { quote: 'rollback id=d-513 service=shop, made up' }],
    ['an earlier read', {}, { before: true }],
    ['a read that failed', { isError: true }],
    ['a call that is no read', { name: 'restart', args: { service: 'shop' } }],
    ['a tool that the worker does not know', { name: 'probe' }],
    ['another object of a similar name', { text: 'rollback id=d-5131 service=shop' }],
    ['only a part of the object', { text: 'service=shop is up' }],
  ])('[REPORT-08a] stays: %s', async (_name, read, options) => {
    const gaps = await gapsAfter(read, options);
    expect(gaps).toHaveLength(1);
    expect(gaps[0]).not.toHaveProperty('closedBy');
  });
});
