// What every source has: instances, rows of an answer, links for people, three ways of having no data, checks for doctor.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@holdfast/processes/free-port';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '@holdfast/base/json';
import { z } from 'zod';
import { createRedactor } from '@holdfast/redaction/redaction';
import { readJsonLines } from '@holdfast/sources/json-reader';
import { answer } from '@holdfast/sources/source-answer';
import { fieldReader } from '@holdfast/sources/field-reader';
import { checkToolset } from '../../../src/activities/toolsets/source-checks.ts';
import type { ToolsetSettings } from '@holdfast/sources/toolset.schema';
import { openToolset } from '../../../src/activities/toolsets/toolsets.ts';
import { decidePolicy } from '../../../src/core/tools/policy.ts';
import { callCli, runCli } from '../../support/cli.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { createToolBench } from '../../support/toolset-bench.ts';
import { createInstancesTool } from '../../../src/activities/toolsets/instances.ts';

const yaml = `
name: logs
description: Logs of a test.
settings:
  url: {}
  token: { optional: true }
headers: { authorization: '{{settings.token}}' }
permissions: The role reader.
prerequisites: [{ http: '{{settings.url}}/ready' }]
checks: [{ tool: logs_query, with: { query: doctor } }]
tools:
  - name: logs_query
    description: Reads logs.
    effect: read
    parameters:
      query: { type: string }
      start: { type: time, default: '2026-11-28T05:00:00Z' }
    http:
      url: '{{settings.url}}/query'
      query: { q: '{{query}}', start: '{{start}}' }
    read: { items: hits, line: '{time} {message}' }
    link: { url: '{{settings.url}}/explore', query: { left: { query: '{{query}}', from: '{{start}}' } } }
`;

/** Answers with hits whose message names the server; by the query it refuses, is a broken proxy, or has nothing. */
async function startLogs(name: string, { ready = true } = {}) {
  return startHttpServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://server');
    const query = url.searchParams.get('q') ?? '';
    if (url.pathname === '/ready') return void response.writeHead(ready ? 200 : 500).end();
    if (request.headers.authorization === 'Bearer wrong') return void response.writeHead(403).end('no role');
    if (query === 'proxy') return void response.writeHead(503).end('upstream');
    const hits = [1, 2].map((second) => ({
      time: `2026-11-28T05:00:0${second}Z`,
      message: `${name} customer=4711 ${query}`,
    }));
    const others: Record<string, string> = {
      html: '<html>',
      list: '[1,2]',
      part: '{"hits":[{"time":"1 s","message":"a"}],"warnings":["one store is down"]}',
      'part of nothing': '{"hits":[],"warnings":["one store is down"]}',
      failed: '{"status":"error","error":"bad query"}',
    };
    response.end(others[query] ?? JSON.stringify({ hits: query === 'none' ? [] : hits, took: 3 }));
  });
}

async function open(settings: ToolsetSettings, text = yaml) {
  const file = join(await temporaryFolder(), 'logs.yaml');
  await writeFile(file, text);
  const bench = createToolBench({ secrets: { token: 'planted-token-1' } });
  const toolset = await openToolset(file, settings, bench.deps);
  return { toolset, call: (args: Json) => bench.returnOf(toolset, 'logs_query', args) };
}

async function openTwo(us: object = {}) {
  const [first, second] = [await startLogs('frankfurt'), await startLogs('oregon')];
  const opened = await open({
    instances: { eu: { settings: { url: first.url } }, us: { settings: { url: second.url }, ...us } },
  });
  return { ...opened, first, second };
}

describe('instances', () => {
  test('[SRC-01ab] one tool, whose argument names the server; other names are refused with the names', async () => {
    const { toolset, call } = await openTwo();
    expect(toolset.made.map(({ spec }) => spec.name)).toEqual(['logs_query']);
    expect(toolset.made[0]?.spec.parameters).toMatchObject({
      required: ['instance', 'query'],
      properties: { instance: { description: 'eu, us.' } },
    });
    expect((await call({ instance: 'eu', query: 'x' })).text).toContain('frankfurt');
    expect((await call({ instance: 'us', query: 'x' })).text).toContain('oregon');
    await expect(call({ instance: 'mars', query: 'x' })).rejects.toThrow(
      /expected one of eu, us; got "mars"/,
    );
    await expect(call({ query: 'x' })).rejects.toThrow(/expected one of eu, us; there is none/);
  });

  test('[SRC-01c] the only instance needs no name', async () => {
    const { url } = await startLogs('only');
    const { call } = await open({ settings: { url }, instances: { eu: {} } });
    expect((await call({ query: 'x' })).text).toContain('only');
  });

  test('[SRC-03a] a rule about the argument judges the calls of its instance', async () => {
    const { toolset } = await openTwo();
    const rule = { tool: 'logs_*', args: { instance: 'us' }, decision: 'deny' as const };
    const verdictOf = (instance: string) => {
      const args = toolset.made[0]?.parse({ instance, query: 'x' }) as JsonObject;
      return decidePolicy({ tool: 'logs_query', effect: 'read', args }, [rule]).decision;
    };
    expect([verdictOf('eu'), verdictOf('us')]).toEqual(['allow', 'deny']);
  });

  test('[SRC-02b] [SRC-08ab] tools and doctor name each instance, with what is wrong', async () => {
    const [eu, us] = [await startLogs('eu'), await startLogs('us', { ready: false })];
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'logs.yaml'), yaml);
    const toolsets = {
      './logs.yaml': {
        instances: {
          eu: { description: 'Frankfurt', settings: { url: eu.url, token: 'Bearer wrong' } },
          us: { settings: { url: us.url } },
        },
      },
    };
    await writeFile(join(cwd, 'holdfast.config.json'), JSON.stringify({ toolsets, model: 'scripted:x' }));
    const { stdout } = await callCli(['tools'], { cwd });
    expect(stdout).toContain(`  instance eu ${eu.url} Frankfurt\n`);
    expect(stdout).toContain(`  instance us ${us.url}  not now: ${us.url}/ready answered with status 500\n`);
    const doctor = await callCli(['doctor'], { cwd });
    expect(doctor.stdout).toContain(
      'logs eu: logs_query: No access: the source refused the request. It needs: The role reader.',
    );
    expect(doctor.stdout).toContain(
      'logs us: logs_query answers: 2026-11-28T05:00:01Z us customer=4711 doctor\n',
    );
  });

  test('[SRC-08c] doctor says of an instance that is away, or behind a proxy that does not reach it, that it is not reachable', async () => {
    const cwd = await temporaryFolder();
    const gone = `http://127.0.0.1:${await freePort()}`;
    const proxy = await startLogs('shop');
    // without a prerequisite, which would ask the server first
    const text = yaml.replace(/prerequisites.*\n/, '').replace('query: doctor', 'query: proxy');
    await writeFile(join(cwd, 'logs.yaml'), text);
    const instances = { gone: { settings: { url: gone } }, proxy: { settings: { url: proxy.url } } };
    const toolsets = { './logs.yaml': { instances } };
    await writeFile(join(cwd, 'holdfast.config.json'), JSON.stringify({ toolsets, model: 'scripted:x' }));
    const { stdout } = await callCli(['doctor'], { cwd });
    expect(stdout).toMatch(/logs gone: logs_query: Not reachable: .*ECONNREFUSED/);
    expect(stdout).toContain(
      'logs proxy: logs_query: Not reachable: [HTTP 503 Service Unavailable] upstream',
    );
  });

  test('[SRC-03bc] redaction and tags of an instance are for its answers', async () => {
    const { call } = await openTwo({ redact: ['customer=\\d+'], sensitivity: ['customer-data'] });
    const [eu, us] = [await call({ instance: 'eu', query: 'x' }), await call({ instance: 'us', query: 'x' })];
    expect(eu.text).toContain('customer=4711');
    expect(eu.sensitivity).toBeUndefined();
    expect(JSON.stringify(us)).not.toContain('4711');
    expect(us.text).toContain('oregon [redacted] x');
    expect(us.sensitivity).toEqual(['customer-data']);
  });

  test('[SRC-03b] redaction comes before anything is cut, and knows the escapes of JSON', async () => {
    const { url } = await startHttpServer((request, response) => {
      if (request.url === '/ready') return void response.end();
      response.end(`{"hits":[{"time":"t","message":"${'x'.repeat(290)} alice\\u0040example.com"}]}`);
    });
    const text = yaml.replace('{time} {message}', '{message}');
    const opened = await open(
      { instances: { eu: { settings: { url }, redact: ['\\w+@example\\.com'] } } },
      text,
    );
    const made = await opened.call({ query: 'x' });
    expect(made.text).toContain('[redacte');
    expect(JSON.stringify(made)).not.toContain('alice');
  });

  test('[SRC-03d] a long output is redacted by lines, wherever its pieces end', async () => {
    const file = join(await temporaryFolder(), 'print.yaml');
    const script = "for (let n = 0; n < 600000; n += 1) console.log('row ' + n + ' card=4711-0815')";
    await writeFile(
      file,
      `name: print\ndescription: Prints.\ntools:\n  - { name: print, description: Prints., effect: read, command: [${JSON.stringify(process.execPath)}, -e, ${JSON.stringify(script)}] }\n`,
    );
    const bench = createToolBench();
    const toolset = await openToolset(file, { instances: { a: { redact: ['card=[\\d-]+'] } } }, bench.deps);
    let stored = '';
    const context = {
      ...bench.context,
      addOutput: async (chunk: Uint8Array | string) => void (stored += chunk),
    };
    const tool = toolset.made[0];
    const made = await tool?.run(tool.parse({}), context);
    expect(stored.length).toBeGreaterThan(1_000_000);
    expect(`${stored}${JSON.stringify(made)}`.includes('4711-0815')).toBe(false);
    expect(stored.includes('row 599998 [redacted]')).toBe(true);
  });

  test('[SRC-04ab] an instance that does not answer now is asked again; so is a toolset of which none does', async () => {
    const up = await startLogs('up');
    const late = await startLogs('late', { ready: false });
    const gone = `http://127.0.0.1:${await freePort()}`;
    const { toolset, call } = await open({
      instances: { up: { settings: { url: up.url } }, late: { settings: { url: late.url } } },
    });
    expect(toolset.status).toBe('ready');
    expect(toolset.instances?.map(({ name, absent }) => [name, absent[0]?.reason])).toEqual([
      ['up', undefined],
      ['late', `${late.url}/ready answered with status 500`],
    ]);
    expect((await call({ instance: 'late', query: 'x' })).text).toContain('late');
    const none = await open({
      instances: { a: { settings: { url: gone } }, b: { settings: { url: late.url } } },
    });
    expect(none.toolset.status).toBe('ready');
    expect((await none.call({ instance: 'a', query: 'x' })).text).toMatch(/^Not reachable: /);
    expect((await none.call({ instance: 'b', query: 'x' })).text).toContain('late');
    const unset = await open({ instances: { a: {}, b: {} } });
    expect(unset.toolset).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^a: its setting url .*; b: its setting url /),
    });
  });

  test('[SRC-04c] a server that answers later is used if the toolset may use it', async () => {
    const folder = await temporaryFolder();
    const state = join(folder, 'state');
    const asking = yaml.replace(
      /^prerequisites.*$/m,
      `prerequisites: [{ command: [cat, ${state}], output: superuser off, advice: Make a role. }]`,
    );
    const { url } = await startLogs('db');
    const { toolset, call } = await open({ settings: { url } }, asking);
    expect(toolset.status).toBe('ready');
    await writeFile(state, 'superuser on');
    expect(await call({ query: 'x' })).toEqual({
      text: 'Not run. cat answered "superuser on": expected "superuser off" in it. Make a role.',
      isError: true,
      outcome: 'refused',
    });
    await writeFile(state, 'superuser off');
    expect((await call({ query: 'x' })).text).toContain('db');
    expect((await open({ settings: { url } }, asking)).toolset.status).toBe('ready');
    await writeFile(state, 'superuser on');
    expect((await open({ settings: { url } }, asking)).toolset.status).toBe('failed');
  });

  test('[SRC-04a] tools and the start of a worker name a server that does not answer now', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'logs.yaml'), yaml);
    const url = `http://127.0.0.1:${await freePort()}`;
    const toolsets = { './logs.yaml': { settings: { url } } };
    await writeFile(join(cwd, 'holdfast.config.json'), JSON.stringify({ toolsets, model: 'scripted:x' }));
    const { stdout } = await callCli(['tools'], { cwd });
    expect(stdout).toContain(
      `toolset:logs  ready, but it does not answer now: ${url}/ready cannot be reached\n`,
    );
    const doctor = await callCli(['doctor'], { cwd });
    expect(doctor.stdout).toContain(
      `logs: 1 tool; it does not work now, because ${url}/ready cannot be reached\n`,
    );
    expect(doctor.stdout).toContain('logs: logs_query: Not reachable: ');
  });

  test('[SRC-02a] list_instances has each server with what is known about it', async () => {
    const tool = createInstancesTool([
      { source: 'prometheus', name: 'eu', address: 'http://eu:9090', description: 'Frankfurt' },
      { source: 'loki', name: 'us', problem: 'it cannot be reached' },
    ]);
    const { context } = createToolBench();
    expect(await tool.run(tool.parse({}), context)).toEqual({
      text: 'prometheus eu | http://eu:9090 | Frankfurt\nloki us | did not work: it cannot be reached',
    });
    expect(await tool.run(tool.parse({ source: 'x' }), context)).toMatchObject({
      text: 'No such source: expected one of prometheus, loki.',
    });
  });
});

describe('an answer', () => {
  const opened = async (token = 'Bearer secret://token') => {
    const { url } = await startLogs('shop');
    return { url, ...(await open({ settings: { url, token } })) };
  };

  test('[SRC-06ab] has its rows in front of the raw answer', async () => {
    const { call } = await opened();
    const { text, full = '' } = await call({ query: 'x' });
    expect(text).toBe('2026-11-28T05:00:01Z shop customer=4711 x\n2026-11-28T05:00:02Z shop customer=4711 x');
    expect(full.startsWith(`${text}\n\n[As it came:]\n{"hits":`)).toBe(true);
  });

  test('[SRC-06c] in an unknown form is shown as it came, and said to be so', async () => {
    const { call } = await opened();
    expect(await call({ query: 'list' })).toMatchObject({
      text: '[In a form that this tool does not know (answer: expected a list at hits): shown as it came. What it lacks proves nothing.]\n[1,2]',
      details: { answer: 'unknown' },
    });
  });

  test('[SRC-06a] a field that is null is absent, and costs its part of the line', () => {
    const line = [
      '{id}',
      ' {log.level|level|"?"}',
      ' {message:9}',
      ' by {who}',
      ' at {at:time}',
      ' OLD{old:if}',
    ];
    const read = fieldReader({ items: 'hits', line });
    const hits = [
      { id: 1, level: null, message: 'first line\nand more', who: [{ a: 1 }], at: 1795843200, old: true },
      {
        id: 2,
        'log.level': 'warn',
        message: null,
        who: ['ann', 'bob'],
        at: '1795843200123456789',
        old: false,
      },
    ];
    expect(read(JSON.stringify({ hits }), {})).toEqual({
      is: 'rows',
      rows: [
        '1 ? first li… by [{"a":1}] at 2026-11-28T05:20:00.000Z OLD',
        '2 warn by ann, bob at 2026-11-28T05:20:00.123Z',
      ],
    });
  });

  test('[SRC-06e] items without the first part of their line are counted and shown, never dropped', () => {
    const read = fieldReader({ items: 'hits', line: ['{id}', ' {message}'] });
    expect(read('{"hits":[{"id":1,"message":"a"},{"message":"b"},{"id":3}]}', {})).toEqual({
      is: 'partial',
      why: ['1 item of 3 could not be read, such as {"message":"b"}'],
      rows: ['1 a', '3'],
      came: 3,
    });
  });

  test('[SRC-06f] rows are sorted by a field, an item without it first, and objects for other readers', () => {
    const row = { at: '{t}', what: ['{a} -> ', '{b}'], where: ['in {none}'] };
    const read = fieldReader({ items: 'hits', row, sort: ['-t', 'a'] });
    const hits = [
      { t: 2, a: 'x', b: 'y' },
      { a: 'z', b: 'w' },
      { t: 10, a: 'x', b: 'v' },
      { t: 10, a: 'w', b: 'u' },
    ];
    expect(read(JSON.stringify({ hits }), {})).toMatchObject({
      rows: [
        { what: 'z -> w' },
        { at: 10, what: 'w -> u' },
        { at: 10, what: 'x -> v' },
        { at: 2, what: 'x -> y' },
      ],
    });
  });

  test.each([
    ['{"data":{"hits":[]}}', { is: 'none' }],
    ['{"data":{"hits":null}}', { is: 'none' }],
    ['{"data":{}}', { is: 'unknown', why: 'answer: expected a list at data.hits' }],
    ['{}', { is: 'unknown', why: 'answer: expected a list at data.hits' }],
    ['', { is: 'unknown', why: 'it is empty, where JSON is due' }],
    ['ok', { is: 'unknown', why: 'expected JSON' }],
    ['{"status":"error","error":"bad query"}', { is: 'failed', why: 'bad query' }],
    [
      '{"status":"error","data":{"hits":[]},"errorType":"timeout","error":"30 s"}',
      { is: 'failed', why: 'timeout: 30 s' },
    ],
    [
      '{"success":false,"data":{"hits":[{"id":1}]}}',
      { is: 'failed', why: '{"success":false,"data":{"hits":[{"id":1}]}}' },
    ],
    ['{"message":"no such index","statusCode":404}', { is: 'failed', why: 'no such index' }],
    ['{"message":"Unauthorized","code":401}', { is: 'failed', why: 'Unauthorized', answer: 'no_access' }],
    ['{"error":{"code":503,"message":"down"}}', { is: 'failed', why: 'down', answer: 'not_reachable' }],
    ['{"errors":[{"message":"one"},{"message":"two"}],"data":null}', { is: 'failed', why: 'one: two' }],
    [
      '<!DOCTYPE html><html><head><title>Sign in</title>',
      {
        is: 'failed',
        why: 'a page of HTML in place of data, "Sign in": perhaps a sign-in or a proxy',
        answer: 'not_reachable',
      },
    ],
    [
      '{"data":{"hits":[{"id":1}]},"errors":[{"message":"shard 3"}]}',
      { is: 'partial', why: ['shard 3'], rows: ['1'] },
    ],
    ['{"data":{"hits":[]},"warnings":["store down"]}', { is: 'partial', why: ['store down'], rows: [] }],
    [
      '{"data":{"hits":[]},"isPartial":true}',
      { is: 'partial', why: ['the source says that it is a part: not every store has answered'], rows: [] },
    ],
    [
      '{"data":{"hits":[]},"timed_out":true}',
      { is: 'partial', why: ['the search ran out of time'], rows: [] },
    ],
    [
      '{"data":{"hits":[]},"_shards":{"total":5,"failed":2,"failures":[{"reason":{"type":"x","reason":"disk"}}]}}',
      { is: 'partial', why: ['2 of 5 shards failed: x: disk'], rows: [] },
    ],
    [
      '{"data":{"hits":[]},"error":"","errors":[],"warnings":null,"timed_out":false,"_shards":{"failed":0}}',
      { is: 'none' },
    ],
    ['{"data":{"hits":[]},"message":"query failed","statusCode":500}', { is: 'failed', why: 'query failed' }],
    ['{"data":null,"error":{"reason":"why","title":"what"}}', { is: 'failed', why: 'what: why' }],
    ['{"title":"a page of data","data":{}}', { is: 'unknown', why: 'answer: expected a list at data.hits' }],
  ])('[SRC-05e] %s is what one place decides', (said, expected) => {
    expect(fieldReader({ items: 'data.hits', line: '{id}' })(said, {})).toEqual(expected);
  });

  test.each([
    [200, 'unknown'],
    [204, 'nothing'],
    [404, 'nothing'],
  ])('[SRC-05a] an empty body with status %i is %s', async (status, answer) => {
    const { url } = await startHttpServer(
      (request, response) => void response.writeHead(request.url === '/ready' ? 200 : status).end(),
    );
    const lenient = yaml.replace(
      /^ {4}link:/m,
      '    nothing: not found\n    success: [200, 204, 404]\n    link:',
    );
    const { call } = await open({ settings: { url } }, lenient);
    expect((await call({ query: 'x' })).details).toMatchObject({ answer });
  });

  test('[SRC-05h] a page without rows is not nothing where there is more', () => {
    const read = fieldReader({ items: 'hits', line: '{id}', total: 'count', more: '!isLast' });
    expect(read('{"hits":[],"count":12}', {})).toMatchObject({ is: 'partial', why: ['none of 12 came'] });
    expect(read('{"hits":[],"isLast":false}', {})).toMatchObject({
      is: 'partial',
      why: ['nothing came, and there is more'],
    });
    expect(read('{"hits":[],"count":0,"isLast":true}', {})).toEqual({ is: 'none' });
  });

  test('[SRC-05i] an error in place of lines of JSON is a failure, and lines that fail the schema are not nothing', () => {
    const read = readJsonLines(z.object({ id: z.number() }), (lines) =>
      answer(lines.map(({ id }) => `${id}`)),
    );
    expect(read('{"message":"license quota exceeded","statusCode":500}', {})).toMatchObject({
      is: 'failed',
      why: 'license quota exceeded',
    });
    expect(read('{"id":1}\n{"other":2}\n', {})).toMatchObject({ is: 'partial', rows: ['1'] });
  });

  test('[SRC-15c] secrets are out before a reader cuts, in JSON as in text', async () => {
    const secret = 'Zq8-hunter-Tango-77-vermilion';
    const { url } = await startHttpServer((request, response) => {
      if (request.url === '/ready') return void response.end();
      response.end(JSON.stringify({ hits: [{ time: 't', message: `${'x'.repeat(288)} ${secret}` }] }));
    });
    const file = join(await temporaryFolder(), 'logs.yaml');
    await writeFile(file, yaml);
    const bench = createToolBench({ secrets: { token: 'planted-token-1' } });
    const toolset = await openToolset(file, { settings: { url } }, bench.deps);
    const redactor = createRedactor([secret]);
    const tool = toolset.made[0];
    const made = await tool?.run(tool.parse({ query: 'x' }), { ...bench.context, redact: redactor.text });
    expect(made?.text).toMatch(/x \[redact/);
    expect(made?.text).not.toContain('Zq8');
  });

  test('[SRC-05f] a part says so first, a failure is an error, and nothing is found in neither', async () => {
    const { call } = await opened();
    expect(await call({ query: 'part' })).toMatchObject({
      text: 'Not whole: one store is down\n1 s a',
      details: { answer: 'partial' },
    });
    expect(await call({ query: 'part of nothing' })).toMatchObject({
      text: 'Not whole: one store is down\nNothing is in what came.',
      details: { answer: 'partial' },
    });
    expect(await call({ query: 'failed' })).toMatchObject({
      isError: true,
      text: 'Failed: the source answered with an error: bad query\n{"status":"error","error":"bad query"}',
      details: { answer: 'failed' },
    });
    expect(await call({ query: 'html' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Not reachable: a page of HTML in place of data/),
      details: { answer: 'not_reachable' },
    });
  });

  test('[SRC-05g] a limit that was reached is said, and a whole number where the source knows it', async () => {
    const { url } = await startLogs('shop');
    const with2 = yaml.replace(/^ {4}link:/m, '    limit: 2\n    link:');
    const said = (read: string) =>
      open({ settings: { url } }, with2.replace(/read: .*/, `read: ${read}`)).then(
        async ({ call }) => (await call({ query: 'x' })).text.split('\n')[0],
      );
    const line = "line: '{time}'";
    expect(await said(`{ items: hits, ${line} }`)).toBe(
      '2 of at least 2: the limit is reached, and there may be more',
    );
    expect(await said(`{ items: hits, ${line}, total: took }`)).toBe('2 of 3: the rest is left out');
    expect(await said(`{ items: hits, ${line}, more: none }`)).toBe('2026-11-28T05:00:01Z');
    expect(await said(`{ items: hits, ${line}, more: took }`)).toBe(
      '2 of at least 2: the limit is reached, and there may be more',
    );
  });

  test.each([
    [
      'checks: [{ tool: logs_query',
      'checks: [{ tool: logs_qery',
      /checks, logs_qery: expected one of logs_query/,
    ],
    ['with: { query: doctor }', 'with: { qery: doctor }', /checks, logs_query: .*unrecognized key: "qery"/],
    ["link: { url: '{{settings.url}}", "link: { url: '{{settings.ui}}", /link, names \{\{settings\.ui\}\}/],
  ])('[SRC-08d] %s: a check or a link that names what is not there is refused', async (from, to, words) => {
    await expect(open({ settings: { url: 'http://127.0.0.1' } }, yaml.replace(from, to))).rejects.toThrow(
      words,
    );
  });

  test.each(['unknown', 'partial', 'failed'])(
    '[SRC-08e] a check that was not understood in whole says so: %s',
    async (answer) => {
      const { url } = await startLogs('shop');
      const query = { unknown: 'list', partial: 'part', failed: 'failed' }[answer] ?? '';
      const { toolset } = await open({ settings: { url } }, yaml.replace('query: doctor', `query: ${query}`));
      expect(await checkToolset(toolset, (text) => text)).toMatchObject([{ answer }]);
    },
  );

  test.each([
    [
      "line: '{time} {message}'",
      "line: '{time:day}'",
      /the tool logs_query: read: \{time:day\} has the form "day": expected time, if or/,
    ],
    [
      "line: '{time} {message}'",
      "line: '{time} {'",
      /the tool logs_query: read: .* has a brace that begins or ends no field/,
    ],
    [
      "{ items: hits, line: '{time} {message}' }",
      'hits',
      /the tool logs_query: read is "hits": expected fields, table, or a function of the \.ts or \.js file beside it: which exports none, or is not there\./,
    ],
    [
      "line: '{time} {message}'",
      'line: [time, message]',
      /the tool logs_query: read: "timemessage" names no field: expected one in braces, such as \{id\}\./,
    ],
  ])('[SRC-06d] a reader that is wrong, or that nothing has, is named: %s', async (from, to, words) => {
    await expect(open({ settings: { url: 'http://127.0.0.1' } }, yaml.replace(from, to))).rejects.toThrow(
      words,
    );
  });

  test('[SRC-06g] a reader may be code beside the file', async () => {
    const folder = await temporaryFolder();
    await writeFile(
      join(folder, 'own.yaml'),
      'name: own\ndescription: x\ntools:\n  - { name: own_say, description: x, effect: read, command: [echo, "a,b"], read: parts }\n',
    );
    await writeFile(
      join(folder, 'own.ts'),
      'export const parts = (text: string) => ({ is: "rows", rows: text.trim().split(",") });\n',
    );
    const bench = createToolBench();
    const toolset = await openToolset(join(folder, 'own.yaml'), {}, bench.deps);
    expect((await bench.returnOf(toolset, 'own_say', {})).text).toBe('a\nb');
    await writeFile(
      join(folder, 'wrong.yaml'),
      (await readFile(join(folder, 'own.yaml'), 'utf8')).replace('name: own\n', 'name: wrong\n'),
    );
    await writeFile(join(folder, 'wrong.ts'), 'export const parts = () => ({ is: "rows", rows: "a" });\n');
    const wrong = await openToolset(join(folder, 'wrong.yaml'), {}, bench.deps);
    expect((await bench.returnOf(wrong, 'own_say', {})).text).toContain(
      '(its reader gave {"is":"rows","rows":"a"}: expected',
    );
  });

  test.each([
    ['export const part = 1;', /beside it: part\.$/],
    ['import "./nowhere.ts";', /logs\.ts cannot be loaded: Cannot find module \S+nowhere\.ts/],
    ['throw new Error("no licence");', /logs\.ts cannot be loaded: no licence\.$/],
  ])('[SRC-06dg] code beside the file that is wrong is named with its place: %s', async (code, words) => {
    const file = join(await temporaryFolder(), 'logs.yaml');
    await writeFile(file, yaml.replace("{ items: hits, line: '{time} {message}' }", 'parts'));
    await writeFile(file.replace(/yaml$/, 'ts'), code);
    const opened = openToolset(file, { settings: { url: 'http://127.0.0.1' } }, createToolBench().deps);
    await expect(opened).rejects.toThrow(/^The toolset \S+logs\.yaml is not valid: /);
    await expect(opened).rejects.toThrow(words);
  });

  test.each([
    ['export function parts(text: string { }', /own\.ts:1 cannot be loaded: \S/],
    ['enum Kind { one }', /own\.ts:1 cannot be loaded: TypeScript enum is not supported/],
  ])('[SRC-06dg] a command names the line that Node does not read: %s', async (code, words) => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'own.yaml'), yaml);
    await writeFile(join(cwd, 'own.ts'), code);
    const toolsets = { './own.yaml': { settings: { url: 'http://127.0.0.1' } } };
    await writeFile(join(cwd, 'holdfast.config.js'), `export default ${JSON.stringify({ toolsets })};`);
    const { code: exitCode, stderr } = await runCli(['tools'], { cwd });
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain('unexpected error');
    expect(exitCode).toBe(2);
  });

  test('[SRC-06ce] null is an empty list, and what no item has is named', () => {
    const read = fieldReader({ line: ['{Id} {Type}', ' {At}'] });
    expect(read('null', {})).toEqual({ is: 'none' });
    expect(read('[{"ID":1}]', {})).toMatchObject({
      why: ['1 item of 1 could not be read as {Id} {Type}, such as {"ID":1}'],
    });
    expect(read('[{"ID":1},{"Id":2,"Type":"x"}]', {})).toMatchObject({
      why: ['1 item of 2 could not be read, such as {"ID":1}'],
    });
  });

  test('[SRC-07ab] has an address for people, without a secret', async () => {
    const { url, call } = await opened();
    const { details } = await call({ query: 'a&b "c"' });
    const { link = '' } = details as { link?: string };
    expect(JSON.parse(new URL(link).searchParams.get('left') ?? '')).toEqual({
      query: 'a&b "c"',
      from: '2026-11-28T05:00:00Z',
    });
    expect(link.startsWith(`${url}/explore?`)).toBe(true);
    const none = await call({ query: 'none' });
    expect(none.details).toMatchObject({ answer: 'nothing', link: expect.stringContaining('/explore?') });
    const script = yaml.replace(
      "link: { url: '{{settings.url}}/explore'",
      "link: { url: '{{settings.token}}/x'",
    );
    const other = await open({ settings: { url, token: 'javascript:alert' } }, script);
    expect((await other.call({ query: 'x' })).details).not.toHaveProperty('link');
  });

  test('[SRC-05abc] nothing found, no access and not reachable are told apart', async () => {
    const { call } = await opened();
    const nothing = await call({ query: 'none' });
    expect(nothing.text).toBe(
      'Nothing found: the source answered, and has nothing that matches (start 2026-11-28T05:00:00Z).',
    );
    expect(nothing.isError).toBeUndefined();
    expect(nothing.full).toContain('"hits":[]');
    const refused = await (await opened('Bearer wrong')).call({ query: 'x' });
    expect(refused).toMatchObject({ isError: true, details: { answer: 'no_access' } });
    expect(refused.text).toBe(
      'No access: the source refused the request. It needs: The role reader.\n[HTTP 403 Forbidden]\nno role',
    );
    expect(await call({ query: 'proxy' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Not reachable: \[HTTP 503/),
    });
    const url = `http://127.0.0.1:${await freePort()}`;
    const gone = await open({ settings: { url } }, yaml.replace(/^prerequisites.*\n/m, ''));
    expect(await gone.call({ query: 'x' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Not reachable: /),
      details: { answer: 'not_reachable' },
    });
  });

  test.each([
    ['permission denied for table x', 'No access: the source refused the request. It needs: pg_monitor\n'],
    ['connection refused', 'Not reachable: [exit code 3]\n'],
    ['syntax error', '[exit code 3]\n'],
  ])('[SRC-05d] of a command that says "%s"', async (said, begins) => {
    const text = `name: logs\ndescription: x\npermissions: pg_monitor\nsigns: { noAccess: permission denied, notReachable: refused }\ntools:\n  - { name: logs_query, description: x, effect: read, command: [sh, -c, 'echo "${said}" >&2; exit 3'] }\n`;
    const { call } = await open({}, text);
    const made = await call({});
    expect(made.isError).toBe(true);
    expect(made.text.startsWith(begins)).toBe(true);
  });
});

test('[SRC-08abc] the checks of a source say for each instance whether it answers, refuses, or is not there', async () => {
  const { url } = await startLogs('shop');
  const gone = `http://127.0.0.1:${await freePort()}`;
  const { toolset } = await open({
    instances: {
      good: { settings: { url, token: 'Bearer secret://token' } },
      wrong: { settings: { url, token: 'Bearer wrong' } },
      gone: { settings: { url: gone } },
    },
  });
  expect(await checkToolset(toolset, (text) => text)).toEqual([
    {
      toolset: 'logs',
      instance: 'good',
      tool: 'logs_query',
      answer: 'data',
      said: '2026-11-28T05:00:01Z shop customer=4711 doctor',
    },
    {
      toolset: 'logs',
      instance: 'wrong',
      tool: 'logs_query',
      answer: 'no_access',
      said: expect.stringContaining('It needs: The role reader.'),
    },
    {
      toolset: 'logs',
      instance: 'gone',
      tool: 'logs_query',
      answer: 'not_reachable',
      said: expect.stringContaining('Not reachable'),
    },
  ]);
});

test('[SRC-08c] a source that gives no answer is not reachable, whatever its tool says when it is stopped', async () => {
  const { url } = await startHttpServer(() => undefined);
  const file = join(await temporaryFolder(), 'slow.yaml');
  const slow = `name: slow
description: x
settings: { url: {} }
checks: [{ tool: slow_http }, { tool: slow_command }]
tools:
  - { name: slow_http, description: x, effect: read, http: { url: '{{settings.url}}/x' } }
  - { name: slow_command, description: x, effect: read, command: [sleep, '600'] }
`;
  await writeFile(file, slow);
  const toolset = await openToolset(file, { settings: { url } }, createToolBench({}).deps);
  const said = { answer: 'not_reachable', said: 'Not reachable: no answer within 0.1 s.' };
  expect(await checkToolset(toolset, (text) => text, 100)).toEqual([
    { toolset: 'slow', tool: 'slow_http', ...said },
    { toolset: 'slow', tool: 'slow_command', ...said },
  ]);
});

test('[FATE-13b] a tool begins before an alert by the parameters that say so, and by no other', async () => {
  const settings = { settings: { url: 'http://127.0.0.1' } };
  const lookBackOf = async (text: string) => (await open(settings, text)).toolset.made[0]?.spec.lookBack;
  expect(await lookBackOf(yaml)).toBeUndefined();
  const logs = yaml.replace("default: '2026-11-28T05:00:00Z' }", 'default: -1h, lookBack: logs }');
  expect(await lookBackOf(logs)).toStrictEqual({ start: 'logs' });
});
