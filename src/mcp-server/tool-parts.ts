// What the tools of Holdfast's MCP server are made of. Runs in Node.
import type { HoldfastClient } from '../client.ts';

export type McpServerParts = {
  client: HoldfastClient;
  version: string;
  /** `user@host` of this process. */
  user: string;
  /** Whether calls can be approved here. */
  approvals: boolean;
};

export type ToolParts = McpServerParts & {
  /** Who acts: the client's name and the user of this process. */
  actor(): string;
};
