// Streamable HTTP against servers that flood, stop in the middle, forget their sessions, and ask who is there.
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listeningPort } from '@holdfast/base/listening-port';
import { expect, onTestFinished, test } from 'vitest';
import { callTool, collect } from '../../support/mcp-servers.ts';

type Request = { id?: number; method: string; params?: { protocolVersion?: string } };
type Answer = (request: Request, response: ServerResponse, incoming: IncomingMessage) => void;

const plain = { type: 'object' };

/** Initializes and lists one tool; the call is the test's. */
async function serve(call: Answer, check?: (incoming: IncomingMessage) => number | undefined) {
  const seen: string[] = [];
  const server = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      if (incoming.method !== 'POST') return response.writeHead(405).end();
      const status = check?.(incoming);
      const request: Request = JSON.parse(body);
      seen.push(request.method);
      if (status !== undefined) return response.writeHead(status).end('no');
      if (request.id === undefined) return response.writeHead(202).end();
      const json = (result: object): void => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: request.id, result }));
      };
      if (request.method === 'initialize') {
        const protocolVersion = request.params?.protocolVersion;
        return json({
          protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'h', version: '1' },
        });
      }
      if (request.method === 'tools/list') return json({ tools: [{ name: 'act', inputSchema: plain }] });
      if (request.method === 'ping') return json({});
      return call(request, response, incoming);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${listeningPort(server)}/mcp`, seen };
}

function say(id: number | undefined, words: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: words }] } });
}

test.each(['application/json', 'text/event-stream'])(
  '[FAULT-83] more than 5 MB as %s is an error result, and the next call is answered',
  async (type) => {
    let calls = 0;
    const { url } = await serve(({ id }, response) => {
      const words = calls++ === 0 ? 'x'.repeat(6 * 1024 * 1024) : 'small';
      response.writeHead(200, { 'content-type': type });
      response.end(type === 'application/json' ? say(id, words) : `data: ${say(id, words)}\n\n`);
    });
    const { tool } = await collect({ far: { url } });
    const result = await callTool(tool('mcp__far__act'));
    expect(result).toMatchObject({
      isError: true,
      text: expect.stringContaining('its answer has more than 5 MB'),
    });
    expect(await callTool(tool('mcp__far__act'))).toMatchObject({ isError: false, text: 'small' });
  },
);

test('[FAULT-83] an answer that ends without a result is an error result before the time limit', async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(': nothing\n\n');
  });
  const { tool } = await collect({ far: { url, timeoutMs: 3_600_000 } });
  expect(await callTool(tool('mcp__far__act'))).toMatchObject({
    isError: true,
    text: expect.stringContaining('its answer ended without a result'),
  });
});

test('[FAULT-83] HTML with 200 is an error result', async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
  });
  const { tool } = await collect({ far: { url } });
  expect(await callTool(tool('mcp__far__act'))).toMatchObject({
    isError: true,
    text: expect.stringContaining('Unexpected content type: text/html'),
  });
});

test('a session that the server has forgotten is begun anew, and the call that it refused is sent once more', async () => {
  let calls = 0;
  const { url, seen } = await serve(({ id }, response) => {
    if (calls++ === 0) return response.writeHead(404).end('no such session');
    response.writeHead(200, { 'content-type': 'application/json' }).end(say(id, 'again'));
  });
  const { tool } = await collect({ far: { url } });
  expect(await callTool(tool('mcp__far__act'))).toMatchObject({ isError: false, text: 'again' });
  expect(seen.filter((method) => method === 'tools/call')).toHaveLength(2);
});

test('a token that would cross the network as plain text is said', async () => {
  // a name that resolves nowhere
  const far = 'http://mcp.invalid/mcp';
  const { warnings } = await collect({ a: { url: far, token: 't' }, b: { url: far } });
  expect(warnings.filter((line) => line.includes('plain text'))).toEqual([
    'MCP server a: its token or headers go to mcp.invalid as plain text. Use https, unless the network is trusted.',
  ]);
});

test('the token and the headers of the settings are sent resolved, and a refusal is said', async () => {
  const expected = (incoming: IncomingMessage): number | undefined =>
    incoming.headers.authorization === 'Bearer t-1' && incoming.headers['x-team'] === 'ops' ? undefined : 401;
  const { url } = await serve(({ id }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(say(id, 'in'));
  }, expected);
  const resolve = (value: string) => Promise.resolve(value.replace('secret://mcp', 't-1'));
  const settings = { url, token: 'secret://mcp', headers: { 'x-team': 'ops' } };
  const { tool } = await collect({ far: settings }, { resolve });
  expect((await callTool(tool('mcp__far__act'))).text).toBe('in');
  const { warnings } = await collect({ far: { url } });
  expect(warnings.join()).toMatch(/far: its tools are absent, because it failed: .*no/);
});
