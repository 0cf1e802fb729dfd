// One request for a summary: of the model for side work, and of those behind it when it has nothing to say for good.
// Runs in Node; waits between retries are Temporal's.
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { FrozenContext, FrozenModel, SummarizeInput } from '../core/activity-contracts.ts';
import { recoveryOf } from '../core/failures.ts';
import type { Usage } from '../core/messages.ts';
import { textOf, userMessage } from '../core/messages.ts';
import type { ModelRequest } from '../core/model.ts';
import { summarySystemPrompt } from '../core/summary-request.ts';
import { costOf } from './cost.ts';
import { modelsFor } from './model-choice.ts';
import type { SendDeps } from './send-request.ts';
import { sendRequest, toModelFailure } from './send-request.ts';

/** Attempts of the activity that a model with passing troubles gets before the next one is asked. */
const patience = 3;
const silent = { onDelta: () => undefined, restart: () => undefined };

export type Summary = { text: string; usage: Usage; costUsd: number };

/** Throws what the last model threw. */
export async function askSummariser(
  deps: SendDeps,
  input: SummarizeInput,
  context: FrozenContext,
  prompt: string,
): Promise<Summary> {
  const [first, ...others] = modelsFor(context, 'condense');
  let failure: unknown;
  for (const from of [first, ...others]) {
    try {
      return await ask(deps, toRequest(input, context, from, prompt), from);
    } catch (error) {
      failure = error;
      if (!movesOn(deps, error)) throw error;
    }
  }
  throw failure;
}

function movesOn(deps: SendDeps, error: unknown): boolean {
  const { info, cancellationSignal } = Context.current();
  if (cancellationSignal.aborted) return false;
  const failure = toModelFailure(deps, error);
  return failure !== undefined && (recoveryOf(failure.type) !== 'retry' || info.attempt > patience);
}

async function ask(deps: SendDeps, request: ModelRequest, { prices }: FrozenModel): Promise<Summary> {
  const reply = await sendRequest(deps, request, silent);
  const text = textOf(reply).trim();
  if (text === '') throw empty(request);
  return { text, usage: reply.usage, costUsd: costOf(reply.usage, prices) };
}

function toRequest(
  { sessionId, runId, turn }: SummarizeInput,
  { settings }: FrozenContext,
  { model }: FrozenModel,
  prompt: string,
): ModelRequest {
  return {
    model,
    systemPrompt: summarySystemPrompt,
    messages: [userMessage(prompt, 'injected')],
    tools: [],
    toolChoice: 'none',
    maxResponseTokens: settings.condense.maxTokens,
    thinkingLevel: 'off',
    metadata: { sessionId, runId, turn, attempt: Context.current().info.attempt, purpose: 'condense' },
  };
}

function empty({ model }: ModelRequest): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'Model.EmptyResponse',
    message: `The summariser ${model.provider}:${model.id} gave an empty summary.`,
    nonRetryable: true,
  });
}
