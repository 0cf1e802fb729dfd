// The names under which the tools of MCP servers are registered. Runs in Node, pure.
import { sha256Hex } from '../../stored/sha256.ts';

const maxLength = 64;

export function mcpPrefix(server: string): string {
  return `mcp__${server}__`;
}

/** `mcp__<server>__<tool>`. A name that a model cannot call is shortened, and ends with a digest of the whole. */
export function toMcpToolName(server: string, tool: string): string {
  const plain = tool.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  const name = mcpPrefix(server) + plain;
  if (plain === tool && name.length <= maxLength) return name;
  return `${name.slice(0, maxLength - 9)}_${sha256Hex(tool).slice(0, 8)}`;
}
