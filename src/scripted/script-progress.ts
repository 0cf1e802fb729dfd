// How far a script was played, over all the requests that it answered: what of it was never asked for.
import { findPlace } from './script-place.ts';
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
  const played = new Set<string>();
  let newest: Message[] = [];
  return {
    saw(messages) {
      newest = messages;
      for (const id of findPlace(script, messages).played) played.add(id);
    },
    left: () => unusedSteps(script, newest).filter((id) => !played.has(id)),
  };
}

export function leftOverText(script: ModelScript, left: string[]): string {
  return `Script "${script.name}" has steps left over: ${left.join(', ')}.`;
}
