// sliding_window: the newest messages whole, those before them with short results, older ones in one running summary
// (HOOK-11). Pure.
import { viewEntries } from '../view-entries.ts';
import { growToCall, planAt } from './cut.ts';
import { contextMessage } from './head.ts';
import type { CondenseStrategy } from './strategy.ts';
import { usageIsDue } from './triggers.ts';

const share = 0.7;
const whole = 10;
const shortened = 10;
const characters = 200;

export const slidingWindow: CondenseStrategy = {
  isDue: (state) => usageIsDue(state, share),
  plan(state) {
    const entries = viewEntries(state);
    const plan = planAt(state, entries, growToCall(entries, entries.length - whole - shortened));
    const last = entries.at(-whole - 1);
    if (!plan || !last) return undefined;
    const reduction = { name: 'trim_tool_results', params: { characters }, throughSeq: last.seq } as const;
    return { ...plan, reductions: [reduction] };
  },
  head: (view) => ({ messages: [contextMessage(view)] }),
};
