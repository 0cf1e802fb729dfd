// The activity summarize: folds the older part of a session's view into a summary by a model of its own. Runs in
// Node. It pages what it folds; only the summary enters history.
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { SummarizeInput, SummarizeResult } from '../../core/model/activity-contracts.ts';
import type { FrozenContext } from '../../core/model/frozen-context.ts';
import { strategies } from '../../core/view/condense/strategies.ts';
import { recoveryOf } from '../../core/base/failures.ts';
import type { Message } from '../../core/model/messages.ts';
import { noUsage } from '../../core/model/messages.ts';
import { splitPrompt, summaryPrompt, touchedFiles } from '../../core/view/summary-request.ts';
import type { SummaryBill } from './ask-summariser.ts';
import { askSummariser } from './ask-summariser.ts';
import { createFrozenContexts } from '../context/frozen-contexts.ts';
import type { FrozenContexts } from '../context/frozen-contexts.ts';
import { startHeartbeat } from '../heartbeat.ts';
import { createOwnWorkflow } from '../context/own-workflow.ts';
import { ledgerOf } from './model-attempt.ts';
import { detailsOf, paidFor } from './model-failure.ts';
import type { OwnWorkflow, QueryOwnWorkflow } from '../context/own-workflow.ts';
import type { SendDeps } from './send-request.ts';
import { frozenSending, toModelFailure } from './send-request.ts';
import type { Transcripts } from '../context/transcript.ts';

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
    const bill: SummaryBill = { ledger: ledgerOf(Context.current().info.heartbeatDetails) };
    const heartbeat = startHeartbeat(() => ({ ledger: bill.ledger }));
    try {
      const workflow = createOwnWorkflow(deps.query);
      const context = await contexts.load(input.contextDigest, workflow);
      const workflowRunId = Context.current().info.workflowExecution?.runId ?? '';
      const { messages } = await deps.transcripts.view({ ...input, workflowRunId, unseen: [] }, workflow);
      const prompts = await toPrompts(input, context, messages, workflow);
      const { tracksFiles } = strategies[context.settings.condense.strategy ?? 'user_summary'];
      const files = tracksFiles ? { files: touchedFiles(messages) } : {};
      const sending = frozenSending(deps, context);
      return { ...(await askAll(sending, input, context, prompts, bill)), ...files };
    } catch (error) {
      // what was billed is what the next attempt starts with
      heartbeat.beat();
      throw toFailure(deps, error, bill);
    } finally {
      heartbeat.stop();
    }
  };
}

/** One prompt, or two where the cut goes through work that is not done. What the workflow alone knows costs a query. */
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

async function askAll(
  deps: SendDeps,
  input: SummarizeInput,
  context: FrozenContext,
  prompts: string[],
  bill: SummaryBill,
): Promise<SummarizeResult> {
  const summaries: string[] = [];
  for (const prompt of prompts) summaries.push(await askSummariser(deps, input, context, prompt, bill));
  const { wasted: usage = noUsage, wastedUsd: costUsd = 0 } = bill.ledger;
  return { summary: summaries.join('\n\nThe work in hand, its beginning:\n\n'), usage, costUsd };
}

function toFailure(deps: SummarizeDeps, error: unknown, { ledger }: SummaryBill): unknown {
  const { cancellationSignal } = Context.current();
  // what the provider said meanwhile is not cleaned, and nobody waits for it
  if (cancellationSignal.aborted) return cancellationSignal.reason;
  const failure = toModelFailure(deps, error);
  if (!failure) return error;
  const { type, message } = failure;
  const nonRetryable = recoveryOf(type) !== 'retry';
  return ApplicationFailure.create({ type, message, nonRetryable, ...detailsOf(paidFor(ledger)) });
}
