// A server of models on loopback that refuses what its family refuses, in the words of the family. A host of the world is
// reached there through the `fetch` of a call.
import { createVendorProvider } from '@holdfast/providers/vendors';
import type { ModelReply, ModelRequest } from '@holdfast/vocabulary/model-call';
import type { ProviderOptions } from '@holdfast/providers/vendor';
import { fitRequest } from '../../src/activities/model/send.ts';
import { userMessage } from '@holdfast/vocabulary/messages';
import { callOptions, modelRequest } from './model-calls.ts';
import { sampleEvents } from './sample-streams.ts';
import { startHttpServer } from './http-server.ts';
import { type WireEvent, toSse } from './sse.ts';

export type Sent = {
  body: Record<string, unknown>;
  headers: Record<string, unknown>;
  messages: Record<string, unknown>[];
};
/** The answer to a request that the family refuses. */
export type Refused = { status?: number; body: unknown };
export type Rule = (sent: Sent) => Refused | undefined;

export async function startStrictServer(rule: Rule, events?: (count: number) => WireEvent[]) {
  const sent: Sent[] = [];
  let taken = 0;
  const server = await startHttpServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>;
      const one: Sent = { body, headers: request.headers, messages: Object(body['messages'] ?? []) };
      sent.push(one);
      const refused = rule(one);
      if (refused !== undefined) {
        response.writeHead(refused.status ?? 400, { 'content-type': 'application/json' });
        response.end(typeof refused.body === 'string' ? refused.body : JSON.stringify(refused.body));
        return;
      }
      const wire = request.url?.endsWith('/messages') ? 'anthropic' : 'openai-chat';
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(toSse(wire, events?.(taken++) ?? sampleEvents(wire)));
    })();
  });
  return { url: server.url, sent };
}

/** Calls of one provider whose server is the one on loopback, whatever host its address names. */
export function caller(serverUrl: string, name: string, options: ProviderOptions & { speaks?: string } = {}) {
  const baseUrl = options.baseUrl ?? (name === 'anthropic' ? serverUrl : `${serverUrl}/v1`);
  const provider = createVendorProvider(name, { apiKey: 'test-key', ...options, baseUrl });
  const here: typeof fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    return fetch(`${serverUrl}${pathname}`, init);
  };
  return (overrides: Partial<ModelRequest> = {}): Promise<ModelReply> => {
    const model = { provider: name, id: 'house-model' };
    const request = modelRequest({ model, messages: [userMessage('Go.')], ...overrides });
    return provider.call(
      fitRequest(provider, request),
      callOptions({ fetch: here, loadImage: () => Promise.resolve(Uint8Array.of(1)) }),
    );
  };
}
