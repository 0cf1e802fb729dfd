// Opens the transport to one MCP server, with its secrets resolved. Runs in Node.
import { openHttpTransport } from './http-transport.ts';
import type { StartableServer } from './mcp-settings.ts';
import { openStdioTransport } from './stdio-transport.ts';
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
