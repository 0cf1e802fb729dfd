// What a batch of tool calls makes of the state: started, answered, entered into the log in order. Pure.
import type { Fact } from './facts.ts';
import type { Json } from '../base/json.ts';
import { withEntry } from './circles.ts';
import { loopKey, remember, repeats, shortKey } from './loop-guard.ts';
import { followsRules } from './loop-rules.ts';
import { decideOutcome, whyOf } from '../model/call-outcome.ts';
import { textOf } from '../model/messages.ts';
import type { CallOutcome, CallTimes, ToolCallPart } from '../model/messages.ts';
import type { Change } from '../model/run-result.ts';
import { cutText, cutToBytes } from '../base/cut-text.ts';
import { toVisibleLine } from '../base/visible.ts';
import { eventResultBytes, eventTextBytes, jsonBytes, utf8Bytes } from '../base/sizes.ts';
import { ownBooks } from '../tools/own-books.ts';
import { isStricter } from '../tools/policy.ts';
import { shortArtifactId, withCall } from '../view/call-index.ts';
import { forgetResults } from './reduce-children.ts';
import { endsWithReport, isPastReport } from './report.ts';
import { append, pay, runOf, updateCall, updateRun } from './draft.ts';
import type { Draft } from './draft.ts';
import type { BatchCall, IndexedCall, ToolAnswer } from '../model/agent-state.ts';
import type { ToolEffect } from '../model/tool-spec.ts';

export function startTool(draft: Draft, index: number): void {
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
}

/** What will run, where it is small enough for an event. Preparation has read the text, or replaced it. */
function validArguments(call: ToolCallPart, args: Json | undefined): { args?: Json } {
  const value = args ?? toJson(call.arguments);
  return value === undefined || jsonBytes(value) > eventTextBytes ? {} : { args: value };
}

function toJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a host says of its calls: what they do there, and a verdict that only makes the one so far stricter. */
export function takeInspections(
  draft: Draft,
  { verdicts, unreachable }: Extract<Fact, { type: 'calls_inspected' }>,
): void {
  for (const [index, { call, prepared }] of runOf(draft).batch.entries()) {
    const lost = unreachable.find(({ callId }) => callId === call.callId);
    if (lost) updateCall(draft, index, { prepared: { status: 'rejected', ...lost } });
    const verdict = verdicts.find(({ callId }) => callId === call.callId);
    if (lost || verdict === undefined || prepared.status !== 'ready') continue;
    const { decision, reason, ...facts } = verdict;
    const said = isStricter(verdict, prepared)
      ? { decision, ...(reason === undefined ? {} : { reason }) }
      : {};
    updateCall(draft, index, { prepared: { ...prepared, ...facts, ...said }, inspected: true });
  }
}

/** Each verdict only makes the one of the rules stricter. */
export function takeVerdicts(
  draft: Draft,
  { verdicts, usage, costUsd = 0 }: Extract<Fact, { type: 'policy_evaluated' }>,
): void {
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
}

export function takeAnswer(draft: Draft, fact: Extract<Fact, { type: 'tool_answered' }>): void {
  const { index, answer } = fact;
  const decided = fact.decided && { at: draft.now, ...fact.decided };
  const answered = updateCall(draft, index, { answer, ...(decided ? { decided } : {}) });
  const ran = timesOf(answered, answer, draft.now);
  const entry = updateCall(draft, index, { ran });
  const change = changeOf(entry, answer);
  const counted = entry.overBudget ? 0 : 1;
  updateRun(draft, (run) => ({
    toolCalls: run.toolCalls + counted,
    ...(fact.denied ? { denied: [...run.denied, deniedKey(entry)] } : {}),
    ...(change ? { changes: [...(run.changes ?? []), change].slice(-keptChanges) } : {}),
    ...(answer.report ? { report: answer.report } : {}),
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
    ...(size === undefined ? {} : { size }),
    ...(answer.message.details === undefined ? {} : { details: answer.message.details }),
    ...(change ? { outcome: change.outcome } : {}),
    ...(change?.why === undefined ? {} : { why: change.why }),
    ran,
  });
}

/** Of a result that is more than a line. */
function sizeOf(text: string): { lines: number; bytes: number } | undefined {
  const lines = text.trimEnd().split('\n').length;
  return lines > 1 ? { lines, bytes: utf8Bytes(text) } : undefined;
}

const keptChanges = 20;

/** Of a call that may change something, or that was refused; a call that is wrong in its form says nothing. */
function changeOf({ call, prepared, decided }: BatchCall, answer: ToolAnswer): Change | undefined {
  const isChange = prepared.status === 'ready' ? prepared.effect !== 'read' : prepared.unknownTool === true;
  // of a tool that reads, and has refused to do more
  const refusedItself = answer.outcome === 'refused' && answer.digest !== undefined;
  if (!isChange && decided === undefined && !refusedItself) return undefined;
  const outcome = decideOutcome(answer);
  const why = whyOf(outcome, answer.message);
  return {
    callId: call.callId,
    call: prepared.status === 'ready' ? prepared.summary : toVisibleLine(cutText(call.name, 100)),
    outcome,
    ...(why === undefined ? {} : { why }),
  };
}

/** Shorter waits are the machine's own. */
const leastWaitMs = 1_000;

/** By the worker, within what the workflow has seen: the clocks of two machines differ. What did not run took no time. */
function timesOf({ begunAt, decided }: BatchCall, answer: ToolAnswer, now: number): CallTimes {
  const since = begunAt ?? now;
  const mayRunAt = decided?.approved ? Math.max(decided.at, since) : since;
  const to = answer.ran ? Math.min(Math.max(answer.ran.endedAt, mayRunAt), now) : now;
  const ms = answer.ran?.ms ?? (decideOutcome(answer) === 'refused' ? 0 : to - mayRunAt);
  const from = Math.max(to - ms, mayRunAt);
  const waitedMs = from - since;
  return { from, ms: to - from, ...(waitedMs < leastWaitMs ? {} : { waitedMs }) };
}

/** What a denial is remembered by: the same tool with the same arguments. */
export function deniedKey(entry: BatchCall): string {
  return `${entry.call.name}:${argumentsKey(entry)}`;
}

function argumentsKey({ call, prepared }: BatchCall): string {
  return prepared.status === 'ready' ? prepared.argsDigest : call.arguments;
}

export function finishBatch(draft: Draft): void {
  const { batch } = runOf(draft);
  const firstSeq = draft.state.log.nextSeq;
  // the size of a record decides what travels at a hand-over: in a run that an older worker began it stays as it was
  const isTold = followsRules(draft.state, 2);
  for (const entry of batch) {
    const { answer, prepared, decided, ran } = entry;
    if (!answer) continue;
    const { digest, message } = answer;
    const outcome = changeOf(entry, answer)?.outcome;
    append(draft, message, {
      ...(digest === undefined ? {} : { digest }),
      ...(isTold && prepared.status === 'ready' && prepared.effect !== 'read'
        ? { effect: prepared.effect }
        : {}),
      ...(isTold && decided ? { decided } : {}),
      ...(isTold && outcome ? { outcome } : {}),
      ...(isTold && ran ? { ran } : {}),
    });
  }
  const allTerminate = batch.length > 0 && batch.every(({ answer }) => answer?.terminate === true);
  updateRun(draft, (run) => ({
    wantsReply: batch.length > 0 && !allTerminate && !isPastReport(run),
    terminated: allTerminate,
  }));
  for (const [index, entry] of batch.entries()) rememberCall(draft, entry, firstSeq + index);
  if (followsRules(draft.state, 4)) countFailedTurn(draft, batch);
}

/** Ever other calls that fail are no equal calls, and lead as far. A note that is taken of them does not begin the count anew. */
function countFailedTurn(draft: Draft, batch: readonly BatchCall[]): void {
  const isFailed = ({ answer }: BatchCall): boolean => answer?.message.isError === true;
  const counting = batch.filter((entry) => isFailed(entry) || !ownBooks.has(entry.call.name));
  if (batch.length > 0 && counting.length === 0) return;
  const { failedTurns: before, ...run } = runOf(draft);
  const allFailed = counting.length > 0 && counting.every(isFailed);
  if (!allFailed && !before) return;
  const { count, warned } = before ?? { count: 0, warned: 0 };
  draft.state = {
    ...draft.state,
    run: { ...run, ...(allFailed ? { failedTurns: { count: count + 1, warned } } : {}) },
  };
}

/** In the model's order, not in that of completion: equal work must look equal. `seq` is the place of its result. */
function rememberCall(draft: Draft, entry: BatchCall, seq: number): void {
  const { answer } = entry;
  const window = draft.state.context?.settings.loopWindow ?? 10;
  if (!answer) return;
  const key = loopKey(argumentsKey(entry), answer.message);
  updateRun(draft, (run) => {
    const loop = remember(run.loop, key, window);
    // something new: what was warned of is over
    return repeats(loop) === 1 ? { loop, warnedRepeats: 0 } : { loop };
  });
  if (!followsRules(draft.state, 2)) return;
  const short = shortKey(key);
  updateRun(draft, ({ trail }) => ({ trail: withEntry(trail, short) }));
  indexCall(draft, entry, { answer, seq, key: short });
}

/** Only what can be quoted. */
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

/**
 * An answer that we write because no activity gives one: the model reads it like any failed tool. A call that we answer for
 * did not run, if nothing else is said.
 */
export function errorAnswer(entry: Answerable, text: string, outcome: CallOutcome = 'refused'): ToolAnswer {
  return { ...textAnswer(entry, text, true), outcome };
}

type Answerable = Pick<BatchCall, 'call'> & Partial<Pick<BatchCall, 'prepared'>>;

export function textAnswer({ call, prepared }: Answerable, text: string, isError = false): ToolAnswer {
  const { callId, name: toolName } = call;
  const host = prepared?.status === 'ready' ? prepared.host : undefined;
  const where = host === undefined ? {} : { host };
  return {
    message: { role: 'tool_result', callId, toolName, content: [{ type: 'text', text }], isError, ...where },
  };
}

/** Stopped before it ran. */
export function notStarted(entry: Answerable): ToolAnswer {
  return errorAnswer(entry, 'tool execution aborted');
}

/** Stopped while it ran, or before its result was seen by all that have to (TOOL-18). */
export function abortedText(effect: ToolEffect): string {
  return effect === 'read'
    ? 'tool execution aborted'
    : 'tool execution aborted; it may have taken effect: verify before you repeat it';
}
