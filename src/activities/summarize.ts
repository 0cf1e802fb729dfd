// The activity summarize: folds the older part of a session's view into a summary by a model of its own. Runs in
// Node. It pages what it folds; only the summary enters history.
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type {
  FrozenContext,
  FrozenModel,
  SummarizeInput,
  SummarizeResult,
} from '../core/activity-contracts.ts';
import { recoveryOf } from '../core/failures.ts';
import type { Message } from '../core/messages.ts';
import { textOf, userMessage } from '../core/messages.ts';
import type { ModelRequest } from '../core/model.ts';
import { summaryPrompt, summarySystemPrompt } from '../core/summary-request.ts';
import { costOf } from './cost.ts';
import { createFrozenContexts } from './frozen-contexts.ts';
import { startHeartbeat } from './heartbeat.ts';
import { createOwnWorkflow } from './own-workflow.ts';
import type { QueryOwnWorkflow } from './own-workflow.ts';
import type { SendDeps } from './send-request.ts';
import { sendRequest, toModelFailure } from './send-request.ts';
import type { Transcripts } from './transcript.ts';

export type SummarizeDeps = SendDeps & {
  transcripts: Pick<Transcripts, 'view'>;
  /** Default: through the worker's own client. */
  query?: QueryOwnWorkflow;
};

const silent = { onDelta: () => undefined, restart: () => undefined };

/** Throws a typed failure: retryable where another try may help, else final. A blank summary is a failure. */
export function createSummarize(deps: SummarizeDeps): (input: SummarizeInput) => Promise<SummarizeResult> {
  const contexts = createFrozenContexts();
  return async function summarize(input) {
    const heartbeat = startHeartbeat(() => undefined);
    try {
      const workflow = createOwnWorkflow(deps.query);
      const context = await contexts.load(input.contextDigest, workflow);
      const workflowRunId = Context.current().info.workflowExecution?.runId ?? '';
      const messages = await deps.transcripts.view({ ...input, workflowRunId, unseen: [] }, workflow);
      const model = context.purposes?.condense ?? { model: context.model, ...pricesOf(context) };
      const reply = await sendRequest(deps, toRequest(input, context, model, messages), silent);
      const summary = textOf(reply).trim();
      if (summary === '') throw failed('Model.EmptyResponse', 'The summariser gave an empty summary.', false);
      return { summary, usage: reply.usage, costUsd: costOf(reply.usage, model.prices) };
    } catch (error) {
      throw toFailure(deps, error);
    } finally {
      heartbeat.stop();
    }
  };
}

function pricesOf({ prices }: FrozenContext): Pick<FrozenModel, 'prices'> {
  return prices ? { prices } : {};
}

function toRequest(
  { sessionId, runId, turn }: SummarizeInput,
  { settings }: FrozenContext,
  { model }: FrozenModel,
  messages: Message[],
): ModelRequest {
  const { maxTokens } = settings.condense;
  const first = messages.find((message) => message.role === 'user');
  const task = first ? textOf(first) : '';
  return {
    model,
    systemPrompt: summarySystemPrompt,
    messages: [userMessage(summaryPrompt(messages, task, maxTokens), 'injected')],
    tools: [],
    toolChoice: 'none',
    maxResponseTokens: maxTokens,
    thinkingLevel: 'off',
    metadata: { sessionId, runId, turn, attempt: Context.current().info.attempt, purpose: 'condense' },
  };
}

function toFailure(deps: SummarizeDeps, error: unknown): unknown {
  if (Context.current().cancellationSignal.aborted) return error;
  const failure = toModelFailure(deps, error);
  if (!failure) return error;
  return failed(failure.type, failure.message, recoveryOf(failure.type) === 'retry');
}

function failed(type: string, message: string, retryable: boolean): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: !retryable });
}
