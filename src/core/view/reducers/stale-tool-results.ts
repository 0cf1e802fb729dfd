// stale_tool_results: results from before the newest user messages become a line that says what there was; errors keep
// their first line (COND-20).
import { textOf } from '../../model/messages.ts';
import type { ToolCallPart } from '../../model/messages.ts';
import { utf8Bytes } from '../../base/sizes.ts';
import { viewEntries } from '../view-entries.ts';
import { withText } from './view-reducer.ts';
import type { ViewReducer } from './view-reducer.ts';
import { cutText } from '../../base/cut-text.ts';

/** Characters of an error's first line. */
const errorLine = 100;

export const staleToolResults: ViewReducer<{ age: number }> = {
  defaults: { age: 4 },
  reach(state, { age }) {
    // a prompt that was taken but has not begun its turn is already something newer
    const pending = state.run?.pending.length ?? 0;
    if (pending >= age) return state.log.nextSeq - 1;
    const users = viewEntries(state).filter(({ role }) => role === 'user');
    const oldest = users.at(-(age - pending));
    return oldest && oldest.seq - 1;
  },
  apply(result, _params, call) {
    const text = textOf(result);
    if (result.isError) return withText(result, cutText(text.split('\n', 1)[0] ?? '', errorLine, ''));
    const lines = text === '' ? 0 : text.split('\n').length;
    return withText(
      result,
      `[Summary: Returned ${utf8Bytes(text)} bytes (${lines} lines) of ${typeOf(text, call)}]`,
    );
  },
};

/** By the content where it shows, else by the extension of the file that the call names. */
function typeOf(text: string, call: ToolCallPart | undefined): string {
  const start = text.trimStart();
  if (isJson(start)) return 'json';
  if (/^<(!doctype html|html)/i.test(start)) return 'html';
  if (start.startsWith('<?xml')) return 'xml';
  return extensionOf(call) ?? 'text';
}

function isJson(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function extensionOf(call: ToolCallPart | undefined): string | undefined {
  const path = /"path"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(call?.arguments ?? '')?.[1];
  return /\.([A-Za-z0-9]{1,10})$/.exec(path ?? '')?.[1]?.toLowerCase();
}
