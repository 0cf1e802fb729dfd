// The suite of the protocol's authors (@modelcontextprotocol/conformance) against Holdfast's MCP server and its client.
import { execFile } from 'node:child_process';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listeningPort } from '@holdfast/base/listening-port';
import { expect, onTestFinished, test } from 'vitest';
import { createHoldfastMcpServer } from '../../src/mcp-server/holdfast-mcp-server.ts';
import { startHttpEndpoint } from '../../src/mcp-server/http-endpoint.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const suite = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Rejects where the suite fails. */
async function conformance(...args: string[]): Promise<string> {
  const cwd = await temporaryFolder();
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [suite, ...args], { cwd });
  return stdout + stderr;
}

/** The suite sends no token, so a proxy adds it. */
async function serve(): Promise<string> {
  const token = 'token-of-the-conformance-suite';
  const parts = { client: {} as never, version: '1.2.3', user: 'ann@web-1', approvals: false };
  const endpoint = await startHttpEndpoint({ token, createServer: () => createHoldfastMcpServer(parts) });
  const proxy = createServer((incoming, response) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const onward = request(endpoint.url, { method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await endpoint.close();
  });
  return `http://127.0.0.1:${listeningPort(proxy)}/mcp`;
}

// the others ask for tools, resources and prompts that only a server made for the suite has
const ofServers = [
  'server-initialize',
  'ping',
  'tools-list',
  'server-sse-multiple-streams',
  'server-sse-polling',
  'dns-rebinding-protection',
];
const ofClients = ['initialize', 'tools_call', 'sse-retry'];
// this client announces no elicitation
const notOffered = ['elicitation-sep1034-client-defaults'];

test.each(ofServers)('[TOOL-43a] the server passes the scenario %s', async (scenario) => {
  expect(await conformance('server', '--url', await serve(), '--scenario', scenario)).toMatch(/ 0 failed/);
});

test.each(ofClients)('[TOOL-43b] the client passes the scenario %s', async (scenario) => {
  const child = join(import.meta.dirname, '../support/mcp-conformance-child.ts');
  const command = `${process.execPath} ${child}`;
  const said = await conformance('client', '--command', command, '--scenario', scenario);
  expect(said).toMatch(/ 0 failed, 0 warnings/);
  expect(said).toContain('OVERALL: PASSED');
});

test('[TOOL-43c] every other scenario of clients is one of OAuth, which is not built', async () => {
  const list = (await conformance('list')).split('Client scenarios')[1] ?? '';
  const names = [...list.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name ?? '');
  expect(names).toEqual(expect.arrayContaining(ofClients));
  const others = names.filter((name) => ![...ofClients, ...notOffered].includes(name));
  expect(others.filter((name) => !name.startsWith('auth/'))).toEqual([]);
  expect(others).not.toEqual([]);
});
