// Acme's side: a small vendor on loopback with a wire of its own, so that the example runs without an account.
// In this folder: npx node acme-server.ts
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

export type AcmeServer = {
  url: string;
  /** Bodies of the requests, in order. */
  requests: AcmeRequest[];
  close(): Promise<void>;
};

export type AcmeRequest = {
  model: string;
  turns: { who: string; text: string; id?: string }[];
  tools: { name: string }[];
};

/** `trouble` is asked before each reply: a status to refuse the request with, or `busy` for a reply that breaks off. */
export async function startAcme({
  port = 0,
  key = 'acme-key',
  trouble = () => undefined,
}: {
  port?: number;
  key?: string;
  trouble?: (request: AcmeRequest) => number | 'busy' | undefined;
} = {}): Promise<AcmeServer> {
  const requests: AcmeRequest[] = [];
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (incoming.headers.authorization !== `Acme ${key}`) {
      response.writeHead(401).end('Acme does not know this key.');
      return;
    }
    const request = toRequest(await json(incoming));
    requests.push(request);
    const wrong = trouble(request);
    if (typeof wrong === 'number') {
      response.writeHead(wrong, { 'retry-after': '7' }).end('Acme has had enough for now.');
      return;
    }
    const lines = wrong === 'busy' ? broken : replyTo(request);
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const broken = [
  { kind: 'words', value: 'I thi' },
  { kind: 'trouble', problem: 'too many guests' },
];

/** Uses its first tool once, then answers with the result. */
function replyTo({ turns, tools }: AcmeRequest): object[] {
  const done = turns.findLast(({ who }) => who === 'tool');
  const [tool] = tools;
  if (tool !== undefined && done === undefined) {
    return [
      { kind: 'words', value: 'Let me look.' },
      { kind: 'use', id: 'use-1', tool: tool.name, with: {} },
      { kind: 'spent', in: 120, out: 12 },
      { kind: 'done', why: 'tools' },
    ];
  }
  return [
    { kind: 'words', value: 'Acme says: ' },
    { kind: 'words', value: done?.text ?? 'all is well.' },
    { kind: 'spent', in: 200, out: 20 },
    { kind: 'done', why: 'end' },
  ];
}

function toRequest(body: unknown): AcmeRequest {
  const request: AcmeRequest = Object(body);
  return request;
}

if (import.meta.main) {
  const { url } = await startAcme({ port: 7300 });
  console.log(`Acme is at ${url}; its key is "acme-key".`);
}
