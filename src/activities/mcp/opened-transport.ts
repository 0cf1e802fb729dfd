// The type of an opened transport to an MCP server, and of the dependencies of its makers. Runs in Node.
import type { Transport } from '@modelcontextprotocol/client';

export type TransportDeps = {
  /** Replaces `secret://name` in a text. */
  resolve(text: string): Promise<string>;
  /** Takes one line for the operator, and redacts it. */
  log(line: string): void;
};

export type OpenedTransport = {
  /** Not started yet. */
  transport: Transport;
  /** The last line that the server wrote for people; empty without one. */
  lastWords(): string;
};
