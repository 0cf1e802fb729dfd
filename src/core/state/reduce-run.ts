// A run and its turns in the state: accepted, begun, ended, and the messages that enter from outside. Pure.
import { omit } from '@holdfast/base/omit';
import { defined } from '@holdfast/base/defined';
import type { RunEnd, RunState } from '@holdfast/vocabulary/agent-state';
import { cutToBytes, cutWords } from '@holdfast/base/cut-text';
import { type Failure, type RunErrorCode, runErrorCode } from '@holdfast/base/failures';
import { costUnknownOf } from '@holdfast/vocabulary/frozen-context';
import { addBudget, toSpent, stoppedEnd } from './limits.ts';
import {
  type LogRecord,
  type PromptMessage,
  describedText,
  isOfPerson,
  textOf,
  totalUsage,
} from '@holdfast/vocabulary/messages';
import { answerCutSentence } from '@holdfast/report/describe-end';
import { outputFailure } from '../agent/output-text.ts';
import { parseRunOutput } from './output.ts';
import { keepsGroups, withSessionView } from './reduce-context.ts';
import { planResultOf } from './reduce-plan.ts';
import { endsWithReport } from './report.ts';
import { heldOutputOf, markCut, runResultOf } from './run-outcome.ts';
import { noReport, type RunResult, type Thoughts } from '@holdfast/vocabulary/run-result';
import { eventTextBytes, taskBytes } from '@holdfast/base/sizes';
import { newestThoughts } from './thoughts.ts';
import { leaveChildren } from './reduce-children.ts';
import {
  type Draft,
  type Reducers,
  append,
  addPending,
  isAborting,
  move,
  runOf,
  updateRun,
  warn,
} from './draft.ts';
import { finishBatch } from './reduce-tools.ts';

/** The facts about a run, its turns and the messages that enter from outside. */
export const runReducers = {
  /** A continued run is announced like a new one, because the events start here. */
  imported(draft, { state }) {
    const { run, children } = state;
    const { sessionId, settings, budgetAdded } = draft.state;
    draft.state = {
      ...state,
      // what was sent meanwhile holds
      ...defined({
        settings: settings && { ...state.settings, ...settings },
        budgetAdded: budgetAdded && addBudget(state.budgetAdded ?? {}, budgetAdded),
        children: children && leaveChildren(children),
      }),
      sessionId,
      status: 'idle',
    };
    if (!run) return;
    move(draft, 'thinking');
    draft.events.push({ type: 'agent_start' });
    if (run.turnOpen) draft.events.push({ type: 'turn_start' });
    if (isAnsweredButNotLogged(run, state.log.records)) finishBatch(draft);
  },
  run_accepted(draft, { messages: prompts, polled, continued }) {
    const runs = draft.state.runs + 1;
    const { errorMessage: _, context, loadedGroups, budgetAdded, budgetSpent, plan, ...rest } = draft.state;
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
      ...defined({
        heardAt: hasPerson(prompts) ? draft.now : undefined,
        // continued work keeps its budget, a new task gets its own
        before: continued ? budgetSpent : undefined,
      }),
    };
    const first = prompts.find((message) => message.role === 'user');
    const task = first && !(continued && rest.task) ? cutWords(textOf(first), 200) : rest.task;
    draft.state = {
      ...rest,
      task,
      runs,
      run,
      ...defined({
        budgetAdded: continued ? budgetAdded : undefined,
        plan: plan && (continued ? { ...plan, runId: run.runId } : plan),
        loadedGroups: keepsGroups(context) ? loadedGroups : undefined,
      }),
    };
    move(draft, 'thinking');
    draft.events.push({ type: 'agent_start' });
  },
  /** Puts the preface in front of the run's pending prompt. */
  prefaced(draft, { preface: parts }) {
    if (parts.some(({ kind }) => kind === 'place')) draft.state = { ...draft.state, toldAt: draft.now };
    updateRun(draft, ({ pending }) => {
      const first = pending.findIndex(({ role }) => role === 'user');
      return {
        pending: pending.map((message, index) =>
          index === first && message.role === 'user' ? { ...message, preface: parts } : message,
        ),
      };
    });
  },
  messages_drained(draft, { queue, messages }) {
    for (const message of messages) inject(draft, message);
    const fresh = draft.state.context?.settings.queues.followUpBudget !== 'shared';
    updateRun(draft, (run) => ({
      ...(queue === 'followUp' ? { task: taskOf(run.task, messages) } : {}),
      polled: run.polled || queue === 'steering',
      // the messages may ask for the same work again
      ...defined({ trail: run.trail && [] }),
      // a follow-up is new work: it gets the full allowance again (QUEUE-05)
      ...(queue === 'followUp' && fresh ? { responses: 0, condenses: 0 } : {}),
    }));
    if (queue === 'followUp') forgetOutput(draft);
    if (hasPerson(messages)) hearPerson(draft);
  },
  turn_started(draft) {
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
  },
  turn_ended(draft) {
    const { state } = draft;
    const run = runOf(draft);
    const ofTurn = state.log.records.filter(
      (record) => record.runId === run.runId && record.turn === run.turn,
    );
    const message = ofTurn.findLast((record) => record.role === 'assistant');
    draft.events.push({
      type: 'turn_end',
      ...defined({ messageSeq: message?.seq }),
      // results of this message: an aborted one that closes a batch has none (EVENT-03)
      toolResultSeqs: ofTurn
        .filter((record) => record.role === 'tool_result' && record.seq > (message?.seq ?? 0))
        .map((record) => record.seq),
    });
    updateRun(draft, () => ({ cursor: 'boundary', turnOpen: false, polled: false, batch: [] }));
  },
  injected: (draft, { message }) => inject(draft, message),
  person_heard: hearPerson,
  plan_reminded(draft, { message }) {
    reopen(draft);
    addPending(draft, message, { planReminded: true });
  },
  answer_sent_back(draft, { lacks, message, faults }) {
    const { code, flag } = backFor[lacks];
    warn(draft, code, `The answer was sent back: ${faults.join('; ')}.`);
    addPending(draft, message, flag);
  },
  ending(draft, { end }) {
    if (end.status === 'aborted' || end.status === 'timed_out') move(draft, 'aborting');
    const endOf = (run: RunState) => (isAborting(draft) ? stoppedEnd(run) : end);
    updateRun(draft, (run) => ({ end: run.end ?? markCut(draft.state, run, endOf(run)) }));
  },
  /** A run that was stopped stays stopped: a failing hook then only adds a warning. */
  end_replaced(draft, { end }) {
    if (isAborting(draft)) return warn(draft, end.error?.code ?? 'Run.HookFailed', end.error?.message ?? '');
    updateRun(draft, () => ({ end }));
  },
  /** An ended run continues: what ended it no longer counts. */
  run_reopened(draft, { message }) {
    reopen(draft);
    // a hook's answer that was sent back is not given again: the model is asked
    const run = omit(runOf(draft), 'end', 'completion', 'given');
    draft.state = { ...draft.state, run };
    addPending(draft, message, { terminated: false, retried: (run.retried ?? 0) + 1 });
  },
  /** `output` is given if the state no longer holds the whole run. */
  run_ended(draft, { output }) {
    const run = runOf(draft);
    const end = run.end ?? { status: 'completed', cause: 'answer' };
    if (end.status === 'failed') move(draft, 'error');
    const given = output ?? heldOutputOf(draft.state, run);
    const result = {
      ...runResultOf(
        run,
        end,
        { ...given, ...parseRunOutput(draft.state, run) },
        { now: draft.now, owed: endsWithReport(draft.state) || end.cause === noReport },
      ),
      ...planResultOf(draft.state, run),
      ...costUnknownOf(draft.state.context),
    };
    if (end.answerCut) warn(draft, 'Answer.Cut', answerCutSentence);
    if (run.final && run.output && run.output.faults.length > 0)
      warn(draft, 'Output.Invalid', outputFailure(run.output.faults, false));
    draft.events.push({
      type: 'agent_end',
      status: end.status,
      ...defined({ cause: end.cause || undefined }),
      newMessages: result.newMessages,
      usage: totalUsage(run.usage),
      costUsd: run.costUsd,
      ...costUnknownOf(draft.state.context),
      ...defined({ answerCut: end.answerCut }),
      thoughts: shortThoughts(result),
      ...errorOf(end),
    });
    const agentEnd = draft.events.pop();
    // agent_end is always the last event of a run, so the move to idle comes before it (EVENT-04)
    move(draft, 'idle');
    if (agentEnd) draft.events.push(agentEnd);
    draft.state = {
      ...omit(withSessionView(draft.state), 'run', 'budgetSpent'),
      budgetSpent: toSpent(run, draft.now),
      lastResult: result,
      lastTask: run.task,
      ...(run.report && !run.report.byCode ? { reported: true } : {}),
    };
  },
} satisfies Partial<Reducers>;

const backFor = {
  report: { code: 'Report.Missing', flag: { reportAsked: true } },
  output: { code: 'Output.Invalid', flag: { outputAsked: true } },
} as const;

/** Called when new work is requested: a final report no longer ends the run, and earlier failed turns are forgotten. */
function reopen(draft: Draft): void {
  draft.state = { ...draft.state, run: omit(runOf(draft), 'reportFinal', 'failedTurns', 'recentTurns') };
}

/** In a turn that has not sent its request, the message is part of that request; else it comes with the next turn. */
function inject(draft: Draft, message: PromptMessage): void {
  reopen(draft);
  if (runOf(draft).cursor === 'ready') return append(draft, message);
  addPending(draft, message);
}

function hasPerson(messages: PromptMessage[]): boolean {
  return messages.some((message) => message.role === 'user' && isOfPerson(message));
}

/** A person has said something: calls that people denied, or left without an answer, may be asked again (MODE-06). */
function hearPerson(draft: Draft): void {
  updateRun(draft, ({ denied }) => ({
    heardAt: draft.now,
    denied: denied.map((call) => (call.why === undefined ? call : { ...call, heard: true })),
  }));
}

/** The next task needs another answer. */
function forgetOutput(draft: Draft): void {
  draft.state = { ...draft.state, run: omit(runOf(draft), 'output', 'outputAsked') };
}

/** The words of the task so far plus those of a follow-up; injected messages are no task. */
function taskOf(before: string, messages: readonly PromptMessage[]): string {
  const given = messages.filter((message) => message.role === 'custom' || message.origin !== 'injected');
  return cutToBytes([before, ...given.map(describedText)].filter(Boolean).join('\n\n'), taskBytes);
}

function shortThoughts({ thoughts: { items, truncated, fromSeq, toSeq } }: RunResult): Thoughts {
  return newestThoughts(items, eventTextBytes, { fromSeq, toSeq, complete: !truncated });
}

function errorOf({ error }: RunEnd): { error?: Failure; errorCode?: RunErrorCode } {
  const errorCode = error && runErrorCode(error);
  return defined({ error, errorCode: errorCode || undefined });
}

/** True if the run was left between its last answer and the log entry. */
function isAnsweredButNotLogged({ batch, cursor }: RunState, records: LogRecord[]): boolean {
  if (cursor !== 'answered' || batch.length === 0) return false;
  return batch.every(({ answer }) => answer) && records.at(-1)?.role === 'assistant';
}
