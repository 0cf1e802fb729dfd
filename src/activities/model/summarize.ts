// The activity summarize: folds the older part of a session's view into a summary by a model of its own. Runs in Node. It
// pages the folded messages itself; only the summary enters history.
import { Context } from '@temporalio/activity';
import { joinSummaries, summaryPrompts, summarySystemPrompt } from '@holdfast/view/summary-request';
import { touchedFiles } from '@holdfast/view/touched-files';
import type { SummarizeInput, SummarizeResult } from '@holdfast/vocabulary/activity-contracts';
import { strategies } from '@holdfast/view/condense/strategies';
import type { FrozenContexts } from '../context/frozen-contexts.ts';
import { createOwnWorkflow } from '../base/own-workflow.ts';
import type { Transcripts } from '../context/transcript.ts';
import type { SendDeps } from './send.ts';
import { askAside, billed } from './side-request.ts';

export type SideWorkDeps = SendDeps & {
  transcripts: Pick<Transcripts, 'view'>;
  contexts: Pick<FrozenContexts, 'load'>;
};

/** Throws a typed failure: retryable if another attempt may help, else final. A blank summary is a failure, and words that are none. */
export function createSummarize(deps: SideWorkDeps): (input: SummarizeInput) => Promise<SummarizeResult> {
  return (input) =>
    billed(deps.redactor, async (bill) => {
      const workflow = createOwnWorkflow();
      const context = await deps.contexts.load(input.contextDigest);
      const workflowRunId = Context.current().info.workflowExecution?.runId ?? '';
      const { messages } = await deps.transcripts.view({ ...input, workflowRunId, unseen: [] }, workflow);
      const { strategy, maxTokens } = context.settings.condense;
      const files = strategies[strategy].tracksFiles ? { files: touchedFiles(messages) } : {};
      const { sessionId, runId, turn, view } = input;
      const of = { sessionId, runId, turn, system: summarySystemPrompt, maxTokens };
      const summaries: string[] = [];
      // facts that only the workflow knows
      const { notes = { task: '' } } = await workflow.getView(view.epoch, view.toSeq + 1);
      for (const question of summaryPrompts(messages, notes, input, context.settings)) {
        summaries.push(await askAside(deps, { ...of, ...question, purpose: 'condense' }, context, bill));
      }
      return { summary: joinSummaries(summaries), ...files };
    });
}
