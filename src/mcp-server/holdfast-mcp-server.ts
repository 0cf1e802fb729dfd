// Holdfast as an MCP server: any MCP client can start, steer, watch, approve and read sessions. Built on the client;
// one server for each connection. Runs in Node.
import { McpServer } from '@modelcontextprotocol/server';
import { cutText } from '@holdfast/base/cut-text';
import { addReadingTools } from './reading-tools.ts';
import { addSteeringTools } from './steering-tools.ts';
import { type McpServerParts, startedByUser, type ToolParts } from './tool-parts.ts';

const instructions =
  'Holdfast investigates incidents in running systems, for minutes or days. start_investigation returns at once; ' +
  'watch_session follows it, get_result has its report. A call that changes something waits for an approval: show the ' +
  'person its exact arguments. Of a session that you have started, the person answers with "holdfast approve".';
const withApprovals =
  ' Of other sessions answer_approval passes on what the person decided, and nothing else.';

export function createHoldfastMcpServer(parts: McpServerParts): McpServer {
  const server = new McpServer(
    { name: 'holdfast', version: parts.version },
    { instructions: instructions + (parts.approvals ? withApprovals : '') },
  );
  const actor = (): string => {
    const name = server.server.getClientVersion()?.name ?? 'an MCP client';
    return `${cutText(name.replaceAll(/[^\x20-\x7e]/g, '?'), 80)}${startedByUser(parts.user)}`;
  };
  const tools: ToolParts = { ...parts, actor };
  addReadingTools(server, tools);
  addSteeringTools(server, tools);
  return server;
}
