// What `holdfast worker` writes of a run, counts, traces, and answers to probes, over a kill: each thing once, nothing of its
// content.
import { freePort } from '@holdfast/processes/free-port';
import { expect, test } from 'vitest';
import { type RunningCli, callCli, startCli } from '../support/cli.ts';
import { makeAskingFolder } from '../support/cli-folder.ts';
import { startHttpServer } from '../support/http-server.ts';
import { until } from '../support/until.ts';

type Attribute = { key: string; value: Record<string, unknown> };
type Span = { name: string; traceId: string; spanId: string; parentSpanId?: string; attributes: Attribute[] };
type Line = { level: string; message: string; session?: string; [field: string]: unknown };

/** A receiver of OTLP over HTTP. */
async function startCollector(): Promise<{ url: string; spans: Span[]; bodies: string[] }> {
  const bodies: string[] = [];
  const spans: Span[] = [];
  const take = (body: string): void => {
    bodies.push(body);
    for (const { scopeSpans } of JSON.parse(body).resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans);
  };
  const { url } = await startHttpServer((request, response) => {
    void request.toArray().then((pieces) => {
      take(Buffer.concat(pieces).toString());
      response.end('{}');
    });
  });
  return { url: `${url}/v1/traces`, spans, bodies };
}

test('[WORKER-12abcd] a worker logs a run, its approval and its end once over a kill, is ready until it drains, and sends one trace of a session, all without its content', async () => {
  const folder = await makeAskingFolder('worker-log');
  const first = startCli(['worker', '--log-format', 'json', '--health', '0'], folder);
  const [, ready = ''] = await first.until(/health (\S+)/);
  await until('it is ready', async () => (await fetch(ready)).status === 200);
  await callCli(['run', '--detach', '--session', 'logged', 'find the hidden treasure'], folder);
  await first.until(/approval asked/);
  first.child.kill('SIGKILL');
  const before = await linesOf(first);
  const port = await freePort();
  const { url, spans, bodies } = await startCollector();
  const more = ['--metrics', `${port}`, '--traces', url];
  const second = startCli(['worker', '--log-format', 'json', ...more], folder);
  await second.until(/worker on/);
  await callCli(['approve', 'logged', '--reason', 'treasure'], folder);
  await second.until(/run completed/);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  await callCli(['run', '--detach', '--session', 'traced', 'find the hidden treasure'], folder);
  await second.until(/approval asked[^\n]*traced/);
  await callCli(['approve', 'traced'], folder);
  expect((await callCli(['result', 'traced'], folder)).code).toBe(0);
  await second.until(/run completed[^\n]*traced/);
  second.child.kill('SIGTERM');
  const after = await linesOf(second);

  const shown = ({ level, message, run }: Line) => [level, message, run];
  expect(before.map(shown)).toEqual([
    ['info', 'run begins', 'run-1'],
    ['info', 'approval asked', 'run-1'],
  ]);
  // the second one has replayed all that the first one wrote
  expect(after.filter(({ level }) => level !== 'warning').map(shown)).toEqual([
    ['info', 'approval given', 'run-1'],
    ['info', 'run completed', 'run-1'],
  ]);
  expect(before[1]).toMatchObject({ tool: 'read', call: expect.any(String), deadline: expect.any(String) });
  expect(after.find(({ message }) => message === 'approval given')).toMatchObject({
    actor: expect.any(String),
    waitedMs: expect.any(Number),
  });
  expect(after.find(({ message }) => message === 'run completed')).toMatchObject({
    outcome: 'completed',
    turns: 2,
    toolCalls: 1,
    costUsd: 0,
    durationMs: expect.any(Number),
  });
  expect(JSON.stringify([before, after])).not.toMatch(/treasure|shop\.log|That is all/);
  expect(valuesIn(metrics)).toEqual({
    'holdfast_runs_ended_total completed': '1',
    // the answer after the kill; the reply before it was another worker's
    holdfast_turns_total: '1',
    'holdfast_tool_calls_total read ok read': '1',
    'holdfast_answers_total approved approval': '1',
  });
  await expect(fetch(ready)).rejects.toThrow();
  expectOneTrace(spans);
  expect(bodies.join()).not.toMatch(/treasure|shop\.log|pool timeout|That is all/);
  await folder.remove();
});

/** From its workflow to its model and tool calls. */
function expectOneTrace(spans: Span[]): void {
  const own = spans.filter(({ traceId }) => traceId === rootOf(spans).traceId);
  const byId = new Map(own.map((span) => [span.spanId, span]));
  const path = (span: Span | undefined): string[] =>
    span === undefined ? [] : [...path(byId.get(span.parentSpanId ?? '')), span.name];
  const paths = own.map((span) => path(span).join(' > '));
  expect(paths).toContainEqual(
    expect.stringMatching(
      /^RunWorkflow:agentSession > StartActivity:callModel > RunActivity:callModel > chat \S+$/,
    ),
  );
  expect(paths).toContain(
    'RunWorkflow:agentSession > StartActivity:tool.read > RunActivity:tool.read > execute_tool read',
  );
  expect(spans.map(({ name }) => name).filter((name) => /^(HandleQuery|ValidateUpdate)/.test(name))).toEqual(
    [],
  );
  expect(attributesOf(own.find(({ name }) => name.startsWith('chat ')))).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'scripted',
    'gen_ai.conversation.id': 'traced',
    'gen_ai.usage.output_tokens': expect.any(Number),
  });
  expect(attributesOf(own.find(({ name }) => name === 'execute_tool read'))).toMatchObject({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'read',
    'gen_ai.tool.call.id': expect.any(String),
  });
}

/** The last one: the session before it was begun by another worker. */
function rootOf(spans: Span[]): Span {
  const root = spans.findLast(({ name }) => name === 'RunWorkflow:agentSession');
  if (root === undefined)
    throw new Error(`No span of the workflow in ${spans.map(({ name }) => name).join()}`);
  return root;
}

function attributesOf(span: Span | undefined): Record<string, unknown> {
  const pairs = span?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? [];
  return Object.fromEntries(pairs);
}

/** Counters of ours, by name and the labels that say what was counted. */
function valuesIn(metrics: string): Record<string, string> {
  const counters = metrics.matchAll(/^(holdfast_(?:runs|turns|tool|answers)\w*_total)\{(.*)\} (\S+)$/gm);
  const told = /\b(?:outcome|effect|result|tool|answer|kind)="([^"]*)"/g;
  return Object.fromEntries(
    [...counters].map(([, name, labels = '', value = '']) => [
      [name, ...[...labels.matchAll(told)].map(([, label]) => label)].join(' '),
      value,
    ]),
  );
}

/** Those of the session, when the worker is gone. */
async function linesOf({ ended }: RunningCli): Promise<Line[]> {
  const { stderr } = await ended;
  const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line): Line => JSON.parse(line)).filter(({ session }) => session === 'logged');
}
