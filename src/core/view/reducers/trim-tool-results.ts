// trim_tool_results: old results are cut to their beginning; errors and the newest results stay whole (HOOK-10).
import { textOf } from '../../model/messages.ts';
import { viewEntries } from '../view-entries.ts';
import { withText } from './view-reducer.ts';
import type { ViewReducer } from './view-reducer.ts';
import { cutText } from '../../base/cut-text.ts';

export const trimToolResults: ViewReducer<{ characters: number; keepLast: number }> = {
  defaults: { characters: 500, keepLast: 4 },
  reach(state, { keepLast }) {
    const results = viewEntries(state).filter(({ role }) => role === 'tool_result');
    return results.at(-keepLast - 1)?.seq;
  },
  apply(result, { characters }) {
    const text = textOf(result);
    if (result.isError || text.length <= characters) return result;
    return withText(result, cutText(text, characters, ` [cut: ${text.length} characters]`), true);
  },
};
