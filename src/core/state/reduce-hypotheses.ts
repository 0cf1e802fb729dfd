// The effect of a change of hypotheses on the state. Pure.
import { countsOf, hypothesesText } from '../agent/hypotheses/hypotheses-text.ts';
import { cutToBytes } from '@holdfast/base/cut-text';
import { eventTextBytes } from '@holdfast/base/sizes';
import { withChanged } from '@holdfast/vocabulary/hypotheses';
import type { Draft } from './draft.ts';
import type { FactOf } from './facts.ts';

export function changeHypotheses(draft: Draft, { changed }: FactOf<'hypotheses_changed'>): void {
  const hypotheses = withChanged(draft.state.hypotheses ?? [], changed);
  draft.state = { ...draft.state, hypotheses };
  draft.events.push({
    type: 'hypotheses_update',
    ...countsOf(hypotheses),
    text: cutToBytes(hypothesesText(hypotheses), eventTextBytes),
  });
}
