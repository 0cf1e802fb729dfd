// observation_mask: from some share of the context window on, old results are replaced by the tool's name and their
// first words; errors and the newest messages stay whole (HOOK-10).
import { textOf } from '../../model/messages.ts';
import { viewEntries } from '../view-entries.ts';
import { withText } from './view-reducer.ts';
import type { ViewReducer } from './view-reducer.ts';
import { cutText } from '../../base/cut-text.ts';

export const observationMask: ViewReducer<{ share: number; keepLast: number; characters: number }> = {
  defaults: { share: 0.6, keepLast: 10, characters: 80 },
  reach(state, { share, keepLast }, inputTokens) {
    const window = state.context?.settings.contextWindow ?? 0;
    if (window === 0 || inputTokens < share * window) return undefined;
    return viewEntries(state).at(-keepLast - 1)?.seq;
  },
  apply(result, { characters }) {
    if (result.isError) return result;
    return withText(result, `[${result.toolName}] ${cutText(textOf(result), characters, '')}`);
  },
};
