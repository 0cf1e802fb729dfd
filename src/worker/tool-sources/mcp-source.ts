// The MCP servers of a config, with the secrets and the log of this process. Composition only; the MCP library is loaded
// only if a config names a server.
import { messageOf } from '@holdfast/base/message-of';
import { dirname, join, relative } from 'node:path';
import type { McpServerState, McpToolState } from '../../activities/mcp/mcp-tools.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { ConfigError } from '../../config/config-file.ts';
import type { Config } from '../../config/config.ts';
import { ownVersion } from '../../config/own-version.ts';
import type { StartableServer } from '../../activities/mcp/mcp-settings.ts';
import { secretsOf } from '../own-secrets.ts';
import { withPreset } from './mcp-presets.ts';
import { settingsDigest } from './settings-digest.ts';
import { type SourceUnit, type ToolSource, toToolSource } from './tool-source.ts';

export type { McpServerState, McpToolState };

export type McpSource = ToolSource & { servers: McpServerState[] };

/** `resolve` replaces `secret://name` in a text. Default: a text with such a reference is refused. */
export async function mcpSource(
  config: Config,
  resolve: (text: string) => Promise<string> = (text) => Promise.resolve(text),
): Promise<McpSource> {
  if (Object.keys(config.mcpServers).length === 0) return { ...toToolSource([]), servers: [] };
  const { collectMcpTools } = await import('../../activities/mcp/mcp-tools.ts');
  let write = (_line: string): void => undefined;
  const held = await secretsOf(config);
  const redactor = createRedactor(held.map(([, value]) => value));
  const startable = Object.fromEntries(
    Object.entries(config.mcpServers).map(([name, server]) => [name, withPreset(name, server)]),
  );
  const { tools, servers, warnings, isAbsent, pinNew, lookAgain, close } = await collectMcpTools(startable, {
    version: ownVersion(),
    pinsFile: pinsFileOf(config),
    resolve: async (text) => {
      const value = await resolve(text);
      // the value of a reference must not reach the log
      if (value !== text) redactor.learn(value);
      return value;
    },
    log: (line) => write(redactor.text(line)),
  });
  return {
    ...toToolSource(tools),
    units: servers.map((server) => toUnit(server, settingsDigest(reachOf(config, startable[server.name])))),
    servers,
    lacks: (tool) => (isAbsent(tool) ? 'not now' : undefined),
    warnings,
    lookAgain,
    start: (log) => {
      write = log;
      // collecting only reads; this worker will call the tools
      return pinNew();
    },
    close,
  };
}

function toUnit({ name, failure, tools: states }: McpServerState, digest: string): SourceUnit {
  const tools = states.map(({ name: tool, definition }) => ({
    name: tool,
    effect: definition?.effect ?? ('once' as const),
    description: definition?.description ?? '',
  }));
  const unit = { kind: 'mcp' as const, name, tools, settingsDigest: digest };
  return failure === undefined
    ? { ...unit, status: 'ready' }
    : { ...unit, status: 'failed', reason: failure };
}

/** Effect and time limit are in the frozen spec of a tool. Paths beside the config may differ between machines. */
function reachOf(config: Config, server: StartableServer | undefined): object {
  if (server === undefined) return {};
  if ('url' in server) return { url: server.url, headers: server.headers, token: server.token };
  const { command, env, cwd = '' } = server;
  const inside = relative(dirname(pinsFileOf(config)), cwd);
  return { command, env, cwd: inside.startsWith('..') ? cwd : inside };
}

/** The servers of a config with their tools as they are now. Writes nothing. */
export async function lookAtMcp(config: Config): Promise<McpServerState[]> {
  const { servers, close } = await mcpSource(config);
  await close();
  return servers;
}

/** Pins the current tools of `server`, or one of them. Throws a ConfigError if that fails. */
export async function acceptMcp(
  config: Config,
  server: string,
  tool: string | undefined,
): Promise<McpToolState[]> {
  const settings = config.mcpServers[server];
  if (settings === undefined) {
    const names = Object.keys(config.mcpServers).join(', ') || 'none';
    throw new ConfigError(`There is no MCP server "${server}" in the config: expected one of ${names}.`);
  }
  const [state] = await lookAtMcp({ ...config, mcpServers: { [server]: settings } });
  const { acceptMcpTools } = await import('../../activities/mcp/mcp-tools.ts');
  try {
    return state === undefined ? [] : await acceptMcpTools(state, pinsFileOf(config), tool);
  } catch (error) {
    throw new ConfigError(messageOf(error), { cause: error });
  }
}

/** Beside the config, where it can be committed. */
export function pinsFileOf({ configFile, dir }: Pick<Config, 'configFile' | 'dir'>): string {
  return join(configFile === undefined ? dir : dirname(configFile), 'holdfast.mcp-pins.json');
}
