// The MCP servers of a config, with the secrets and the log of this process. Composition only; the MCP library is loaded
// only where a config names a server.
import { dirname, join } from 'node:path';
import type { McpServerState, McpToolState, McpTools } from '../activities/mcp/mcp-tools.ts';
import { createRedactor } from '../activities/redaction/redaction.ts';
import { ConfigError } from '../config/config-file.ts';
import type { Config } from '../config/config.ts';
import { ownVersion } from '../config/own-version.ts';
import { secretsOf } from './own-secrets.ts';

export type { McpServerState, McpToolState } from '../activities/mcp/mcp-tools.ts';

export type McpOptions = {
  /** Replaces `secret://name` in a text. Default: a text with such a reference is refused. */
  resolve?: (text: string) => Promise<string>;
};

export type WorkerMcp = McpTools & {
  /** Where the servers' lines go from now on; before that, nowhere. */
  logTo(write: (line: string) => void): void;
};

const none: WorkerMcp = {
  ...{ tools: [], servers: [], warnings: [] },
  isAbsent: () => false,
  pinNew: () => Promise.resolve([]),
  close: () => Promise.resolve(),
  logTo: () => undefined,
};

export async function collectMcp(
  config: Config,
  { resolve = (text) => Promise.resolve(text) }: McpOptions = {},
): Promise<WorkerMcp> {
  if (Object.keys(config.mcpServers).length === 0) return none;
  const { collectMcpTools } = await import('../activities/mcp/mcp-tools.ts');
  let write = (_line: string): void => undefined;
  const held = await secretsOf(config);
  const redactor = createRedactor(held.map(([, value]) => value));
  const collected = await collectMcpTools(config.mcpServers, {
    ...{ version: ownVersion(), pinsFile: pinsFileOf(config) },
    resolve: async (text) => {
      const value = await resolve(text);
      // the value of a reference must not reach the log
      if (value !== text) redactor.learn(value);
      return value;
    },
    log: (line) => write(redactor.text(line)),
  });
  return { ...collected, logTo: (next) => void (write = next) };
}

/** The servers of a config with their tools as they are now. Writes nothing. */
export async function lookAtMcp(config: Config, options: McpOptions = {}): Promise<McpServerState[]> {
  const { servers, close } = await collectMcp(config, options);
  await close();
  return servers;
}

/** Pins the tools of `server` as they are now, or one of them. Throws a ConfigError where that cannot be done. */
export async function acceptMcp(
  config: Config,
  server: string,
  tool: string | undefined,
  options: McpOptions = {},
): Promise<McpToolState[]> {
  const settings = config.mcpServers[server];
  if (settings === undefined) {
    const names = Object.keys(config.mcpServers).join(', ') || 'none';
    throw new ConfigError(`There is no MCP server "${server}" in the config: expected one of ${names}.`);
  }
  const [state] = await lookAtMcp({ ...config, mcpServers: { [server]: settings } }, options);
  const { acceptMcpTools } = await import('../activities/mcp/mcp-tools.ts');
  try {
    return state === undefined ? [] : await acceptMcpTools(state, pinsFileOf(config), tool);
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Beside the config, where it can be committed. */
export function pinsFileOf({ configFile, dir }: Pick<Config, 'configFile' | 'dir'>): string {
  return join(configFile === undefined ? dir : dirname(configFile), 'holdfast.mcp-pins.json');
}
