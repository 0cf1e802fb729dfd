// The public test kit: a model that says what a test tells it to, played against the real loop. No key, no network.
import { ApplicationFailure } from '@temporalio/common';
import { unusedSteps } from './core/script-player.ts';
import type { Json } from './core/json.ts';
import type { ModelScript, ScriptCall, ScriptStep } from './core/model-script.ts';
import type { ModelReply, ModelRequest } from './core/model.ts';
import { createScriptedProvider } from './activities/providers/scripted.ts';
import type { ModelCallOptions, ModelProvider } from './activities/providers/model-provider.ts';

export { parseModelScript, loadModelScript } from './activities/providers/script-file.ts';
export { recordScript, toScriptFile } from './testing/record-script.ts';
export { recordedTools } from './testing/recorded-tools.ts';
export type { ModelScript, ScriptCall, ScriptStep } from './core/model-script.ts';

/** A step as tests write it: ids are given by position ("step-1") where they are missing. */
export type StepInput = Omit<ScriptStep, 'id'> & { id?: string };

/** The model says a text. */
export function say(text: string, more: Omit<StepInput, 'text'> = {}): StepInput {
  return { ...more, text };
}

/** The model calls one tool. */
export function callTool(
  tool: string,
  args: { [key: string]: Json } = {},
  more: Omit<StepInput, 'calls'> = {},
): StepInput {
  return callTools([{ tool, args }], more);
}

/** The model calls several tools in one reply. */
export function callTools(calls: ScriptCall[], more: Omit<StepInput, 'calls'> = {}): StepInput {
  return { ...more, calls };
}

/** Steps as a script. */
export function scriptOf(steps: StepInput[], more: Partial<Omit<ModelScript, 'steps'>> = {}): ModelScript {
  return {
    name: 'test',
    ...more,
    steps: steps.map((step, index) => ({ ...step, id: step.id ?? `step-${index + 1}` })),
  };
}

/**
 * A provider that plays a script and remembers its requests. An unexpected request fails the call; end a test
 * with `assertFinished`, because the loop may have swallowed that failure.
 */
export class ScriptedModel implements ModelProvider {
  readonly name = 'scripted';
  /** Copies of every request, in order. */
  readonly requests: ModelRequest[] = [];
  readonly #script: ModelScript;
  readonly #provider: ModelProvider;
  readonly #mismatches: Error[] = [];
  #left: string[];

  constructor(script: ModelScript | StepInput[]) {
    this.#script = Array.isArray(script) ? scriptOf(script) : script;
    this.#provider = createScriptedProvider(this.#script);
    this.#left = this.#script.steps.map((step) => step.id);
  }

  async call(request: ModelRequest, options: Partial<ModelCallOptions> = {}): Promise<ModelReply> {
    this.requests.push(structuredClone(request));
    try {
      const reply = await this.#provider.call(request, { ...silentOptions, ...options });
      const unused = new Set(unusedSteps(this.#script, [...request.messages, reply.message]));
      this.#left = this.#left.filter((id) => unused.has(id));
      return reply;
    } catch (error) {
      // A scripted fault is retryable and wanted; an unexpected request is not.
      if (error instanceof ApplicationFailure && error.nonRetryable) this.#mismatches.push(error);
      throw error;
    }
  }

  /** Throws the first unexpected request's failure, or names the steps that were never played. */
  assertFinished(): void {
    if (this.#mismatches[0] !== undefined) throw this.#mismatches[0];
    if (this.#left.length === 0) return;
    throw new Error(`Script "${this.#script.name}" has steps left over: ${this.#left.join(', ')}.`);
  }
}

const silentOptions: ModelCallOptions = {
  signal: new AbortController().signal,
  onDelta: () => undefined,
  loadImage: () => Promise.resolve(new Uint8Array()),
};
