// Writes the pins of a preset anew, from the tools that its server lists now, for a maintainer who raises its version:
//   node tools/pin-preset.ts github [COMMAND ...]
// Variables that it needs come from the environment; a made-up value is enough for most servers. Read the descriptions first.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { McpServer } from '../src/activities/mcp/mcp-server.ts';
import { readPreset } from '../src/worker/tool-sources/mcp-presets.ts';

const [name = '', ...command] = process.argv.slice(2);
const preset = readPreset(name);
const needed = Object.keys(preset.needs).map((variable) => [variable, process.env[variable] ?? 'made-up']);
const settings = {
  command: command.length > 0 ? command : preset.command,
  env: { ...preset.env, ...Object.fromEntries(needed) },
};
const server = new McpServer(name, settings, {
  version: '0',
  resolve: (text) => Promise.resolve(text),
  log: (line) => process.stderr.write(`${line}\n`),
});
const { read } = await server.list();
await server.close();
const listed = new Map(read.flatMap((each) => (each.ok ? [[each.definition.tool, each.definition]] : [])));
const pins = preset.tools.map((tool) => {
  const definition = listed.get(tool);
  if (!definition) throw new Error(`${name} lists no ${tool}: it lists ${[...listed.keys()].join(', ')}`);
  process.stdout.write(`${tool}\n  ${definition.description.replaceAll('\n', '\n  ')}\n`);
  return [tool, definition.parts];
});
const file = join(import.meta.dirname, '../catalog/mcp', `${name}.yaml`);
const document = parseDocument(readFileSync(file, 'utf8'));
document.set('pins', Object.fromEntries(pins));
writeFileSync(file, document.toString({ lineWidth: 130 }));
