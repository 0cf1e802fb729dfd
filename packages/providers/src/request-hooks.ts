// The user's hooks around the HTTP request of a model call. They see the body on the wire, because they run in the
// fetch of the call. Runs in activities.
import type { Json } from '@holdfast/base/json';
import { readJsonText } from '@holdfast/base/json';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';

export type RequestInfo = Pick<ModelRequest, 'model' | 'metadata'>;
/** `headers` without keys and cookies. */
export type ResponseInfo = RequestInfo & { status: number; headers: Record<string, string> };

/** Each is called once per attempt that reaches the network. A throw ends the run. */
export type ModelHooks = {
  /** The body as it is sent, after `rewriteRequest`. */
  onRequest?(body: Json, info: RequestInfo): void | Promise<void>;
  /** Before the first byte of the stream is read; also for refusals. */
  onResponse?(info: ResponseInfo): void | Promise<void>;
  /** Returns the body to send, in the vendor's own form, e.g. with a field that Holdfast does not know. */
  rewriteRequest?(body: Json, info: RequestInfo): Json | Promise<Json>;
};

/** One request as its fetch saw it. */
export type RequestWatch = {
  fetch: typeof fetch;
  /** The body as it was sent, byte for byte; absent if none was. */
  sentBody(): string | undefined;
  /** A hook's throw, which would count as a broken connection. */
  hookError(): { hook: keyof ModelHooks; error: unknown } | undefined;
};

export function watchRequest(request: RequestInfo, hooks: ModelHooks = {}): RequestWatch {
  const { model, metadata } = request;
  const info: RequestInfo = { model, metadata };
  let sent: string | undefined;
  let failed: ReturnType<RequestWatch['hookError']>;
  const guard = async <Value>(hook: keyof ModelHooks, run: () => Value | Promise<Value>): Promise<Value> => {
    try {
      return await run();
    } catch (error) {
      failed = { hook, error };
      throw error;
    }
  };
  return {
    sentBody: () => sent,
    hookError: () => failed,
    fetch: async (input, init) => {
      const given = typeof init?.body === 'string' ? init.body : undefined;
      const body = given === undefined ? undefined : await rewritten(given, hooks, info, guard);
      sent = body;
      const response = await fetch(input, body === undefined ? init : { ...init, body });
      const { status } = response;
      await guard('onResponse', () =>
        hooks.onResponse?.({ ...info, status, headers: openHeaders(response.headers) }),
      );
      return response;
    },
  };
}

type Guard = <Value>(hook: keyof ModelHooks, run: () => Value | Promise<Value>) => Promise<Value>;

async function rewritten(body: string, hooks: ModelHooks, info: RequestInfo, guard: Guard): Promise<string> {
  const { rewriteRequest, onRequest } = hooks;
  if (rewriteRequest === undefined && onRequest === undefined) return body;
  // it was written a moment ago
  const parsed = readJsonText(body);
  const rewrite = rewriteRequest ?? (() => parsed);
  const value = await guard('rewriteRequest', () => rewrite(parsed, info));
  await guard('onRequest', () => onRequest?.(structuredClone(value), info));
  return rewriteRequest === undefined ? body : JSON.stringify(value);
}

function openHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !/cookie|authorization|api-key/i.test(name)));
}
