// The answers of Holdfast's MCP tools: one bounded JSON document, as text and as structured content; and errors in
// words. Runs in Node.
import { messageOf } from '../core/base/message-of.ts';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { ClientError } from '../client.ts';
import { cutText } from '../core/base/cut-text.ts';
import { toOuter } from '../core/model/outer-form.ts';

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
