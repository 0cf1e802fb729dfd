// Whether a worker of this process would have a model. Asked before a server is started: without a key and without a
// script there is nothing that could answer.
import type { Config } from '../config.ts';
import type { SessionInput } from '../core/session-input.ts';
import { UserError } from './user-error.ts';

/** The model that a session of this input gets. */
export function modelOf(config: Config, input: SessionInput): string {
  return input.model ?? config.agents[input.agent ?? 'investigator']?.model ?? config.model;
}

export function isScripted(model: string): boolean {
  return model.startsWith('scripted:');
}

export function checkModel({ script }: Config, model: string): void {
  if (!isScripted(model) || script !== undefined) return;
  throw new UserError(
    'No model to run with: no key is set, and the config names no script for the scripted model. ' +
      'Set OPENAI_API_KEY or ANTHROPIC_API_KEY (and a base URL if you need one), or see "holdfast demo", which needs none.',
  );
}
