// What the Temporal UI shows of a session: details in Markdown, a few search attributes. Derived from state; no
// user text or secret in search attributes, which are never encrypted.
import { setCurrentDetails, upsertMemo, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { WaitingFor } from '../core/events.ts';
import { estimateInputTokens } from '../core/estimate.ts';
import { inputTotal, totalUsage } from '../core/messages.ts';
import type { RunResult } from '../core/run-result.ts';
import { searchAttributeTypes } from '../core/search-attributes.ts';
import type { SearchAttributeName } from '../core/search-attributes.ts';
import type { Session } from './session.ts';

/** Characters of the answer in the details. */
const shownAnswer = 2_000;

type AgentStatus = 'running' | 'waiting' | 'idle' | 'ended';

export class Visibility {
  readonly #session: Session;
  #shown = '';
  #ended = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** The task, for the UI's header: a static summary does not survive continue-as-new, the memo does. */
  showTask(): void {
    const { task } = this.#session.state;
    if (task !== '' && workflowInfo().memo?.['task'] === undefined) upsertMemo({ task });
  }

  /** Cheap: called after every change. Attributes are written only when status or waiting-for changes. */
  update(): void {
    const { state, waitingFor } = this.#session;
    if (!state.context) return;
    const status = this.#status(waitingFor);
    const shown = `${status}/${waitingFor ?? ''}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#upsert(status, waitingFor);
    this.showDetails();
  }

  end(): void {
    this.#ended = true;
    this.update();
  }

  showDetails(): void {
    setCurrentDetails(detailsOf(this.#session, this.#status(this.#session.waitingFor)));
  }

  #status(waitingFor: WaitingFor | undefined): AgentStatus {
    if (this.#ended) return 'ended';
    if (waitingFor === 'approval' || waitingFor === 'operator') return 'waiting';
    return this.#session.busy ? 'running' : 'idle';
  }

  #upsert(status: AgentStatus, waitingFor: WaitingFor | undefined): void {
    const { context, run, lastResult, costUsd } = this.#session.state;
    if (!context) return;
    const values: Record<SearchAttributeName, string | number> = {
      AgentStatus: status,
      AgentName: context.agent,
      Model: context.model.id,
      WaitingFor: waitingFor ?? 'nothing',
      Turns: run?.turn ?? lastResult?.turns ?? 0,
      CostUsd: costUsd,
    };
    const pairs = attributeNames
      // an unregistered name would make the server refuse the task for ever
      .filter((name) => context.searchAttributes.includes(name))
      .map((name) => toPair(name, values[name]));
    if (pairs.length > 0) upsertSearchAttributes(pairs);
  }
}

type Pair = Extract<Parameters<typeof upsertSearchAttributes>[0], readonly unknown[]>[number];

const attributeNames = Object.keys(searchAttributeTypes).filter(
  (name): name is SearchAttributeName => name in searchAttributeTypes,
);
const wireTypes = { Keyword: 'KEYWORD', Int: 'INT', Double: 'DOUBLE' } as const;

/** The one place where a name meets its type: both come from one table. */
function toPair(name: SearchAttributeName, value: string | number): Pair {
  return { key: { name, type: wireTypes[searchAttributeTypes[name]] }, value } as Pair;
}

/** One line for a model call in the UI's timeline. */
export function modelSummary(session: Session): string {
  const { state } = session;
  const tokens = estimateInputTokens(state);
  const size = tokens < 1_000 ? `~${tokens}` : `~${Math.round(tokens / 1_000)}k`;
  return `turn ${state.run?.turn ?? 0} · ${state.context?.model.id ?? ''} · ${size} tokens in`;
}

function detailsOf(session: Session, status: AgentStatus): string {
  const { state, approvals, operatorReason } = session;
  const { run, lastResult, context } = state;
  const usage = totalUsage(state.usage);
  const approvalLines = approvals.pending.map(
    ({ id, summary, deadline }) =>
      `- waits for **approval** of \`${id}\`: \`${summary}\`, until ${new Date(deadline).toISOString()}`,
  );
  const lines = [
    state.task,
    '',
    `- **${status}** (${state.status})`,
    ...approvalLines,
    ...(operatorReason === undefined ? [] : [`- waits for an **operator**: ${operatorReason}`]),
    `- agent ${context?.agent ?? ''}, model ${context?.model.id ?? ''}`,
    `- turn ${run?.turn ?? lastResult?.turns ?? 0}, ${state.toolCalls} tool calls`,
    `- ${inputTotal(usage)} tokens in, ${usage.output} out, $${state.costUsd.toFixed(4)}`,
    ...(lastResult && !run ? resultLines(lastResult) : []),
  ];
  return lines.join('\n');
}

function resultLines({ status, report, answer }: RunResult): string[] {
  const evidence = report
    ? [`- report: ${report.verifiedQuotes}/${report.quotes} quotes found, the agent's grade: ${report.grade}`]
    : [];
  return [`- result: **${status}**`, ...evidence, '', answer.slice(0, shownAnswer)];
}
