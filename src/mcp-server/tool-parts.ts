// Shared by the tools of Holdfast's MCP server. Runs in Node.
import type { HoldfastClient } from '../client.ts';
import { cutText } from '../core/base/cut-text.ts';

export type McpServerParts = {
  client: HoldfastClient;
  version: string;
  /** `user@host` of this process. */
  user: string;
  /** True if calls of sessions that others have started can be approved here. */
  approvals: boolean;
};

export type ToolParts = McpServerParts & {
  /** Name of the actor: the client's name and the user of this process. */
  actor(): string;
};

/** The end of the label `startedBy` of every session that an MCP client of this user has started. */
export function startedByUser(user: string): string {
  return ` (${cutText(user, 100)})`;
}
