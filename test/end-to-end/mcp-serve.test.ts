// Holdfast as an MCP server, through the SDK's own client: the command in a process of its own, which has a worker, against a real
// server.
import { writeFile } from 'node:fs/promises';
import { userInfo, hostname } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Connection, WorkflowClient } from '@temporalio/client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { callCli, entry, startCli } from '../support/cli.ts';
import { type CliFolder, askAndTell, makeCliFolder } from '../support/cli-folder.ts';
import { until } from '../support/until.ts';

let folder: CliFolder;
/** Of the process with the worker. */
let desk: Caller;
beforeAll(async () => {
  folder = await makeCliFolder('mcp', askAndTell(), [
    { tool: 'read', decision: 'ask', reason: 'for the test' },
  ]);
  desk = await connect(overStdio('--worker', '--approvals'));
});
afterAll(async () => {
  await desk.client.close();
  await folder.remove();
});

type Answer = { isError: boolean; text: string; value: Record<string, unknown> };
type Caller = { client: Client; call(name: string, args?: object): Promise<Answer> };

async function connect(transport: Transport, name = 'night-desk'): Promise<Caller> {
  const client = new Client({ name, version: '1' });
  await client.connect(transport);
  return {
    client,
    async call(tool, args = {}) {
      const { content, isError, structuredContent } = await client.callTool({
        name: tool,
        arguments: { ...args },
      });
      const [part] = content;
      const value = typeof structuredContent === 'object' ? { ...structuredContent } : {};
      return { isError: isError === true, text: part?.type === 'text' ? part.text : '', value };
    },
  };
}

function overStdio(...options: string[]): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [entry, 'mcp', ...options],
    cwd: folder.cwd,
    stderr: 'pipe',
    env: folder.environment,
  });
}

test('[MODE-09k] [HTTP-10f] an MCP client starts, watches, steers and reads a session; a person answers for it', async () => {
  const { client, call } = desk;
  const names = (await client.listTools()).tools.map(({ name }) => name).sort();
  // oxfmt-ignore
  expect(names).toEqual([
    'abort_session', 'answer_approval', 'get_result', 'list_sessions', 'session_snapshot',
    'start_investigation', 'steer_session', 'watch_session',
  ]);
  const started = await call('start_investigation', { task: 'why is checkout slow?' });
  expect(started).toMatchObject({
    isError: false,
    value: { sessionId: expect.stringMatching(/^why-is-checkout-slow-/) },
  });
  const session_id = String(started.value['sessionId']);
  // the list is a little behind; while it runs, the sessions of other tests do not displace it
  const listed = await until('the session is listed', async () => {
    const { value: list } = await call('list_sessions', { limit: 100, running: true });
    return (list['sessions'] as { sessionId: string }[]).find(({ sessionId }) => sessionId === session_id);
  });
  expect(listed).toMatchObject({ task: 'why is checkout slow?' });
  let cursor = 0;
  const events: { type: string; seq: number; actor?: string }[] = [];
  const watch = async (): Promise<void> => {
    const { value } = await call('watch_session', {
      session_id,
      after: cursor,
      wait_seconds: 20,
      max_events: 3,
    });
    events.push(...(value['events'] as typeof events));
    cursor = Number(value['cursor']);
  };
  while (!events.some(({ type }) => type === 'approval_requested')) await watch();
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));

  expect(await call('get_result', { session_id })).toMatchObject({
    value: { ended: false, waitingFor: 'approval' },
  });
  const { value: snapshot } = await call('session_snapshot', { session_id });
  const [pending] = snapshot['questions'] as { question: string; args: string; argsDigest: string }[];
  expect(pending).toMatchObject({
    kind: 'approval',
    args: expect.stringContaining('"path":"shop.log"'),
    deadline: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  expect(snapshot['labels']).toEqual({ startedBy: `night-desk (${userInfo().username}@${hostname()})` });
  expect(await call('steer_session', { session_id, message: 'look at the pool' })).toMatchObject({
    value: { receipt: { state: 'queued', readIn: 'run' } },
  });
  const answer = { session_id, question: pending?.question, approve: true, args_digest: pending?.argsDigest };
  const ownSession = {
    isError: true,
    text: expect.stringMatching(/^Refused: an MCP client of this user started the session/),
  };
  expect(await call('answer_approval', answer)).toMatchObject(ownSession);
  // a client names itself: another name is no other client
  const renamed = await connect(overStdio('--approvals'), 'somebody-else');
  onTestFinished(() => renamed.client.close());
  expect(await renamed.call('answer_approval', answer)).toMatchObject(ownSession);
  const approve = ['approve', session_id, '--actor', 'kim', '--reason', 'fine'];
  expect(await callCli(approve, folder)).toMatchObject({ code: 0 });

  const result = await call('get_result', { session_id, wait_seconds: 50 });
  expect(result.value).toMatchObject({
    ended: true,
    status: 'completed',
    answer: 'I was told: look at the pool',
  });
  while (!events.some(({ type }) => type === 'agent_end')) await watch();
  const rest = await call('watch_session', { session_id, after: cursor, max_events: 200 });
  expect(rest.value).toMatchObject({ ended: true });
  const again = { session_id, after: rest.value['cursor'] };
  expect((await call('watch_session', again)).value).toMatchObject({ ended: true, events: [] });
  expect(events.find(({ type }) => type === 'approval_resolved')).toMatchObject({
    actor: 'kim',
    reason: 'fine',
  });
});

test('[CLI-15b] an unknown session and a wrong argument are errors in words; abort ends a run', async () => {
  const { call } = desk;
  expect(await call('session_snapshot', { session_id: 'no-such' })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^UnknownSession: /),
  });
  expect(await call('watch_session', { session_id: 'x', max_events: 0 })).toMatchObject({
    isError: true,
    text: expect.stringContaining('max_events'),
  });
  const { value } = await call('start_investigation', { task: 'look', max_minutes: 5 });
  const session_id = String(value['sessionId']);
  await until('the approval', async () => {
    const { value: now } = await call('session_snapshot', { session_id });
    return now['waitingFor'] === 'approval';
  });
  await call('abort_session', { session_id });
  expect((await call('get_result', { session_id, wait_seconds: 50 })).value).toMatchObject({
    status: 'aborted',
  });
});

test('[CLI-15b] an abort says whether there was a run to end', async () => {
  const { call } = desk;
  const session_id = 'aborted-when-idle';
  await callCli(['run', '--keep-alive', '--detach', '--session', session_id, 'look'], folder);
  const waitsFor = (what: string) =>
    until(what, async () => (await call('session_snapshot', { session_id })).value['waitingFor'] === what);
  await waitsFor('approval');
  expect((await call('abort_session', { session_id })).value).toMatchObject({ aborting: true });
  await waitsFor('prompt');
  expect((await call('abort_session', { session_id })).value).toMatchObject({ aborting: false });
  await callCli(['end', session_id], folder);
});

test('[HTTP-09a] [HTTP-10f] a session that was terminated while it waited has ended, and waits for nobody', async () => {
  const { call } = desk;
  const { value } = await call('start_investigation', { task: 'look', max_minutes: 5 });
  const session_id = String(value['sessionId']);
  const now = async () => (await call('session_snapshot', { session_id })).value;
  await until('the approval', async () => (await now())['waitingFor'] === 'approval');
  const connection = await Connection.connect({ address: folder.environment['TEMPORAL_ADDRESS'] ?? '' });
  onTestFinished(() => connection.close());
  await new WorkflowClient({ connection }).getHandle(session_id).terminate();
  const over = await now();
  expect(over).toMatchObject({ sessionId: session_id, status: 'TERMINATED', questions: [] });
  expect(over).not.toHaveProperty('waitingFor');
  expect(over).not.toHaveProperty('waitingReason');
});

test('[MODE-09j] [CLI-15c] standard output has messages and nothing else, without the tool that answers approvals; the process ends when its client goes', async () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  };
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  const noisy = "console.log('loading'); export default {};";
  await writeFile(join(folder.cwd, 'noisy.config.mjs'), noisy);
  const asked = [initialize, { jsonrpc: '2.0', method: 'notifications/initialized' }, list];
  const cli = startCli(
    ['mcp', '--config', 'noisy.config.mjs'],
    folder,
    asked.map((one) => `${JSON.stringify(one)}\n`).join(''),
  );
  const { code, stdout, stderr } = await cli.ended;
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers).toMatchObject([
    { id: 1, result: { serverInfo: { name: 'holdfast' } } },
    { id: 2, result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'get_result' })]) } },
  ]);
  expect(stdout).not.toContain('answer_approval');
  expect(stderr).toContain('loading');
  expect(stderr).toContain('serving MCP on standard input and output');
  expect(code).toBe(0);
});

test('[MODE-09j] the tool that answers approvals answers for sessions of others', async () => {
  const { call } = desk;
  const session_id = 'started-by-a-person';
  const start = ['run', '--detach', '--session', session_id, 'why is checkout slow?'];
  expect(await callCli(start, folder)).toMatchObject({ code: 0 });
  const approvals = await until('the approval', async () => {
    const { value } = await call('session_snapshot', { session_id });
    const found = (value['questions'] ?? []) as { question: string; argsDigest: string }[];
    return found.length > 0 ? found : undefined;
  });
  const [pending] = approvals;
  const answer = { session_id, question: pending?.question, approve: true, reason: 'fine' };
  expect(await call('answer_approval', { ...answer, args_digest: 'of-other-arguments' })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^Refused/),
  });
  expect(
    (await call('answer_approval', { ...answer, args_digest: pending?.argsDigest })).value,
  ).toMatchObject({ approved: true, actor: `night-desk (${userInfo().username}@${hostname()})` });
  expect((await call('get_result', { session_id, wait_seconds: 50 })).value).toMatchObject({
    status: 'completed',
  });
});

test('[CLI-15a] over HTTP: with the token only, and not for a web page', async () => {
  const cli = startCli(['mcp', '--http'], folder);
  onTestFinished(() => void cli.child.kill('SIGTERM'));
  const [, url = ''] = await cli.until(/MCP\s+(\S+)/);
  const [, token = ''] = await cli.until(/token\s+(\S+)/);
  const headers = { Authorization: `Bearer ${token}` };
  const { client, call } = await connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  onTestFinished(() => client.close());
  expect((await call('list_sessions')).isError).toBe(false);
  const post = async (more: Record<string, string>): Promise<number> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    await response.body?.cancel();
    return response.status;
  };
  expect(await post({})).toBe(401);
  expect(await post({ Authorization: 'Bearer wrong' })).toBe(401);
  expect(await post({ ...headers, origin: 'https://example.org' })).toBe(403);
  expect(await post({ ...headers, 'mcp-session-id': 'unknown' })).toBe(404);
  cli.child.kill('SIGTERM');
  expect((await cli.ended).code).toBe(0);
});

test('[CLI-15a] a token of the environment that can be guessed is refused', async () => {
  const environment = { ...folder.environment, HOLDFAST_MCP_TOKEN: 'short' };
  const { code, stderr } = await callCli(['mcp', '--http'], { ...folder, environment });
  expect([code, stderr]).toEqual([2, expect.stringContaining('HOLDFAST_MCP_TOKEN is too short')]);
});
