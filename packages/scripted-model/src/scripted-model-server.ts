// The scripted model as an HTTP server that speaks OpenAI's Chat Completions and Anthropic's Messages: for end-to-end
// tests in any language, without a key. Listens on loopback by default. Runs in Node.
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { createHash } from 'node:crypto';
import { listeningPort } from '@holdfast/base/listening-port';
import type { ModelScript, ScriptFault } from './model-script.ts';
import { ScriptMismatch, scriptFor } from './model-script.ts';
import {
  type ScriptReply,
  type ScriptProgress,
  faultAt,
  playScript,
  createScriptProgress,
} from './script-player.ts';
import { chatEndpoint } from './chat-wire.ts';
import { messagesEndpoint } from './messages-wire.ts';
import { type Frame, type Wire, assistantMessage, invalidRequest } from './wire.ts';

export type ScriptedModelServer = Awaited<ReturnType<typeof startScriptedModelServer>>;

export type ScriptedModelServerOptions = {
  script: ModelScript;
  /** Default: any free port. */
  port?: number;
  /** Address to listen on. Default 127.0.0.1. */
  host?: string;
  /** Called for every request with the step that answered it, or the reason for having none. */
  onRequest?(event: { path: string; step?: string; problem?: string }): void;
};

type Memory = {
  /** Number of requests with each body. */
  seen: LRUCache<string, number>;
  progress: ScriptProgress;
};

/** Rejects when the port is taken. Any key is accepted. */
export async function startScriptedModelServer(options: ScriptedModelServerOptions) {
  const memory: Memory = {
    seen: new LRUCache({ max: 1_000 }),
    progress: createScriptProgress(options.script),
  };
  const server = createServer((request, response) => {
    answerRequest(request, response, options, memory).catch(() => response.destroy());
  });
  const { host = '127.0.0.1', port = 0 } = options;
  await once(server.listen(port, host), 'listening');
  const url = `http://${host}:${listeningPort(server)}`;
  return {
    /** Value for the variable OPENAI_BASE_URL. */
    openAiBaseUrl: `${url}/v1`,
    /** Value for the variable ANTHROPIC_BASE_URL. */
    anthropicBaseUrl: url,
    /** Ids of the steps that no client has reached. */
    left: () => memory.progress.left(),
    /** Ends open replies, too. */
    close: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { script, onRequest }: ScriptedModelServerOptions,
  { seen, progress }: Memory,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  const wire = [chatEndpoint, messagesEndpoint].find((candidate) => path.endsWith(candidate.path));
  if (wire === undefined || request.method !== 'POST') {
    sendJson(response, 404, {
      error: { message: `No ${path} here. Expected POST to /v1/chat/completions or /v1/messages.` },
    });
    return;
  }
  try {
    const body = await readJson(request);
    const { model, stream, request: playable } = wire.read(body);
    const reply = playScript(scriptFor(script, { modelId: model }), playable);
    onRequest?.({ path, step: reply.step?.id ?? 'afterEnd' });
    const fault = faultAt(reply.step, count(seen, body));
    if (fault !== undefined && (await sendFault(response, wire, fault))) return;
    await pause(reply.step?.delayMs, response);
    if (stream) await sendFrames(response, wire, reply, wire.frames(reply, model), fault);
    else sendJson(response, 200, wire.whole(reply, model));
    if (fault === undefined)
      progress.saw([...playable.messages, assistantMessage(reply.content)], { modelId: model });
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    onRequest?.({ path, problem });
    sendError(response, wire, { type: 'Model.InvalidRequest', message: problem });
  }
}

/** The fault of a request, in words for its sender; undefined for a bug of ours. */
function problemOf(error: unknown): string | undefined {
  if (error instanceof ScriptMismatch) return error.message;
  if (error instanceof z.ZodError) return `Not a request in this format: ${z.prettifyError(error)}`;
  return error instanceof SyntaxError ? `The body is not JSON: ${error.message}` : undefined;
}

/** A repeated request counts as the next attempt. Only faults use the count, the script's place never does. */
function count(seen: LRUCache<string, number>, body: unknown): number {
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  const attempt = (seen.get(digest) ?? 0) + 1;
  seen.set(digest, attempt);
  return attempt;
}

/** False if the fault comes later, in the stream. */
async function sendFault(response: ServerResponse, wire: Wire, fault: ScriptFault): Promise<boolean> {
  if (fault.afterChars !== undefined || fault.type === 'Model.StreamCut') return false;
  if (fault.type === 'Model.Connection') response.destroy();
  else if (fault.type === 'Model.BadResponse') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Bad gateway</body></html>');
  } else sendError(response, wire, fault);
  return true;
}

async function sendFrames(
  response: ServerResponse,
  wire: Wire,
  reply: ScriptReply,
  frames: Frame[],
  fault: ScriptFault | undefined,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  // the fault must come before the reply is complete
  const complete = frames.findLastIndex(({ length }) => length > 0) + 1;
  let sent = 0;
  for (const [index, frame] of frames.entries()) {
    if (fault !== undefined && (index === complete || sent >= (fault.afterChars ?? 1))) {
      breakOff(response, wire, fault);
      return;
    }
    if (sent > 0 && frame.length > 0) await pause(reply.step?.chunkMs, response);
    if (response.destroyed) return;
    response.write(`${frame.event === undefined ? '' : `event: ${frame.event}\n`}data: ${frame.data}\n\n`);
    sent += frame.length;
  }
  response.end();
}

function breakOff(response: ServerResponse, wire: Wire, fault: ScriptFault): void {
  if (fault.type === 'Model.StreamCut' || fault.type === 'Model.Connection') {
    // what was written still goes out, then the connection ends in the middle of the body
    response.socket?.end();
    return;
  }
  const { body } = errorOf(wire, fault);
  response.end(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
}

function sendError(response: ServerResponse, wire: Wire, { retryAfterMs, ...fault }: ScriptFault): void {
  const { status, body } = errorOf(wire, fault);
  const headers = retryAfterMs === undefined ? {} : { 'retry-after-ms': String(retryAfterMs) };
  sendJson(response, status, body, headers);
}

function errorOf(wire: Wire, { type, message = `The script fails with ${type}.` }: ScriptFault) {
  const error = wire.errors[type] ?? invalidRequest;
  return { status: error.status, body: wire.errorBody(error, message) };
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Ends with the connection, so that a client that left, or a close, waits for no script. */
async function pause(ms: number | undefined, response: ServerResponse): Promise<void> {
  if (ms === undefined || ms === 0) return;
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once('close', leave);
  await sleep(ms, undefined, { signal: gone.signal }).finally(() => response.off('close', leave));
}
