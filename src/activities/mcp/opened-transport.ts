// A transport to an MCP server as its maker leaves it, and what makers are given. Runs in Node.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

export type TransportDeps = {
  /** Replaces `secret://name` in a text. */
  resolve(text: string): Promise<string>;
  /** One line for the operator; redacted by whoever writes it. */
  log(line: string): void;
};

export type OpenedTransport = {
  /** Not started yet. */
  transport: Transport;
  /** The newest line that the server wrote for people; empty where there is none. */
  lastWords(): string;
};

/** Resolves every value of `values`. */
export async function resolveAll(
  values: Record<string, string> = {},
  resolve: TransportDeps['resolve'],
): Promise<Record<string, string>> {
  const entries = Object.entries(values).map(async ([name, value]) => [name, await resolve(value)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
