// One live connection to an MCP server: its tools, calls of them, and the reason of its end. Every wait is bounded.
// Requests of the server are not served: this client announces no capabilities. Runs in Node.
import { succeeds } from '@holdfast/base/succeeds';
import { messageOf } from '@holdfast/base/message-of';
import { present } from '@holdfast/base/present';
import { Client, type Progress, SdkError, SdkErrorCode, type Transport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { jsonBytes } from '@holdfast/base/sizes';
import { toOneLine } from '@holdfast/redaction/sanitise';
import { maxAnswerBytes, maxPages, maxTools, pingTimeoutMs } from './mcp-limits.ts';
import { type McpResult, mcpResultSchema } from './mcp-result.ts';
import { openHttpTransport } from './http-transport.ts';
import type { StartableServer } from './mcp-settings.ts';
import { openStdioTransport } from './stdio-transport.ts';

export type TransportDeps = {
  /** Replaces `secret://name` in a text. */
  resolve(text: string): Promise<string>;
  /** Takes one line for the operator, and redacts it. */
  log(line: string): void;
};

type OpenedTransport = {
  /** Not started yet. */
  transport: Transport;
  /** The last line that the server wrote for people; empty without one. */
  lastWords(): string;
};

/** Opens the transport to one server, with its secrets resolved. */
export async function openTransport(
  name: string,
  settings: StartableServer,
  { resolve, log }: TransportDeps,
): Promise<OpenedTransport> {
  const resolved = async (text: string): Promise<string> => {
    const value = await resolve(text);
    if (!value.includes('secret://')) return value;
    throw new Error('a secret reference (secret://...) of its settings was not resolved');
  };
  if ('url' in settings) return openHttpTransport(settings, resolved);
  return openStdioTransport(settings, resolved, (line) => log(`MCP server ${name}: ${line}`));
}

/** Each tool is parsed on its own: an invalid one must not cost the others. */
const pageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

export type ConnectOptions = {
  version: string;
  /** For connecting, and for listing the tools. */
  timeoutMs: number;
  /** Ends the attempt to connect. */
  signal: AbortSignal;
  /** The list of tools may have changed. */
  onListChanged(): void;
};

export class McpConnection {
  readonly #client: Client;
  readonly #startTimeoutMs: number;
  readonly #lastWords: () => string;
  readonly #broken = Promise.withResolvers<never>();
  #reason: string | undefined;
  /** The latest problem on the connection, such as a line that is no message. */
  #odd: string | undefined;

  private constructor(client: Client, startTimeoutMs: number, lastWords: () => string) {
    this.#client = client;
    this.#startTimeoutMs = startTimeoutMs;
    this.#lastWords = lastWords;
    this.#broken.promise.catch(() => undefined);
    client.onclose = () => this.#break('the connection has ended');
    client.onerror = ({ message }) => this.#note(message);
  }

  /** Throws an Error with the reason. */
  static async open(
    { transport, lastWords }: OpenedTransport,
    { version, timeoutMs, signal, onListChanged }: ConnectOptions,
  ): Promise<McpConnection> {
    const client = new Client({ name: 'holdfast', version }, { capabilities: {} });
    const connection = new McpConnection(client, timeoutMs, lastWords);
    client.setNotificationHandler('notifications/tools/list_changed', onListChanged);
    // also covers steps that are no client requests and have no time limit of their own
    const late = setTimeout(
      () => connection.#break(`it did not answer within ${timeoutMs / 1000} s`),
      timeoutMs,
    );
    const stop = (): void => connection.#break('the worker ends');
    signal.addEventListener('abort', stop, { once: true });
    try {
      await connection.#orBroken(client.connect(transport, { timeout: timeoutMs }));
      return connection;
    } catch (error) {
      await connection.close();
      throw connection.#explain(error);
    } finally {
      clearTimeout(late);
      signal.removeEventListener('abort', stop);
    }
  }

  /** The reason why calls are impossible now; undefined while the connection works. */
  get brokenBecause(): string | undefined {
    return this.#reason;
  }

  /** All pages, unchecked. `isCut`: the server has more tools than the limit. */
  async listTools(): Promise<{ tools: unknown[]; isCut: boolean }> {
    const endsAt = performance.now() + this.#startTimeoutMs;
    const tools: unknown[] = [];
    let size = 0;
    let cursor: string | undefined;
    try {
      for (let page = 0; page < maxPages; page++) {
        const params = cursor === undefined ? {} : { cursor };
        const request = { method: 'tools/list' as const, params };
        const timeout = Math.max(1, endsAt - performance.now());
        const found = await this.#orBroken(this.#client.request(request, pageSchema, { timeout }));
        size += jsonBytes(found);
        tools.push(...found.tools);
        cursor = found.nextCursor;
        if (cursor === undefined) return { tools: tools.slice(0, maxTools), isCut: tools.length > maxTools };
        if (tools.length > maxTools || size > maxAnswerBytes) break;
      }
      return { tools: tools.slice(0, maxTools), isCut: true };
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** Throws an Error for everything but a result. An abort reaches the server as notifications/cancelled. */
  async callTool(
    name: string,
    args: Record<string, unknown>,
    options: { signal: AbortSignal; timeoutMs: number; onprogress(progress: Progress): void },
  ): Promise<McpResult> {
    const { signal, timeoutMs, onprogress } = options;
    const request = { method: 'tools/call' as const, params: { name, arguments: args } };
    // the SDK never stops listening: a later abort would cancel a call that was answered long ago
    const own = new AbortController();
    const abort = (): void => own.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    const limits = { signal: own.signal, timeout: timeoutMs, onprogress };
    try {
      return await this.#orBroken(this.#client.request(request, mcpResultSchema, limits));
    } catch (error) {
      throw this.#explain(error);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** True if the server still answers a ping. */
  isAlive(): Promise<boolean> {
    return succeeds(this.#orBroken(this.#client.ping({ timeout: pingTimeoutMs })));
  }

  /** Output of the server besides answers, in words; empty if there is none. */
  details(): string {
    const words = this.#lastWords();
    return present([
      this.#odd !== undefined && `the newest trouble was "${this.#odd}"`,
      words !== '' && `its last line of log is "${words}"`,
    ]).join('; ');
  }

  /** Stops a local server: the SDK waits 2 s, then terminates it, then kills it. */
  async close(): Promise<void> {
    this.#break('the connection was closed');
    await this.#client.close().catch(() => undefined);
  }

  async #orBroken<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined);
    return Promise.race([work, this.#broken.promise]);
  }

  #note(message: string): void {
    // a failure after the end, such as a cancellation that reaches nobody, must not hide the cause
    if (this.#reason === undefined || this.#odd === undefined) this.#odd = toOneLine(message, 300);
    // the rest of a message that is too long looks like the next one
    if (message.startsWith('ReadBuffer exceeded'))
      this.#break(`its answer has more than ${maxAnswerBytes / 1024 / 1024} MB`);
  }

  #break(reason: string): void {
    this.#reason ??= reason;
    this.#broken.reject(new Error(this.#reason));
  }

  #explain(error: unknown): Error {
    if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
      return new Error('its answer is not what the protocol asks for');
    const message = messageOf(error);
    const details = this.details();
    const text = details === '' ? toOneLine(message, 1_000) : `${toOneLine(message, 1_000)}; ${details}`;
    return new Error(text, { cause: error });
  }
}
