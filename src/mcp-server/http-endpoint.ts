// Holdfast's MCP server over streamable HTTP: loopback only, with a token. Runs in Node.
import { once } from 'node:events';
import { listeningPort } from '@holdfast/base/listening-port';
import { loopbackNames } from '@holdfast/base/loopback';
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

export type HttpEndpoint = { url: string; close(): Promise<void> };

export type EndpointOptions = {
  /** Default: any free port. */
  port?: number | undefined;
  token: string;
  /** Called for each client. */
  createServer(): McpServer;
};

/** The transports by the ids of their MCP sessions. */
type Clients = Map<string, WebStandardStreamableHTTPServerTransport>;

const path = '/mcp';
/** Clients that disconnect silently must not pile up: the oldest one is dropped. */
const maxClients = 50;

export async function startHttpEndpoint({
  port = 0,
  token,
  createServer: create,
}: EndpointOptions): Promise<HttpEndpoint> {
  const clients: Clients = new Map();
  const listen = getRequestListener((request) => refuse(request, token) ?? handle(request, clients, create), {
    overrideGlobalObjects: false,
  });
  const server = createServer((request, response) => void listen(request, response));
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

/**
 * Refuses requests from web pages, which can reach this port: they have no token, or a host name or origin that is not
 * loopback.
 */
function refuse({ url, headers }: Request, token: string): Response | undefined {
  if (new URL(url).pathname !== path) return new Response(`There is only ${path} here.`, { status: 404 });
  const origin = headers.get('origin');
  if (!isLoopback(`http://${headers.get('host')}`) || (origin !== null && !isLoopback(origin)))
    return new Response('Only for clients on this machine.', { status: 403 });
  if (isSame(headers.get('authorization') ?? '', `Bearer ${token}`)) return undefined;
  const unknown = { status: 401, headers: { 'www-authenticate': 'Bearer' } };
  return new Response('The token is missing or wrong.', unknown);
}

function isLoopback(address: string): boolean {
  return loopbackNames.includes(URL.parse(address)?.hostname ?? '');
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

async function handle(request: Request, clients: Clients, create: () => McpServer): Promise<Response> {
  const id = request.headers.get('mcp-session-id');
  const known = id === null ? undefined : clients.get(id);
  if (id !== null && !known)
    return new Response('There is no such session: initialize again.', { status: 404 });
  return (known ?? (await open(clients, create))).handleRequest(request);
}

async function open(
  clients: Clients,
  create: () => McpServer,
): Promise<WebStandardStreamableHTTPServerTransport> {
  const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
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
