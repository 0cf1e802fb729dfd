// Shared by the tools of Holdfast's MCP server: their parts, and their answers, which are one bounded JSON document, as text
// and as structured content, or an error in words. Runs in Node.
import { type HoldfastClient, ClientError } from '../client.ts';
import { cutText } from '@holdfast/base/cut-text';
import { messageOf } from '@holdfast/base/message-of';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { toOuter } from '@holdfast/vocabulary/outer-form';

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

/** Limit for the text of one answer, which goes into the context of a client's model. */
const maxTextCharacters = 100_000;

function answer(of: Record<string, unknown>): CallToolResult {
  const value = toOuter(of);
  const text = JSON.stringify(value, undefined, 2);
  if (text.length <= maxTextCharacters)
    return { content: [{ type: 'text', text }], structuredContent: value };
  const notice = `\n[${text.length} characters; ask for less, e.g. fewer events]`;
  return { content: [{ type: 'text', text: cutText(text, maxTextCharacters, '') + notice }] };
}

/** A session's error is an answer for the client's model; any other error is a bug of ours, and says so. */
export function answering<Given extends unknown[]>(
  work: (...given: Given) => Promise<Record<string, unknown>>,
): (...given: Given) => Promise<CallToolResult> {
  return async (...given) => {
    try {
      return answer(await work(...given));
    } catch (error) {
      const code =
        error instanceof ClientError ? `${error.code}${error.reason ? `/${error.reason}` : ''}: ` : '';
      return { content: [{ type: 'text', text: `${code}${messageOf(error)}` }], isError: true };
    }
  };
}
