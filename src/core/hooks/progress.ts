// Turn hook `progress`: now and then asks for a note on where the work stands, where there is a place for notes
// (HOOK-09). Pure.
import type { PureHook } from '../model/hook.ts';
import { count, numberOf, problemOf } from './params.ts';

const everyTurns = 5;

export const progress: PureHook = {
  problem: (params) => problemOf(params, { interval: count }),
  beforeComplete({ iteration, context }, { params }) {
    const hasNotes = context.tools.some(({ name }) => name === 'list_notes');
    const due = iteration > 0 && iteration % numberOf(params, 'interval', everyTurns) === 0;
    if (!due || !hasNotes) return undefined;
    return {
      inject: 'Write a progress note now: what is done, what remains, and what blocks you. Then go on.',
    };
  },
};
