// The answers of Holdfast's MCP tools: one JSON document, bounded, as text and as structured content; and errors in words.
// Runs in Node.
import { messageOf } from '../core/base/message-of.ts';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ClientError } from '../client.ts';
import { cutText } from '../core/base/cut-text.ts';

/** Of the text of one answer: it goes into the context of somebody's model. */
const maxTextCharacters = 100_000;

export function answer(value: Record<string, unknown>): CallToolResult {
  const text = JSON.stringify(value, undefined, 2);
  if (text.length <= maxTextCharacters)
    return { content: [{ type: 'text', text }], structuredContent: value };
  const notice = `\n[${text.length} characters; ask for less, e.g. fewer events]`;
  return { content: [{ type: 'text', text: cutText(text, maxTextCharacters, '') + notice }] };
}

/** Trouble with a session is an answer that the client's model reads; anything else is a bug of ours, said as such. */
export async function orRefusal(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    const message = messageOf(error);
    const code =
      error instanceof ClientError ? `${error.code}${error.reason ? `/${error.reason}` : ''}: ` : '';
    return { content: [{ type: 'text', text: `${code}${message}` }], isError: true };
  }
}
