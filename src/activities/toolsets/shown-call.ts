// What a person is shown of a call of a toolset's tool, and what an approval of it is bound to. Pure.
import type { CallAction, CallFacts } from '../../core/model/tool-spec.ts';
import { digestOf } from '../context/digest.ts';

/** A person reads all that is approved: the question has no room for more. */
const maxShown = 15_000;

export function factsOf(shown: string, action: CallAction): CallFacts {
  if (action.effect !== 'read' && shown.length > maxShown) {
    const reason = `The call changes something and is longer than ${maxShown} characters, too long to be approved.`;
    return { actions: [{ ...action, decision: 'deny', reason }] };
  }
  return { actions: [action], preview: shown, basis: digestOf(shown) };
}

/** A worker with another file or other settings would make another call of the same arguments. */
export function assertShown(shown: string, basis: string | undefined): void {
  if (basis === undefined || basis === digestOf(shown)) return;
  throw new Error('Not run: this worker would make another call than the one that was approved.');
}
