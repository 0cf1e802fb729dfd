// The client of a worker as a command for the conformance suite: `node mcp-conformance-child.ts <url>` lists the tools of
// the suite's server, and calls each.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectMcpTools } from '../../src/activities/mcp/mcp-tools.ts';
import type { ToolContext } from '../../src/activities/tools/define-tool.ts';

const url = process.argv.at(-1) ?? '';
const { tools, warnings, close } = await collectMcpTools(
  { suite: { url } },
  {
    version: '1',
    pinsFile: join(mkdtempSync(join(tmpdir(), 'holdfast-conformance-')), 'pins.json'),
    log: (line) => void process.stderr.write(`${line}\n`),
    resolve: (text) => Promise.resolve(text),
  },
);
for (const warning of warnings) process.stderr.write(`${warning}\n`);
const context = { signal: AbortSignal.timeout(20_000), onUpdate: () => undefined };
for (const { run, spec } of tools) {
  // the other fields are for images
  const { text } = await run({ a: 5, b: 3 }, context as unknown as ToolContext);
  process.stdout.write(`${spec.name}: ${text}\n`);
}
await close();
