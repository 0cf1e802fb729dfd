// Opens the transport to one MCP server, with its secrets resolved. Runs in Node.
import { openHttpTransport } from './http-transport.ts';
import type { StartableServer } from './mcp-settings.ts';
import type { OpenedTransport, TransportDeps } from './opened-transport.ts';
import { openStdioTransport } from './stdio-transport.ts';

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
  return openStdioTransport(name, settings, { resolve: resolved, log });
}
