// The presets of MCP servers: files of the package with the command of a server, the tools of it that help in an incident,
// those of them that only read, and their pins. Runs where a worker starts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../config/own-version.ts';
import { parse } from 'yaml';
import { z } from 'zod';
import type { McpServerSettings, StartableServer } from '../../activities/mcp/mcp-settings.ts';
import { pinPartsSchema } from '../../activities/mcp/mcp-pins.ts';
import { defined } from '@holdfast/base/defined';
import { ConfigError } from '../../config/config-file.ts';

const text = z.string().min(1);
const presetSchema = z.strictObject({
  /** For people: what it serves, and with which rights. */
  description: text,
  license: text,
  /** The version with which its tools were listed and pinned. */
  tested: text,
  command: z.array(text).min(1),
  /** Variables that it always gets. */
  env: z.record(z.string(), z.string()).exactOptional(),
  /** Variables that the configuration has to give, with what they are. */
  needs: z.record(z.string(), text),
  tools: z.array(text).min(1),
  /** Those of `tools` that only read. The others ask a person. */
  reads: z.array(text),
  pins: z.record(z.string(), pinPartsSchema),
});
export type McpPreset = z.infer<typeof presetSchema>;

const packaged = join(packageFolder(), 'catalog/mcp');

/** Names of the files in a folder. */
export function presetNames(folder = packaged): string[] {
  return readdirSync(folder).flatMap((file) => (file.endsWith('.yaml') ? file.slice(0, -5) : []));
}

export function readPreset(name: string, folder = packaged): McpPreset {
  return presetSchema.parse(parse(readFileSync(join(folder, `${name}.yaml`), 'utf8')));
}

/** `server` with the fields of its preset, if it has one. Throws a ConfigError. */
export function withPreset(server: string, settings: McpServerSettings, folder = packaged): StartableServer {
  if (!('preset' in settings)) return settings;
  const { preset: name, ...own } = settings;
  const known = presetNames(folder);
  if (!known.includes(name)) {
    throw new ConfigError(
      `mcpServers.${server}.preset is "${name}": expected one of ${known.sort().join(', ')}.`,
    );
  }
  const { command, tools, reads, pins, needs, env } = readPreset(name, folder);
  const missing = Object.entries(needs).find(([variable]) => own.env?.[variable] === undefined);
  if (missing) {
    throw new ConfigError(
      `mcpServers.${server}.env has no ${missing[0]}, which the preset ${name} needs: ${missing[1]}`,
    );
  }
  return { command, tools, reads, pins, ...defined(own), env: { ...env, ...own.env } };
}
