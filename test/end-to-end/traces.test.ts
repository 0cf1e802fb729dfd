// Traces of a session as a collector gets them: one tree from the workflow to the model and the tool, without their content.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { callCli, runCli, startCli } from '../support/cli.ts';
import { makeAskingFolder } from '../support/cli-folder.ts';

type Attribute = { key: string; value: Record<string, unknown> };
type Span = { name: string; traceId: string; spanId: string; parentSpanId?: string; attributes: Attribute[] };

/** A receiver of OTLP over HTTP. */
async function startCollector(): Promise<{ url: string; spans: Span[]; bodies: string[] }> {
  const bodies: string[] = [];
  const spans: Span[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const body = Buffer.concat(chunks).toString();
      bodies.push(body);
      for (const { scopeSpans } of JSON.parse(body).resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans);
      response.end('{}');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1/traces`,
    spans,
    bodies,
  };
}

test('a session is one trace, from its workflow to its model and tool calls, and nothing of their content leaves', async () => {
  const { remove, ...folder } = await makeAskingFolder('traces');
  const { url, spans, bodies } = await startCollector();
  const worker = startCli(['worker', '--traces', url], folder);
  onTestFinished(async () => {
    worker.child.kill('SIGTERM');
    await worker.ended;
    await remove();
  });
  await worker.until(/worker on/);
  await runCli(['run', '--detach', '--session', 'traced', 'find the hidden treasure'], folder);
  await worker.until(/approval asked/);
  await callCli(['approve', 'traced'], folder);
  await worker.until(/run completed session=traced/);
  await callCli(['result', 'traced'], folder);
  worker.child.kill('SIGTERM');
  await worker.ended;

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
  expect(bodies.join()).not.toMatch(/treasure|shop\.log|pool timeout|That is all/);
});

function rootOf(spans: Span[]): Span {
  const root = spans.find(({ name }) => name === 'RunWorkflow:agentSession');
  if (root === undefined)
    throw new Error(`No span of the workflow in ${spans.map(({ name }) => name).join()}`);
  return root;
}

function attributesOf(span: Span | undefined): Record<string, unknown> {
  const pairs = span?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? [];
  return Object.fromEntries(pairs);
}
