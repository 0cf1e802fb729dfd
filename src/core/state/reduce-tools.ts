// The effect of a batch of tool calls on the state: started, answered, entered into the log in order. Pure.
import { defined } from '@holdfast/base/defined';
import { hash32 } from '@holdfast/base/hash32';
import { type Json, parseJson } from '@holdfast/base/json';
import { withEntry } from './circles.ts';
import { loopKey, remember, rememberTurn, repeats } from './loop-guard.ts';
import { decideOutcome, whyOf } from '@holdfast/vocabulary/call-outcome';
import { type CallTimes, type ToolCallPart, textOf } from '@holdfast/vocabulary/messages';
import type { Change } from '@holdfast/vocabulary/run-result';
import { cutText, cutToBytes } from '@holdfast/base/cut-text';
import { toVisibleLine } from '@holdfast/base/visible';
import { eventResultBytes, eventTextBytes, jsonBytes, utf8Bytes } from '@holdfast/base/sizes';
import { ownBooks } from '@holdfast/vocabulary/own-books';
import { isStricter } from '@holdfast/vocabulary/tool-spec';
import { shortArtifactId, withCall } from '@holdfast/view/call-index';
import { forgetResults } from './reduce-children.ts';
import { endsWithReport, isPastReport } from './report.ts';
import { type Draft, type Reducers, append, pay, runOf, updateCall, updateRun } from './draft.ts';
import type {
  AgentState,
  BatchCall,
  DeniedCall,
  IndexedCall,
  ToolAnswer,
} from '@holdfast/vocabulary/agent-state';

/** The facts about tool calls. */
export const toolReducers = {
  /** Adds the hosts' facts about their calls; a host's verdict can only make the earlier one stricter. */
  calls_inspected(draft, { verdicts, unreachable }) {
    for (const [index, { call, prepared }] of runOf(draft).batch.entries()) {
      const lost = unreachable.find(({ callId }) => callId === call.callId);
      if (lost) updateCall(draft, index, { prepared: { status: 'rejected', ...lost } });
      const verdict = verdicts.find(({ callId }) => callId === call.callId);
      if (lost || verdict === undefined || prepared.status !== 'ready') continue;
      const { decision, reason, ...facts } = verdict;
      const said = isStricter(verdict, prepared) ? defined({ decision, reason }) : {};
      updateCall(draft, index, { prepared: { ...prepared, ...facts, ...said }, inspected: true });
    }
  },
  /** A verdict of the tiers can only make that of the rules stricter. */
  policy_evaluated(draft, { verdicts, usage, costUsd = 0 }) {
    for (const [index, { call, prepared }] of runOf(draft).batch.entries()) {
      const verdict = verdicts.find(({ callId }) => callId === call.callId);
      if (verdict === undefined || prepared.status !== 'ready') continue;
      const { decision, reason, tier } = verdict;
      const said = reason === undefined ? {} : { reason };
      const changed = isStricter(verdict, prepared) ? { ...prepared, decision, ...said } : prepared;
      updateCall(draft, index, { prepared: changed, evaluated: true });
      const { callId, name: tool } = call;
      draft.events.push({ type: 'policy_decision', callId, tool, decision, tier, ...said });
    }
    if (usage) pay(draft, usage, costUsd, 'policy');
  },
  tool_started(draft, { index }) {
    const { call, prepared } = updateCall(draft, index, { started: true, begunAt: draft.now });
    draft.events.push({
      type: 'tool_execution_start',
      callId: call.callId,
      tool: call.name,
      rawArgs: cutToBytes(call.arguments, eventTextBytes),
      ...(prepared.status === 'ready'
        ? { ...validArguments(call, prepared.args), summary: prepared.summary }
        : {}),
    });
  },
  once_begun(draft, { key }) {
    const { [key]: before = 0, ...others } = draft.state.begunOnce ?? {};
    const kept = Object.entries(others).slice(1 - keptOnceCalls);
    draft.state = { ...draft.state, begunOnce: { ...Object.fromEntries(kept), [key]: before + 1 } };
  },
  tool_answered(draft, fact) {
    const { index, answer } = fact;
    const decided = fact.decided && { at: draft.now, ...fact.decided };
    const answered = updateCall(draft, index, defined({ answer, decided }));
    const ran = timesOf(answered, answer, draft.now);
    const entry = updateCall(draft, index, { ran });
    const change = changeOf(entry, answer);
    const counted = entry.overBudget ? 0 : 1;
    const key = deniedKey(entry);
    updateRun(draft, (run) => ({
      toolCalls: run.toolCalls + counted,
      denied: [
        ...run.denied.filter((call) => call.key !== key || !(fact.denied ?? fact.decided?.approved)),
        ...(fact.denied ? [{ key, ...fact.denied }] : []),
      ].slice(-keptDenied),
      ...(change ? { changes: [...(run.changes ?? []), change].slice(-keptChanges) } : {}),
      ...defined({ report: answer.report }),
      ...(answer.reportIsFinal && endsWithReport(draft.state)
        ? { reportFinal: { responses: run.responses } }
        : {}),
      ...(answer.sensitivity ? { tags: [...new Set([...(run.tags ?? []), ...answer.sensitivity])] } : {}),
    }));
    draft.state = { ...draft.state, toolCalls: draft.state.toolCalls + counted };
    forgetResults(draft, entry.call.callId);
    const text = textOf(answer.message);
    const size = sizeOf(text);
    draft.events.push({
      type: 'tool_execution_end',
      callId: entry.call.callId,
      tool: entry.call.name,
      isError: answer.message.isError,
      text: cutToBytes(text, eventResultBytes),
      ...defined({ size, details: answer.message.details, outcome: change?.outcome, why: change?.why }),
      ran,
    });
  },
  batch_finished: finishBatch,
} satisfies Partial<Reducers>;

/** They travel at every hand-over, so that their number has a limit. */
const keptOnceCalls = 500;

/** The arguments of the call, if small enough for an event. Preparation has parsed or replaced the text. */
function validArguments(call: ToolCallPart, args: Json | undefined): { args?: Json } {
  const value = args ?? parseJson(call.arguments);
  return value === undefined || jsonBytes(value) > eventTextBytes ? {} : { args: value };
}

/** Undefined for a result of one line. */
function sizeOf(text: string): { lines: number; bytes: number } | undefined {
  const lines = text.trimEnd().split('\n').length;
  return lines > 1 ? { lines, bytes: utf8Bytes(text) } : undefined;
}

const keptChanges = 20;
const keptDenied = 40;

/** Undefined for a read that was not refused, and for a call with invalid arguments. */
function changeOf({ call, prepared, decided }: BatchCall, answer: ToolAnswer): Change | undefined {
  const isChange = prepared.status === 'ready' ? prepared.effect !== 'read' : prepared.unknownTool === true;
  // a tool that reads may refuse a call that would do more
  const refusedItself = answer.outcome === 'refused' && answer.digest !== undefined;
  if (!isChange && decided === undefined && !refusedItself) return undefined;
  const outcome = decideOutcome(answer);
  const why = whyOf(outcome, answer.message);
  return {
    callId: call.callId,
    call: prepared.status === 'ready' ? prepared.summary : toVisibleLine(cutText(call.name, 100)),
    outcome,
    ...defined({ why }),
  };
}

/** Shorter waits are not caused by people. */
const leastWaitMs = 1_000;

/**
 * The worker's times, kept within what the workflow has seen, because two machines' clocks differ. A call that did not
 * run took no time.
 */
function timesOf({ begunAt, decided }: BatchCall, answer: ToolAnswer, now: number): CallTimes {
  const since = begunAt ?? now;
  const mayRunAt = decided?.approved ? Math.max(decided.at, since) : since;
  const to = answer.ran ? Math.min(Math.max(answer.ran.endedAt, mayRunAt), now) : now;
  const didNotRun = ['refused', 'not_run', 'simulated'].includes(decideOutcome(answer));
  const ms = answer.ran?.ms ?? (didNotRun ? 0 : to - mayRunAt);
  const from = Math.max(to - ms, mayRunAt);
  const waitedMs = from - since;
  return { from, ms: to - from, ...(waitedMs < leastWaitMs ? {} : { waitedMs }) };
}

/** The newest denial of the same call. */
export function denialOf({ run }: AgentState, entry: BatchCall): DeniedCall | undefined {
  return run?.denied.findLast(({ key }) => key === deniedKey(entry));
}

/** The tool and its arguments. */
function deniedKey(entry: BatchCall): string {
  return `${entry.call.name}:${argumentsKey(entry)}`;
}

function argumentsKey({ call, prepared }: BatchCall): string {
  return prepared.status === 'ready' ? prepared.argsDigest : call.arguments;
}

export function finishBatch(draft: Draft): void {
  const { batch } = runOf(draft);
  const firstSeq = draft.state.log.nextSeq;
  for (const entry of batch) {
    const { answer, prepared, decided, ran } = entry;
    if (!answer) continue;
    const { digest, message } = answer;
    const outcome = changeOf(entry, answer)?.outcome;
    const effect = prepared.status === 'ready' && prepared.effect !== 'read' ? prepared.effect : undefined;
    append(draft, message, defined({ digest, effect, decided, outcome: outcome || undefined, ran }));
  }
  const allTerminate = batch.length > 0 && batch.every(({ answer }) => answer?.terminate === true);
  updateRun(draft, (run) => ({
    wantsReply: batch.length > 0 && !allTerminate && !isPastReport(run),
    terminated: allTerminate,
  }));
  for (const [index, entry] of batch.entries()) rememberCall(draft, entry, firstSeq + index);
  countFailedTurn(draft, batch);
}

/**
 * Counts turns in which every call failed, in a row and among the newest: different failing calls are no repetition, but lead
 * nowhere either. Successful calls of the agent's own records are no turn.
 */
function countFailedTurn(draft: Draft, batch: readonly BatchCall[]): void {
  const isFailed = ({ answer }: BatchCall): boolean => answer?.message.isError === true;
  const counting = batch.filter((entry) => isFailed(entry) || !ownBooks.has(entry.call.name));
  if (batch.length > 0 && counting.length === 0) return;
  const { failedTurns: before, ...run } = runOf(draft);
  const allFailed = counting.length > 0 && counting.every(isFailed);
  if (!allFailed && !run.recentTurns) return;
  const { count, warned } = before ?? { count: 0, warned: 0 };
  draft.state = {
    ...draft.state,
    run: {
      ...run,
      recentTurns: rememberTurn(allFailed, run.recentTurns),
      ...(allFailed ? { failedTurns: { count: count + 1, warned } } : {}),
    },
  };
}

/**
 * Called in the model's order, not in the order of completion: equal work must look equal. `seq` is the place of the
 * result.
 */
function rememberCall(draft: Draft, entry: BatchCall, seq: number): void {
  const { answer } = entry;
  const window = draft.state.context?.settings.loop.window ?? 10;
  if (!answer) return;
  const key = loopKey(argumentsKey(entry), answer.message);
  // 8 hex digits: keys of many calls travel at every hand-over
  const short = hash32(key);
  updateRun(draft, (run) => {
    const loop = remember(run.loop, key, window);
    // a new call ends the repetition that the model was warned of
    const warned = repeats(loop) === 1 ? { warnedRepeats: 0 } : {};
    return { loop, ...warned, trail: withEntry(run.trail, short) };
  });
  indexCall(draft, entry, { answer, seq, key: short });
}

/** Indexes only calls that a report can quote. */
function indexCall(
  draft: Draft,
  { call: { callId }, prepared }: BatchCall,
  { answer, seq, key }: { answer: ToolAnswer; seq: number; key: string },
): void {
  const { artifactId, isError } = answer.message;
  if (prepared.status !== 'ready' || artifactId === undefined) return;
  const summary = isError ? `${prepared.summary} (failed)` : prepared.summary;
  const call: IndexedCall = [seq, callId, summary, key, shortArtifactId(artifactId, callId)];
  draft.state = { ...draft.state, calls: withCall(draft.state.calls, call) };
}
