// Holdfast's MCP server over streamable HTTP: loopback only, with a token. Runs in Node.
import { once } from 'node:events';
import { listeningPort } from '@holdfast/base/listening-port';
import { loopbackNames } from '@holdfast/base/loopback';
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import type { McpServer } from '@modelcontextprotocol/server';

export type HttpEndpoint = { url: string; close(): Promise<void> };

export type HttpOptions = {
  /** Default: any free port. */
  port?: number | undefined;
  token: string;
  /** Called for each client. */
  createServer(): McpServer;
};

const path = '/mcp';
/** Clients that disconnect silently must not pile up: the oldest one is dropped. */
const maxClients = 50;

export async function startHttpEndpoint({
  port = 0,
  token,
  createServer: create,
}: HttpOptions): Promise<HttpEndpoint> {
  const clients = new Map<string, NodeStreamableHTTPServerTransport>();
  const server = createServer((request, response) => {
    const refusal = refusalOf(request, token);
    if (refusal) return void response.writeHead(refusal.status, refusal.headers).end(refusal.text);
    handle(request, response, clients, create).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const own = listeningPort(server);
  return {
    url: `http://127.0.0.1:${own}${path}`,
    close: async () => {
      await Promise.all([...clients.values()].map((transport) => transport.close()));
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

type Refusal = { status: number; text: string; headers?: Record<string, string> };

/**
 * Refuses requests from web pages, which can reach this port: they have no token, or a host name or origin that is not
 * loopback.
 */
function refusalOf({ url, headers }: IncomingMessage, token: string): Refusal | undefined {
  if (url?.split('?')[0] !== path) return { status: 404, text: `There is only ${path} here.` };
  if (!isLoopback(`http://${headers.host}`) || (headers.origin !== undefined && !isLoopback(headers.origin)))
    return { status: 403, text: 'Only for clients on this machine.' };
  if (isSame(headers.authorization ?? '', `Bearer ${token}`)) return undefined;
  return { status: 401, text: 'The token is missing or wrong.', headers: { 'www-authenticate': 'Bearer' } };
}

function isLoopback(address: string): boolean {
  return loopbackNames.includes(URL.parse(address)?.hostname ?? '');
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  clients: Map<string, NodeStreamableHTTPServerTransport>,
  create: () => McpServer,
): Promise<void> {
  const id = request.headers['mcp-session-id'];
  const known = typeof id === 'string' ? clients.get(id) : undefined;
  if (id !== undefined && !known) {
    response.writeHead(404).end('There is no such session: initialize again.');
    return;
  }
  await (known ?? (await open(clients, create))).handleRequest(request, response);
}

async function open(
  clients: Map<string, NodeStreamableHTTPServerTransport>,
  create: () => McpServer,
): Promise<NodeStreamableHTTPServerTransport> {
  const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => {
      clients.set(id, transport);
      const [oldest] = clients;
      if (clients.size > maxClients && oldest) void oldest[1].close();
    },
  });
  transport.onclose = () => {
    if (transport.sessionId !== undefined) clients.delete(transport.sessionId);
  };
  await create().connect(transport);
  return transport;
}
