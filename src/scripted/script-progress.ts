// How far a script was played, over all the requests that it answered: what of it was never asked for.
import { unusedSteps } from './script-player.ts';
import type { Message } from '../core/model/messages.ts';
import type { ModelScript } from './model-script.ts';

export type ScriptProgress = {
  /** The messages of a request that was answered, its reply at their end. */
  saw(messages: Message[]): void;
  /** Ids of the steps that were still to come, in the script's order. */
  left(): string[];
};

/** A view that was condensed tells of the newer steps only, so what was once played stays played. */
export function createScriptProgress(script: ModelScript): ScriptProgress {
  let left = unusedSteps(script, []);
  return {
    saw(messages) {
      const unused = new Set(unusedSteps(script, messages));
      left = left.filter((id) => unused.has(id));
    },
    left: () => left,
  };
}

export function leftOverText(script: ModelScript, left: string[]): string {
  return `Script "${script.name}" has steps left over: ${left.join(', ')}.`;
}
