// The MCP servers of a config, with the secrets and the log of this process. Composition only; the MCP library is loaded
// only where a config names a server.
import { dirname, join } from 'node:path';
import type { McpTools } from '../activities/mcp/mcp-tools.ts';
import { createRedactor } from '../activities/redaction/redaction.ts';
import type { Config } from '../config/config.ts';
import { ownVersion } from '../config/own-version.ts';
import { secretsOf } from './api-keys.ts';

export type McpOptions = {
  /** Replaces `secret://name` in a text. Default: a text with such a reference is refused. */
  resolve?: (text: string) => Promise<string>;
  /** Whether tools that are seen for the first time get their pin. Default true. */
  writesPins?: boolean;
};

export type WorkerMcp = McpTools & {
  /** Where the servers' lines go from now on; before that, nowhere. */
  logTo(write: (line: string) => void): void;
};

const none: WorkerMcp = {
  ...{ tools: [], servers: [], warnings: [] },
  isAbsent: () => false,
  close: () => Promise.resolve(),
  logTo: () => undefined,
};

export async function collectMcp(
  config: Config,
  { resolve = (text) => Promise.resolve(text), writesPins = true }: McpOptions = {},
): Promise<WorkerMcp> {
  if (Object.keys(config.mcpServers).length === 0) return none;
  const { collectMcpTools } = await import('../activities/mcp/mcp-tools.ts');
  let write = (_line: string): void => undefined;
  const redactor = createRedactor(await secretsOf(config));
  const collected = await collectMcpTools(config.mcpServers, {
    ...{ version: ownVersion(), pinsFile: pinsFileOf(config), writesPins },
    resolve: async (text) => {
      const value = await resolve(text);
      // what a reference stands for must not reach the log
      if (value !== text) redactor.learn(value);
      return value;
    },
    log: (line) => write(redactor.text(line)),
  });
  return { ...collected, logTo: (next) => void (write = next) };
}

/** Beside the config, where it can be committed. */
export function pinsFileOf({ configFile, dir }: Pick<Config, 'configFile' | 'dir'>): string {
  return join(configFile === undefined ? dir : dirname(configFile), 'holdfast.mcp-pins.json');
}
