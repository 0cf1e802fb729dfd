// The activity summarize: folds the older part of a session's view into a summary by a model of its own. Runs in
// Node. It pages what it folds; only the summary enters history.
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ModelFailureType } from '../../core/base/failures.ts';
import { recoveryOf } from '../../core/base/failures.ts';
import type { Message, AssistantMessage } from '../../core/model/messages.ts';
import { noUsage, textOf, userMessage } from '../../core/model/messages.ts';
import {
  splitPrompt,
  summaryPrompt,
  touchedFiles,
  summarySystemPrompt,
} from '../../core/view/summary-request.ts';
import type { SummarizeInput, SummarizeResult } from '../../core/model/activity-contracts.ts';
import type { FrozenContext, FrozenModel } from '../../core/model/frozen-context.ts';
import type { ModelRequest } from '../../core/model/model-call.ts';
import { toModelName } from '../../core/model/model-name.ts';
import { strategies } from '../../core/view/condense/strategies.ts';
import { createFrozenContexts } from '../context/frozen-contexts.ts';
import type { FrozenContexts } from '../context/frozen-contexts.ts';
import { createOwnWorkflow } from '../context/own-workflow.ts';
import type { OwnWorkflow, QueryOwnWorkflow } from '../context/own-workflow.ts';
import type { Transcripts } from '../context/transcript.ts';
import { startHeartbeat } from '../heartbeat.ts';
import { complete, modelsFor } from './complete.ts';
import type { Verdict } from './complete.ts';
import { createBill, ledgerOf } from './model-attempt.ts';
import type { ModelBill } from './model-attempt.ts';
import { asBug, detailsOf, paidFor, withoutSecrets } from './model-failure.ts';
import type { ModelFailure } from './providers/model-provider.ts';
import { frozenSending } from './send.ts';
import type { SendDeps } from './send.ts';

export type SummarizeDeps = SendDeps & {
  transcripts: Pick<Transcripts, 'view'>;
  /** Default: through the worker's own client. */
  query?: QueryOwnWorkflow;
  /** Default: those that ask nothing of the worker. */
  contexts?: FrozenContexts;
};

/** Throws a typed failure: retryable where another try may help, else final. A blank summary is a failure. */
export function createSummarize(deps: SummarizeDeps): (input: SummarizeInput) => Promise<SummarizeResult> {
  const { contexts = createFrozenContexts() } = deps;
  return async function summarize(input) {
    const bill = createBill(ledgerOf(Context.current().info.heartbeatDetails));
    const heartbeat = startHeartbeat(() => ({ ledger: bill.current() }));
    try {
      const workflow = createOwnWorkflow(deps.query);
      const context = await contexts.load(input.contextDigest, workflow);
      const workflowRunId = Context.current().info.workflowExecution?.runId ?? '';
      const { messages } = await deps.transcripts.view({ ...input, workflowRunId, unseen: [] }, workflow);
      const prompts = await toPrompts(input, context, messages, workflow);
      const { tracksFiles } = strategies[context.settings.condense.strategy ?? 'user_summary'];
      const files = tracksFiles ? { files: touchedFiles(messages) } : {};
      const summaries: string[] = [];
      for (const prompt of prompts) {
        const request = toRequest(input, context, prompt);
        summaries.push(await askSummariser(frozenSending(deps, context), request, context, bill));
      }
      const { wasted: usage = noUsage, wastedUsd: costUsd = 0 } = bill.ledger;
      return {
        summary: summaries.join('\n\nThe work in hand, its beginning:\n\n'),
        usage,
        costUsd,
        ...files,
      };
    } catch (error) {
      // the next attempt starts with this bill
      heartbeat.beat();
      const { cancellationSignal } = Context.current();
      // a failure of the provider meanwhile is not cleaned, and nothing waits for it
      throw cancellationSignal.aborted
        ? cancellationSignal.reason
        : withoutSecrets(asBug(error), deps.redactor);
    } finally {
      heartbeat.stop();
    }
  };
}

/** One prompt, or two where the cut goes through work that is not done. What only the workflow knows costs a query. */
async function toPrompts(
  { view, splitFromSeq }: SummarizeInput,
  { settings }: FrozenContext,
  messages: Message[],
  workflow: OwnWorkflow,
): Promise<string[]> {
  const { maxTokens } = settings.condense;
  const { notes = { task: '' } } = await workflow.getView(view.epoch, view.toSeq + 1);
  if (splitFromSeq === undefined) return [summaryPrompt(messages, notes, maxTokens)];
  const before = messages.slice(0, splitFromSeq - view.fromSeq);
  const split = splitPrompt(messages.slice(splitFromSeq - view.fromSeq), maxTokens);
  const nothing = before.length === 0 && notes.summary === undefined;
  return nothing ? [split] : [summaryPrompt(before, notes, maxTokens), split];
}

function toRequest(
  { sessionId, runId, turn }: SummarizeInput,
  { model, settings }: FrozenContext,
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

/** Attempts of the activity that a model with passing troubles gets before the next one is asked. */
const patience = 3;

/** One summary, of the model for side work or of those behind it. Every answer is booked. */
async function askSummariser(
  deps: SendDeps,
  request: ModelRequest,
  context: FrozenContext,
  bill: ModelBill,
): Promise<string> {
  const { attempt } = Context.current().info;
  const watched = Object.assign(bill, { onDelta: () => undefined, restart: () => undefined });
  const completed = await complete(
    deps,
    request,
    {
      models: modelsFor(context, 'condense'),
      first: 0,
      accept: (answer, model, asked) => acceptSummary(answer, model, asked, request.maxResponseTokens),
      movesOn: ({ type }) => recoveryOf(type) !== 'retry' || attempt > patience,
    },
    watched,
  );
  const { reply, failure, from } = completed;
  if (reply === undefined) throw toThrown(failure, bill);
  bill.waste(reply.usage, from);
  if (failure !== undefined) throw toThrown(failure, bill);
  return textOf(reply).trim();
}

/** A summary takes the place of the older view, so it must be whole. One that was cut off is asked for once more, with more room. */
function acceptSummary(
  { stopReason, stopDetail, ...reply }: AssistantMessage,
  from: FrozenModel,
  asked: number,
  maxResponseTokens: number,
): Verdict {
  if (stopDetail === 'refusal') return unusable('Model.Refusal', from, 'refused to summarise');
  if (stopReason === 'length') {
    if (asked === 0) return { again: { maxResponseTokens: maxResponseTokens * 2 } };
    return unusable('Model.EmptyResponse', from, 'was cut off twice');
  }
  const isBlank = textOf({ stopReason, ...reply }).trim() === '';
  return isBlank ? unusable('Model.EmptyResponse', from, 'gave an empty summary') : 'accepted';
}

function unusable(type: ModelFailureType, { model }: FrozenModel, what: string): { failure: ModelFailure } {
  const message = `The summariser ${toModelName(model)} ${what}. Expected a whole summary.`;
  return { failure: { type, message } };
}

function toThrown({ type, message }: ModelFailure, { ledger }: ModelBill): ApplicationFailure {
  const nonRetryable = recoveryOf(type) !== 'retry';
  return ApplicationFailure.create({ type, message, nonRetryable, ...detailsOf(paidFor(ledger)) });
}
