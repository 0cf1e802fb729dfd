// The parts of a toolset's call that a person sees, and the basis to which an approval is bound. Pure.
import { NotRun } from '../tools/not-run.ts';
import type { CallAction, CallFacts } from '@holdfast/vocabulary/tool-spec';
import { digestOf } from '../base/digest.ts';
import type { StateBefore } from './guarded-change.ts';

/** A person reads all that is approved, and the question has no room for more. */
const maxShown = 15_000;

export function toCallFacts(shown: string, action: CallAction, before?: StateBefore): CallFacts {
  // it runs without a question, and its result has the reason; if it becomes possible meanwhile, the basis differs
  if (before?.can === false)
    return {
      actions: [{ ...action, effect: 'read' }],
      preview: before.reason,
      basis: digestOf(before.reason),
    };
  // a question shows the first lines, so the undo comes before a state that may be long
  const preview = before ? `${shown}\nUndo: ${before.undo}\nNow:\n${before.state}` : shown;
  if (action.effect !== 'read' && preview.length > maxShown) {
    const reason = `The call changes something and is longer than ${maxShown} characters, too long to be approved.`;
    return { actions: [{ ...action, decision: 'deny', reason }] };
  }
  return { actions: [action], preview, basis: basisOf(shown, before?.basis) };
}

/** A worker with another file or other settings would make another call, and the state may have changed since. */
export function assertShown(shown: string, basis: string | undefined, bound?: string): void {
  if (basis === undefined || basis === basisOf(shown, bound)) return;
  throw new NotRun(
    'this worker would make another call than the one that was approved, or what it changes is not as it was shown.',
  );
}

function basisOf(shown: string, bound = ''): string {
  return digestOf(bound === '' ? shown : [shown, bound]);
}
