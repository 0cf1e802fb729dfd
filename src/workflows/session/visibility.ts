// The session in the Temporal UI: details in Markdown, a few search attributes. Derived from state. Runs in the
// workflow. No user text or secret in search attributes, which are never encrypted.
import { setCurrentDetails, upsertMemo, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { Child } from '@holdfast/vocabulary/children';
import { hypothesisLine } from '../../core/agent/hypotheses/hypotheses-text.ts';
import { progressLine } from '../../core/agent/plan/plan-text.ts';
import type { WaitingFor } from '@holdfast/vocabulary/events';
import { keysOf } from '@holdfast/base/keys';
import { counted, describeCost, roundUsd } from '@holdfast/base/words';
import { costUnknownOf, isUnpriced } from '@holdfast/vocabulary/frozen-context';
import { toModelName } from '@holdfast/vocabulary/model-name';
import { estimateInputTokens } from '@holdfast/view/estimate';
import { inputTotal, totalUsage } from '@holdfast/vocabulary/messages';
import { describeModes, modesNow } from '../../core/tools/modes.ts';
import { describeOutcome } from '@holdfast/vocabulary/call-outcome';
import { noReport, toOutcomeText, type Change, type RunResult } from '@holdfast/vocabulary/run-result';
import { describeAdjusted, describeGrade } from '@holdfast/report/marks';
import { endSentence } from '@holdfast/report/describe-end';
import { lastWordsText } from '@holdfast/report/last-words';
import { codeSpan, plainLine, plainLines } from '@holdfast/base/plain-markdown';
import { markLines, toReadable } from '@holdfast/base/visible';
import {
  searchAttributeTypes,
  waitingMemo,
  type SearchAttributeName,
} from '@holdfast/vocabulary/outer-names';
import { toWaitingNote } from '../../core/session/snapshot-of.ts';
import { allowanceLines, approvalLines, childrenLines, parentLine, questionLines } from './details.ts';
import type { Session } from '../../core/session/session.ts';
import { cutText } from '@holdfast/base/cut-text';
import { present } from '@holdfast/base/present';

/** If only turns have changed, the details are updated at most this often, in ms of workflow time. */
const detailsEveryMs = 2_000;
/** Characters of the answer in the details. */
const shownAnswer = 2_000;

type AgentStatus = 'running' | 'waiting' | 'idle' | 'ended';

export class Visibility {
  readonly #session: Session;
  #shown = '';
  #asked = '';
  #turns = 0;
  #detailsAt = 0;
  #children: readonly Child[] | undefined;
  /** Marks of the items in the memo. */
  #noted: string;
  #noting = false;
  #hasTask = false;
  /** Result of the session, once it has ended. */
  #result: RunResult | undefined;

  constructor(session: Session) {
    this.#session = session;
    // set by an earlier execution
    this.#noted = workflowInfo().memo?.[waitingMemo] ? 'before' : '';
  }

  /**
   * Cheap: called after every change. Writes attributes only if status or waiting-for changes. Writes the details also
   * if approvals, questions, changes, allowances or subagents change, and with a turn's end at most every two seconds.
   */
  update(): void {
    const { state, waitingFor, turns } = this.#session;
    const marks = this.#session.waitMarks;
    this.#showTask();
    this.#noteWaiting(marks);
    // the registered attributes are known with the context; the details cost nothing
    if (!state.context) return this.#showDetails();
    const status = this.#status(waitingFor);
    const shown = `${status}/${waitingFor ?? ''}`;
    const asked = askedOf(this.#session, marks);
    const { children } = state;
    const isSame = shown === this.#shown && asked === this.#asked && children === this.#children;
    const isRecent = turns === this.#turns || this.#session.now() < this.#detailsAt + detailsEveryMs;
    if (isSame && isRecent) return;
    if (shown !== this.#shown) this.#upsert(status, waitingFor);
    this.#shown = shown;
    this.#asked = asked;
    this.#children = children;
    this.#showDetails();
  }

  end(result: RunResult): void {
    this.#result = result;
    this.update();
  }

  /** For the UI's header: a static summary does not survive continue-as-new, the memo does. */
  #showTask(): void {
    const { task } = this.#session.state;
    if (this.#hasTask || task === '') return;
    this.#hasTask = true;
    if (workflowInfo().memo?.['task'] === undefined) upsertMemo({ task });
  }

  /** For lists over many sessions, which then need no worker. Written once for all changes of one moment. */
  #noteWaiting(marks: string): void {
    if (marks === this.#noted) return;
    const isNoting = this.#noting;
    [this.#noted, this.#noting] = [marks, true];
    if (isNoting) return;
    void Promise.resolve().then(() => {
      this.#noting = false;
      upsertMemo({ [waitingMemo]: toWaitingNote(this.#session) });
    });
  }

  #showDetails(): void {
    this.#turns = this.#session.turns;
    this.#detailsAt = this.#session.now();
    setCurrentDetails(detailsOf(this.#session, this.#status(this.#session.waitingFor)));
  }

  #status(waitingFor: WaitingFor | undefined): AgentStatus {
    if (this.#result) return 'ended';
    if (waitingFor !== undefined && waitingFor !== 'prompt') return 'waiting';
    return this.#session.busy ? 'running' : 'idle';
  }

  #upsert(status: AgentStatus, waitingFor: WaitingFor | undefined): void {
    const { context, run, lastResult, costUsd } = this.#session.state;
    if (!context) return;
    const result = this.#result ?? lastResult;
    const values: Record<SearchAttributeName, string | number | undefined> = {
      AgentStatus: status,
      AgentName: context.agent,
      Model: toModelName(context.model),
      WaitingFor: waitingFor ?? 'nothing',
      Turns: run?.turn ?? lastResult?.turns ?? 0,
      // 0 would be a cost; without a price it is unknown
      CostUsd: isUnpriced(context) ? undefined : roundUsd(costUsd),
      Outcome: result && toOutcomeText(result),
    };
    const pairs = attributeNames
      // an unregistered name would make the server refuse the task forever
      .filter((name) => context.searchAttributes.includes(name))
      .flatMap((name) => toPairs(name, values[name]));
    if (pairs.length > 0) upsertSearchAttributes(pairs);
  }
}

function askedOf({ state, approvals, waitingReason, unread }: Session, marks: string): string {
  const allowances = approvals.allowances.held.map(({ id }) => id);
  return [state.run?.changes?.length, waitingReason, unread, marks, ...allowances].join(' ');
}

type Pair = Extract<Parameters<typeof upsertSearchAttributes>[0], readonly unknown[]>[number];

const attributeNames = keysOf(searchAttributeTypes);
const wireTypes = { Keyword: 'KEYWORD', Int: 'INT', Double: 'DOUBLE' } as const;

/** The one place where a name gets its type: both come from one table. */
function toPairs(name: SearchAttributeName, value: string | number | undefined): Pair[] {
  if (value === undefined) return [];
  return [{ key: { name, type: wireTypes[searchAttributeTypes[name]] }, value } as Pair];
}

/** One line for a model call in the UI's timeline. */
export function modelSummary(session: Session): string {
  const { state } = session;
  const tokens = estimateInputTokens(state);
  const size = tokens < 1_000 ? `~${tokens}` : `~${Math.round(tokens / 1_000)}k`;
  const model = state.context ? toModelName(state.context.model) : '';
  return `turn ${state.run?.turn ?? 0} · ${model} · ${size} tokens`;
}

/** The panel of the UI clips, so items for people come first. */
function detailsOf(session: Session, status: AgentStatus): string {
  const { state, approvals, allApprovals, allQuestions, operatorReason, waitingFor, childWaits, unread } =
    session;
  const { run, lastResult, context, children = [] } = state;
  const { namespace } = workflowInfo();
  const usage = totalUsage(state.usage);
  const turn = run?.turn ?? lastResult?.turns ?? 0;
  const lines = present([
    `**${status}${waitingFor === undefined ? '' : ` for ${waitingFor}`}** · turn ${turn}`,
    '',
    ...approvalLines(allApprovals, session.id),
    ...questionLines(allQuestions),
    operatorReason !== undefined && `- waits for an **operator**: ${plainLine(operatorReason)}`,
    unread !== undefined && `- ${plainLine(unread)}`,
    ...[...session.lacks].map(({ lack }) => `- waits for a **worker**: ${plainLine(lack)}`),
    ...childrenLines(children, (id) => childWaits.ofChild(id), namespace),
    `- ${describeCost({ ...state, ...costUnknownOf(context) })}, ${inputTotal(usage)} tokens in, ${usage.output} out`,
    '',
    plainLines(state.task),
    '',
    ...parentLine(session.input.parent, namespace),
    `- agent ${context?.agent ?? ''}, model ${context ? toModelName(context.model) : ''}${context ? `, ${describeModes(modesNow(state))}` : ''}`,
    `- ${counted(state.toolCalls, 'tool call')}, state ${state.status}`,
    ...allowanceLines(approvals.allowances.held),
    ...changeLines((run ?? lastResult)?.changes),
    state.plan && `- plan ${plainLine(progressLine(state.plan.steps))}`,
    ...(state.hypotheses ?? []).map((one) => `- hypothesis ${plainLine(hypothesisLine(one))}`),
    ...(lastResult && !run ? resultLines(lastResult) : []),
  ]);
  return lines.join('\n');
}

const shownChanges = 5;

/** The newest changes: the first question about a stopped run is their outcome. */
function changeLines(changes: readonly Change[] = []): string[] {
  return changes
    .slice(-shownChanges)
    .map(
      ({ call, outcome, why }) =>
        `- change **${plainLine(describeOutcome(outcome, why))}**: ${codeSpan(call)}`,
    );
}

function resultLines(result: RunResult): string[] {
  const { cause, report, answer, answerCut, lastWords } = result;
  const words = cause === noReport || answerCut ? `: ${endSentence(result)}` : '';
  const evidence = report?.byCode
    ? ['- report: made by Holdfast, the agent has handed in none']
    : report
      ? [
          `- report: ${report.verifiedQuotes}/${report.quotes} quotes found${describeAdjusted(report)}, grade ${describeGrade(report)}`,
        ]
      : [];
  return [
    `- result: **${toOutcomeText(result)}**${words}`,
    ...evidence,
    '',
    ...(lastWords === undefined
      ? [quoted(answer)]
      : [
          plainLine(answer),
          '',
          lastWordsText({ ...result, lastWords: cutText(lastWords, shownAnswer, '') }),
        ]),
  ];
}

function quoted(words: string): string {
  return markLines(cutText(toReadable(words), shownAnswer, ''), '> ');
}
