// An MCP server as a worker uses it: connected at its first use, and again after its connection broke, at most once for a
// call. A tool whose definition is not the accepted one is not called. Runs in Node.
import { matchesPattern } from '../../core/tools/matching.ts';
import { messageOf } from '@holdfast/base/message-of';
import { type Progress, SdkHttpError } from '@modelcontextprotocol/client';
import type { ToolContext, ToolReturn } from '../tools/define-tool.ts';
import { McpConnection, openTransport, type TransportDeps } from './mcp-connection.ts';
import { type McpDefinition, type ReadDefinition, readDefinition } from './mcp-definition.ts';
import { mcpStartTimeoutMs } from './mcp-limits.ts';
import { changesSince } from './mcp-pins.ts';
import { type McpResult, toMcpReturn } from './mcp-result.ts';
import { type StartableServer, defaultCallTimeoutMs } from './mcp-settings.ts';

export type McpServerDeps = TransportDeps & { version: string };

type Live = { connection: McpConnection; definitions: Map<string, McpDefinition>; isStale: boolean };
export type Listed = { read: ReadDefinition[]; isCut: boolean };

export class McpServer {
  readonly name: string;
  readonly settings: StartableServer;
  readonly #deps: McpServerDeps;
  readonly #closing = new Set<Promise<void>>();
  readonly #end = new AbortController();
  #live: Promise<Live> | undefined;
  /** The resolved value of `#live`. */
  #current: Live | undefined;
  /** A call has timed out, so the server is pinged before the next one. */
  #isSuspect = false;
  #toldOfChange = false;

  constructor(name: string, settings: StartableServer, deps: McpServerDeps) {
    this.name = name;
    this.settings = settings;
    this.#deps = deps;
  }

  /** The tools that the server lists now, over a separate connection. */
  async list(when: keyof typeof mcpStartTimeoutMs = 'later'): Promise<Listed> {
    const connection = await this.#open(() => undefined, when);
    try {
      return await this.#read(connection);
    } finally {
      this.#drop(connection);
    }
  }

  /** Throws an Error with the server's fault; the next call connects again. */
  async call(
    accepted: McpDefinition,
    args: Record<string, unknown>,
    context: ToolContext,
  ): Promise<ToolReturn> {
    const { signal } = context;
    const live = await untilAborted(this.#ready(), signal);
    const refusal = this.#refuse(accepted, live.definitions.get(accepted.tool));
    if (refusal !== undefined) return { text: refusal, isError: true };
    try {
      return await toMcpReturn(await this.#send(live, accepted.tool, args, context), context);
    } catch (error) {
      if (live.connection.brokenBecause === undefined) this.#isSuspect = true;
      const details = live.connection.details();
      // the owner of the limit reports that it was reached
      if (isTimeout(signal) && details !== '')
        return { text: `The MCP server "${this.name}" gave no answer: ${details}.`, isError: true };
      const reason = messageOf(error);
      throw new Error(`The MCP server "${this.name}" failed: ${reason}.${mayHaveActed(accepted)}`, {
        cause: error,
      });
    }
  }

  /** Resolves when the server's process has ended. */
  async close(): Promise<void> {
    this.#end.abort();
    const live = await this.#live?.catch(() => undefined);
    if (live) this.#forget(live);
    await Promise.all(this.#closing);
  }

  async #send(
    live: Live,
    tool: string,
    args: Record<string, unknown>,
    { signal, onUpdate }: ToolContext,
  ): Promise<McpResult> {
    const options = {
      // the signal ends it before
      signal,
      timeoutMs: 2 * (this.settings.timeoutMs ?? defaultCallTimeoutMs),
      onprogress: ({ progress, total, message = '' }: Progress) =>
        onUpdate(`${progress}${total === undefined ? '' : `/${total}`} ${message}`.trim()),
    };
    try {
      return await live.connection.callTool(tool, args, options);
    } catch (error) {
      if (!isUnknownSession(error)) throw error;
      // the server has forgotten the connection, so it has not begun the call
      this.#forget(live);
      const again = await untilAborted(this.#ready(), signal);
      return again.connection.callTool(tool, args, options);
    }
  }

  /** A usable connection; makes one attempt to connect. */
  async #ready(): Promise<Live> {
    const before = await this.#live?.catch(() => undefined);
    if (before !== undefined && (await this.#isGood(before))) return before;
    if (before !== undefined) this.#forget(before);
    // concurrent calls connect once
    this.#live ??= this.#connect();
    return this.#live;
  }

  async #isGood(live: Live): Promise<boolean> {
    const { connection } = live;
    if (connection.brokenBecause !== undefined) return false;
    if (this.#isSuspect) {
      if (!(await connection.isAlive())) return false;
      this.#isSuspect = false;
    }
    if (!live.isStale) return true;
    live.isStale = false;
    try {
      live.definitions = definitionsOf(await this.#read(connection));
      return true;
    } catch {
      return false;
    }
  }

  async #connect(): Promise<Live> {
    const live: { current?: Live } = {};
    try {
      const connection = await this.#open(() => {
        if (live.current) live.current.isStale = true;
        this.#tellOfChange();
      });
      try {
        const definitions = definitionsOf(await this.#read(connection));
        live.current = { connection, definitions, isStale: false };
        this.#current = live.current;
        this.#isSuspect = false;
        return live.current;
      } catch (error) {
        this.#drop(connection);
        throw error;
      }
    } catch (error) {
      this.#live = undefined;
      const reason = messageOf(error);
      throw new Error(`The MCP server "${this.name}" cannot be reached: ${reason}. The call was not sent.`, {
        cause: error,
      });
    }
  }

  async #open(
    onListChanged: () => void,
    when: keyof typeof mcpStartTimeoutMs = 'later',
  ): Promise<McpConnection> {
    const transport = await openTransport(this.name, this.settings, this.#deps);
    const timeoutMs = this.settings.startTimeoutMs ?? mcpStartTimeoutMs[when];
    const { version } = this.#deps;
    return McpConnection.open(transport, { version, timeoutMs, signal: this.#end.signal, onListChanged });
  }

  async #read(connection: McpConnection): Promise<Listed> {
    const { tools, isCut } = await connection.listTools();
    return {
      read: tools.map((tool) => this.#judged(readDefinition(tool, this.settings.trustAnnotations === true))),
      isCut,
    };
  }

  #judged(read: ReadDefinition): ReadDefinition {
    const { reads = [] } = this.settings;
    const isRead = read.ok && reads.some((pattern) => matchesPattern(pattern, read.definition.tool));
    return isRead ? { ok: true, definition: { ...read.definition, effect: 'read' } } : read;
  }

  /** Acts once: another call may have reconnected meanwhile. */
  #forget(live: Live): void {
    if (this.#current !== live) return;
    this.#current = undefined;
    this.#live = undefined;
    this.#drop(live.connection);
  }

  /** Nothing waits for a process that ends slowly. */
  #drop(connection: McpConnection): void {
    const closed = connection.close().finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }

  #refuse(accepted: McpDefinition, now: McpDefinition | undefined): string | undefined {
    const { tool } = accepted;
    if (now === undefined)
      return `Not called: the MCP server "${this.name}" does not offer "${tool}" any more.`;
    const changes = changesSince(accepted.parts, now.parts);
    if (changes.length === 0) return undefined;
    return (
      `Not called: the MCP server "${this.name}" has changed "${tool}" (${changes.join(', ')}) since it was accepted. ` +
      `A person can look at it and accept it with "holdfast mcp accept ${this.name} ${tool}", for the next worker.`
    );
  }

  #tellOfChange(): void {
    if (this.#toldOfChange) return;
    this.#toldOfChange = true;
    this.#deps.log(
      `The MCP server ${this.name} has changed its list of tools. A run keeps the tools that it began with; ` +
        'the new list counts from the next start of a worker.',
    );
  }
}

function definitionsOf({ read }: Listed): Map<string, McpDefinition> {
  return new Map(read.flatMap((each) => (each.ok ? [[each.definition.tool, each.definition]] : [])));
}

function mayHaveActed({ effect }: McpDefinition): string {
  return effect === 'read' ? '' : ' The call may have taken effect: verify before you repeat it.';
}

/** HTTP 404 for a known session, by which the protocol asks to initialize again. */
function isUnknownSession(error: unknown): boolean {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof SdkHttpError && cause.status === 404;
}

function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
