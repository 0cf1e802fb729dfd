// One request for a summary: of the model for side work, and of those behind it when it has nothing to say for good.
// Runs in Node; waits between retries are Temporal's.
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ModelLedger, SummarizeInput } from '../../core/model/activity-contracts.ts';
import type { FrozenContext, FrozenModel } from '../../core/model/frozen-context.ts';
import type { ModelFailureType } from '../../core/base/failures.ts';
import { recoveryOf } from '../../core/base/failures.ts';
import type { AssistantMessage } from '../../core/model/messages.ts';
import { textOf, userMessage } from '../../core/model/messages.ts';
import type { ModelRequest } from '../../core/model/model-call.ts';
import { summarySystemPrompt } from '../../core/view/summary-request.ts';
import { modelsFor } from './model-choice.ts';
import { withWasted } from './model-ledger.ts';
import type { SendDeps } from './send-request.ts';
import { sendRequest, toModelFailure } from './send-request.ts';

/** Attempts of the activity that a model with passing troubles gets before the next one is asked. */
const patience = 3;
const silent = { onDelta: () => undefined, restart: () => undefined };

/** What was billed so far, whatever became of it. */
export type SummaryBill = { ledger: ModelLedger };

/** Throws what the last model threw. Every answer is booked. */
export async function askSummariser(
  deps: SendDeps,
  input: SummarizeInput,
  context: FrozenContext,
  prompt: string,
  bill: SummaryBill,
): Promise<string> {
  const [first, ...others] = modelsFor(context, 'condense');
  let failure: unknown;
  for (const from of [first, ...others]) {
    try {
      return await ask(deps, toRequest(input, context, from, prompt), from, bill);
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

/** A summary that was cut off is asked for once more, with more room. */
async function ask(
  deps: SendDeps,
  request: ModelRequest,
  from: FrozenModel,
  bill: SummaryBill,
): Promise<string> {
  const reply = await send(deps, request, from, bill);
  if (!isCut(reply)) return summaryOf(reply, from);
  const more = { ...request, maxResponseTokens: request.maxResponseTokens * 2 };
  return summaryOf(await send(deps, more, from, bill), from);
}

async function send(
  deps: SendDeps,
  request: ModelRequest,
  { prices }: FrozenModel,
  bill: SummaryBill,
): Promise<AssistantMessage> {
  const book = (usage: AssistantMessage['usage'] | undefined) => {
    bill.ledger = withWasted(bill.ledger, usage, prices);
  };
  try {
    const reply = await sendRequest(deps, request, silent);
    book(reply.usage);
    return reply;
  } catch (error) {
    const failure = toModelFailure(deps, error);
    if (failure !== undefined && 'usage' in failure) book(failure.usage);
    throw error;
  }
}

function isCut({ stopReason, stopDetail }: AssistantMessage): boolean {
  return stopReason === 'length' && stopDetail !== 'context_window';
}

/** What takes the place of the older view must be whole: throws for a reply that is anything else. */
function summaryOf(reply: AssistantMessage, from: FrozenModel): string {
  const text = textOf(reply).trim();
  if (reply.stopDetail === 'context_window') {
    throw unusable('Model.ContextOverflow', from, 'has no room for what is to be summarised');
  }
  if (reply.stopDetail === 'refusal') throw unusable('Model.Refusal', from, 'refused to summarise');
  if (reply.stopReason === 'length') throw unusable('Model.EmptyResponse', from, 'was cut off twice');
  if (text === '') throw unusable('Model.EmptyResponse', from, 'gave an empty summary');
  return text;
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
    ...(settings.streamOptions?.headers && { headers: settings.streamOptions.headers }),
    metadata: { sessionId, runId, turn, attempt: Context.current().info.attempt, purpose: 'condense' },
  };
}

function unusable(type: ModelFailureType, { model }: FrozenModel, what: string): ApplicationFailure {
  const message = `The summariser ${model.provider}:${model.id} ${what}. Expected a whole summary.`;
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}
