// A process with a connection to one MCP server, to be killed: `node mcp-child.ts <pins file> <command...>`. Prints a line
// when the server is connected.
import { collectMcpTools } from '../../src/activities/mcp/mcp-tools.ts';
import type { ToolContext } from '../../src/activities/tools/define-tool.ts';

const [pinsFile = '', ...command] = process.argv.slice(2);
const { tools } = await collectMcpTools(
  { shop: { command } },
  { version: '1', pinsFile, log: () => undefined, resolve: (text) => Promise.resolve(text) },
);
const context = { signal: new AbortController().signal, onUpdate: () => undefined };
// the other fields are for images
await tools[0]?.run({}, context as unknown as ToolContext);
process.stdout.write('connected\n');
