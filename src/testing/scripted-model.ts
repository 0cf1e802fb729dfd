// A model that plays a script inside a test, and reports unexpected requests and unused steps. Runs in Node.
import { ApplicationFailure } from '@temporalio/common';
import type { ModelCallOptions, ModelProvider } from '@holdfast/providers/model-provider';
import { createScriptedProvider } from '@holdfast/providers/scripted';
import type { Json } from '@holdfast/base/json';
import type { ModelReply, ModelRequest } from '@holdfast/vocabulary/model-call';
import {
  type ModelScript,
  type ScriptCall,
  type ScriptStep,
  askingOf,
} from '@holdfast/scripted-model/model-script';
import {
  type ScriptProgress,
  createScriptProgress,
  leftOverText,
} from '@holdfast/scripted-model/script-player';

/** A step as tests write it: a missing id comes from its position ("step-1"). */
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

/** Makes a script of steps. */
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
  readonly script: ModelScript;
  readonly #provider: ModelProvider;
  readonly #mismatches: Error[] = [];
  readonly #progress: ScriptProgress;

  constructor(script: ModelScript | StepInput[]) {
    this.script = Array.isArray(script) ? scriptOf(script) : script;
    this.#provider = createScriptedProvider(this.script);
    this.#progress = createScriptProgress(this.script);
  }

  async call(request: ModelRequest, options: Partial<ModelCallOptions> = {}): Promise<ModelReply> {
    // messages never change once made: a deep copy of each request would make a long play quadratic
    this.requests.push({ ...request, messages: [...request.messages] });
    try {
      const reply = await this.#provider.call(request, { ...silentOptions, ...options });
      this.#progress.saw([...request.messages, reply.message], askingOf(request));
      return reply;
    } catch (error) {
      // a scripted fault is retryable and wanted; an unexpected request is not
      if (error instanceof ApplicationFailure && error.nonRetryable) this.#mismatches.push(error);
      throw error;
    }
  }

  /** Throws the first unexpected request's failure, or names the steps that are left. */
  assertFinished(): void {
    if (this.#mismatches[0] !== undefined) throw this.#mismatches[0];
    const left = this.#progress.left();
    if (left.length > 0) throw new Error(leftOverText(this.script, left));
  }
}

const silentOptions: ModelCallOptions = {
  signal: new AbortController().signal,
  onDelta: () => undefined,
  loadImage: () => Promise.resolve(new Uint8Array()),
};
