// A run and its turns as the state has them: accepted, begun, ended; what enters them from outside. Pure.
import type { RunEnd, RunState, AgentState } from '../model/agent-state.ts';
import { cutText, cutToBytes } from '../base/cut-text.ts';
import type { Fact } from './facts.ts';
import { runErrorCode } from '../base/failures.ts';
import type { Failure, RunErrorCode } from '../base/failures.ts';
import { costUnknownOf } from '../model/frozen-context.ts';
import { spentOf } from './limits.ts';
import { textOf, totalUsage } from '../model/messages.ts';
import type { Preface, PromptMessage, LogRecord } from '../model/messages.ts';
import { outputFailure } from '../agent/output-text.ts';
import { outputOf } from './output.ts';
import { keepsGroups, withSessionView } from './reduce-context.ts';
import { planResultOf } from './reduce-plan.ts';
import { heldOutputOf, runResultOf } from './run-outcome.ts';
import type { RunOutput, RunResult, Thoughts } from '../model/run-result.ts';
import { eventTextBytes, taskBytes } from '../base/sizes.ts';
import { newestThoughts } from './thoughts.ts';
import { leaveChildren } from './reduce-children.ts';
import { append, isAborting, move, runOf, updateRun, warn } from './draft.ts';
import type { Draft } from './draft.ts';
import { finishBatch } from './reduce-tools.ts';

type RunAccepted = Extract<Fact, { type: 'run_accepted' }>;

/** A run that was stopped stays stopped: what a hook finds wrong with it is said, and changes nothing. */
export function replaceEnd(draft: Draft, end: RunEnd): void {
  if (isAborting(draft)) return warn(draft, end.error?.code ?? 'Run.HookFailed', end.error?.message ?? '');
  updateRun(draft, () => ({ end }));
}

const backFor = {
  report: { code: 'Report.Missing', flag: { reportAsked: true } },
  output: { code: 'Output.Invalid', flag: { outputAsked: true } },
} as const;

type SentBack = Extract<Fact, { type: 'answer_sent_back' }>;

export function sendBack(draft: Draft, { lacks, message, faults }: SentBack): void {
  const { code, flag } = backFor[lacks];
  warn(draft, code, `The answer was sent back: ${faults.join('; ')}.`);
  updateRun(draft, (run) => ({ pending: [...run.pending, message], ...flag }));
}

/** Something new is asked for: a report that was final is not the end any more, and calls that failed before are over. */
export function reopen(draft: Draft): void {
  const { reportFinal: _, failedTurns: __, ...run } = runOf(draft);
  draft.state = { ...draft.state, run };
}

/** In a turn that waits for the model it is part of what is asked; else it comes with the next turn. */
export function inject(draft: Draft, message: PromptMessage): void {
  reopen(draft);
  if (runOf(draft).cursor === 'ready') return append(draft, message);
  updateRun(draft, (run) => ({ pending: [...run.pending, message] }));
}

export function acceptRun(draft: Draft, { messages: prompts, polled, continued }: RunAccepted): void {
  const runs = draft.state.runs + 1;
  const run: RunState = {
    runId: `run-${runs}`,
    startedAt: draft.now,
    task: taskOf(continued ? (draft.state.lastTask ?? '') : '', prompts),
    firstSeq: draft.state.log.nextSeq,
    cursor: 'boundary',
    turn: 0,
    turnOpen: false,
    pending: prompts,
    polled,
    responses: 0,
    batch: [],
    wantsReply: true,
    terminated: false,
    usage: {},
    costUsd: 0,
    toolCalls: 0,
    condenses: 0,
    loop: [],
    warnedRepeats: 0,
    denied: [],
    settings: draft.state.settings ?? {},
  };
  const { errorMessage: _, context, loadedGroups, budgetAdded, budgetSpent, plan, ...rest } = draft.state;
  const first = prompts.find((message) => message.role === 'user');
  const task = rest.task || (first ? cutText(textOf(first), 200, '') : '');
  // continued work keeps its budget, a new task has one of its own
  const before = continued && budgetSpent ? { before: budgetSpent } : {};
  draft.state = {
    ...rest,
    task,
    runs,
    run: { ...run, ...before },
    ...(continued && budgetAdded ? { budgetAdded } : {}),
    ...(plan ? { plan: continued ? { ...plan, runId: run.runId } : plan } : {}),
    ...(loadedGroups && keepsGroups(context) ? { loadedGroups } : {}),
  };
  move(draft, 'thinking');
  draft.events.push({ type: 'agent_start' });
}

/** Before the run's first turn its prompt is pending. */
export function preface(draft: Draft, parts: Preface[]): void {
  updateRun(draft, ({ pending }) => {
    const first = pending.findIndex(({ role }) => role === 'user');
    return {
      pending: pending.map((message, index) =>
        index === first && message.role === 'user' ? { ...message, preface: parts } : message,
      ),
    };
  });
}

export function drain(draft: Draft, queue: 'steering' | 'followUp', messages: PromptMessage[]): void {
  reopen(draft);
  const fresh = draft.state.context?.settings.queues.followUpBudget !== 'shared';
  updateRun(draft, (run) => ({
    pending: [...run.pending, ...messages],
    ...(queue === 'followUp' ? { task: taskOf(run.task, messages) } : {}),
    polled: run.polled || queue === 'steering',
    // to do the same again may be what they ask for
    ...(run.trail ? { trail: [] } : {}),
    // a follow-up is a new piece of work: it gets the run's allowance afresh (QUEUE-05)
    ...(queue === 'followUp' && fresh ? { responses: 0, condenses: 0 } : {}),
  }));
  if (queue === 'followUp') forgetOutput(draft);
}

/** The answer to the next task is another one. */
function forgetOutput(draft: Draft): void {
  const { output: _, outputAsked: __, ...run } = runOf(draft);
  draft.state = { ...draft.state, run };
}

/** The words of the task so far, and what a follow-up adds to them; our own words are no task. */
function taskOf(before: string, messages: readonly PromptMessage[]): string {
  const given = messages.filter((message) => message.role === 'custom' || message.origin !== 'injected');
  return cutToBytes([before, ...given.map(textOf)].filter(Boolean).join('\n\n'), taskBytes);
}

export function startTurn(draft: Draft): void {
  const pending = runOf(draft).pending;
  updateRun(draft, (run) => ({
    turn: run.turn + 1,
    turnOpen: true,
    cursor: 'ready',
    pending: [],
    batch: [],
  }));
  if (!isAborting(draft)) move(draft, 'thinking');
  draft.events.push({ type: 'turn_start' });
  for (const message of pending) append(draft, message);
}

export function endTurn(draft: Draft): void {
  const { state } = draft;
  const run = runOf(draft);
  const ofTurn = state.log.records.filter((record) => record.runId === run.runId && record.turn === run.turn);
  const message = ofTurn.findLast((record) => record.role === 'assistant');
  draft.events.push({
    type: 'turn_end',
    ...(message ? { messageSeq: message.seq } : {}),
    // results of this message: an aborted one that closes a batch has none (EVENT-03)
    toolResultSeqs: ofTurn
      .filter((record) => record.role === 'tool_result' && record.seq > (message?.seq ?? 0))
      .map((record) => record.seq),
  });
  updateRun(draft, () => ({ cursor: 'boundary', turnOpen: false, polled: false, batch: [] }));
}

/** `output` where the state no longer holds the whole run. */
export function endRun(draft: Draft, output?: RunOutput): void {
  const run = runOf(draft);
  const end = run.end ?? { status: 'completed', cause: 'answer' };
  if (end.status === 'failed') move(draft, 'error');
  const given = output ?? heldOutputOf(draft.state, run);
  // an older worker gives the messages as well, which are in the history once already
  const answer = { ...given, newMessages: withoutText(given.newMessages) };
  const result = {
    ...runResultOf(run, end, { ...answer, ...outputOf(draft.state, run) }, draft.now),
    ...planResultOf(draft.state, run),
    ...costUnknownOf(draft.state.context),
  };
  if (run.final && run.output && run.output.faults.length > 0)
    warn(draft, 'Output.Invalid', outputFailure(run.output.faults, false));
  draft.events.push({
    type: 'agent_end',
    status: end.status,
    ...(end.cause ? { cause: end.cause } : {}),
    newMessages: result.newMessages,
    usage: totalUsage(run.usage),
    costUsd: run.costUsd,
    ...costUnknownOf(draft.state.context),
    thoughts: shortThoughts(result),
    ...errorOf(end),
  });
  const agentEnd = draft.events.pop();
  // agent_end is always the last event of a run, so the move to idle comes before it (EVENT-04)
  move(draft, 'idle');
  if (agentEnd) draft.events.push(agentEnd);
  const { run: _, budgetSpent: __, ...rest } = withSessionView(draft.state);
  draft.state = {
    ...{ ...rest, budgetSpent: spentOf(run, draft.now), lastResult: result, lastTask: run.task },
    ...(run.report && !run.report.byCode ? { reported: true } : {}),
  };
}

function shortThoughts({ thoughts: { items, truncated, fromSeq, toSeq } }: RunResult): Thoughts {
  return newestThoughts(items, eventTextBytes, { fromSeq, toSeq, complete: !truncated });
}

function errorOf({ error }: RunEnd): { error?: Failure; errorCode?: RunErrorCode } {
  const errorCode = error && runErrorCode(error);
  return { ...(error ? { error } : {}), ...(errorCode ? { errorCode } : {}) };
}

function withoutText(range: { fromSeq: number; toSeq: number }): { fromSeq: number; toSeq: number } {
  return { fromSeq: range.fromSeq, toSeq: range.toSeq };
}

/** Its events begin here: a run that continues is announced as one that begins. */
export function importState(draft: Draft, state: AgentState): void {
  const { run, children } = state;
  draft.state = {
    ...state,
    ...(children ? { children: leaveChildren(children) } : {}),
    ...{ sessionId: draft.state.sessionId, status: 'idle' },
  };
  if (!run) return;
  move(draft, 'thinking');
  draft.events.push({ type: 'agent_start' });
  if (run.turnOpen) draft.events.push({ type: 'turn_start' });
  if (isAnsweredButNotLogged(run, state.log.records)) finishBatch(draft);
}

/** Left between the last answer and the log. */
function isAnsweredButNotLogged({ batch, cursor }: RunState, records: LogRecord[]): boolean {
  if (cursor !== 'answered' || batch.length === 0) return false;
  return batch.every(({ answer }) => answer) && records.at(-1)?.role === 'assistant';
}
