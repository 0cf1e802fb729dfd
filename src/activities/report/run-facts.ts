// Facts of a run that code knows, from its state and its log. Runs in Node, pure.
import { defined } from '@holdfast/base/defined';
import { fieldsOf } from '@holdfast/base/json';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { isUnpriced, type FrozenContext, type FrozenModel } from '@holdfast/vocabulary/frozen-context';
import { noReport } from '@holdfast/vocabulary/run-result';
import type { CompleteReportInput } from '@holdfast/vocabulary/storage-contracts';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import { isSteering, isWholeReply, textOf, tokensOf } from '@holdfast/vocabulary/messages';
import type { CallOutcome, LogRecord, Sent, ToolResultMessage } from '@holdfast/vocabulary/messages';
import { toModelName } from '@holdfast/vocabulary/model-name';
import type {
  Changes,
  FoundInstruction,
  RunFacts,
  Said,
  TimedCall,
  Action,
} from '@holdfast/report/run-facts';
import { isHandedIn, notRunAfterReport } from '../../core/state/report.ts';
import { answerOf, endedOf } from '../../core/state/run-outcome.ts';
import { ownBooks } from '@holdfast/vocabulary/own-books';
import { toOneLine } from '@holdfast/redaction/sanitise';
import { type DescribingWords, describeCall, firstAndLast, tellingLineOf, toIso } from './describe-call.ts';
import { handedInReports } from './handed-in.ts';
import { leftOver } from './left-over.ts';
import { type LoggedCall, toArguments, endOfCall } from '@holdfast/stored/logged-calls';
import { toVisible } from '@holdfast/base/visible';
import { decideOutcome, isMade, whyOf } from '@holdfast/vocabulary/call-outcome';

const maxActions = 100;
const maxCalls = 150;
const maxSteering = 50;
const titleLength = 120;
const resultLength = 120;

export type RunParts = {
  /** The records of the run, oldest first. */
  log: readonly LogRecord[];
  /** Its calls, and those of its delegated sessions. */
  calls: readonly LoggedCall[];
  /** The calls of all runs of the session, and those of its delegated sessions. */
  sessionCalls: readonly LoggedCall[];
  /** Some delegated session has no stored log. */
  isPartial: boolean;
  /** Absent if the workflow no longer holds the run. */
  state?: AgentState | undefined;
  instructions: FoundInstruction[];
  /** Address of the session in the Temporal UI. */
  ui?: string | undefined;
};

export function runFacts(input: CompleteReportInput, parts: RunParts, words: DescribingWords): RunFacts {
  const { end, endedAt, sessionId, report, alert } = input;
  const { log, calls, state, ui } = parts;
  const reportedAt = report && log.findLast(isHandedIn)?.at;
  const run = state?.run;
  // only the shown actions are described: describing thousands would scan every word of long results
  const actions = firstAndLast(
    calls.filter(isAction).sort((left, right) => endOfCall(left.result) - endOfCall(right.result)),
    maxActions,
  );
  const timed = firstAndLast(
    calls.filter(({ call }) => call.name !== 'report').sort((left, right) => startOf(left) - startOf(right)),
    maxCalls,
  );
  const unpriced = unpricedModels(state?.context, log, run?.usage ?? {});
  const after = report && workAfter(log);
  const replaced = handedInReports(log, input.runId)
    .filter(({ ref }) => ref.artifactId !== report?.artifactId)
    .map(({ ref, callId, at }) => ({ ...ref, callId, at: toIso(at) }));
  const isOver = end.status === 'completed' && end.cause !== noReport;
  const ownCalls = calls.filter(({ by }) => by === undefined);
  return defined({
    // the task of an alert has the same words for all
    title: toTitle(words.redact(alert === undefined ? (run?.task ?? firstWords(log)) : `Alert ${alert}`)),
    ...end,
    error: end.error && { ...end.error, message: words.redact(end.error.message) },
    startedAt: toIso(run?.startedAt ?? log[0]?.at ?? endedAt),
    endedAt: toIso(endedAt),
    models: modelsOf(log),
    turns: run?.turn ?? 0,
    toolCalls: run?.toolCalls ?? 0,
    tokens: tokensOf(run?.usage ?? {}),
    costUsd: run?.costUsd ?? 0,
    unpriced: unlessEmpty(unpriced),
    links: defined({ show: `holdfast show ${sessionId}`, ui }),
    actions: actions.kept.map((logged) => toAction(logged, words)),
    actionsLeftOut: actions.leftOut || undefined,
    changes: changesOf(parts, reportedAt),
    instructions: parts.instructions,
    calls: timed.kept.map((logged) => toTimed(logged, words)),
    callsLeftOut: timed.leftOut || undefined,
    steering: saidBy(log, calls, words),
    afterReport: after,
    replaced: unlessEmpty(replaced),
    answer: words.redact(answerOf(log, endedOf({ end }))),
    left: isOver || !state ? undefined : leftOver(state, log, ownCalls, words),
  });
}

/** Whole sentences if they fit. */
function toTitle(task: string): string {
  const line = toOneLine(task, 10 * titleLength);
  if (line.length <= titleLength) return line || 'No task';
  return /^.{20,119}?[.?!](?= )/.exec(line)?.[0] ?? toOneLine(line, titleLength);
}

function startOf({ at, result }: LoggedCall): number {
  return result?.ran?.from ?? at;
}

function toTimed(logged: LoggedCall, words: DescribingWords): TimedCall {
  const { id, at, result } = logged;
  const { waitedMs } = result?.ran ?? {};
  return defined({
    callId: id,
    at: toIso(startOf(logged)),
    endedAt: toIso(result ? endOfCall(result) : at),
    waitedMs,
    call: describeCall(logged, words),
    result: tellingLineOf(logged, words.redact, resultLength),
    isError: result?.isError ?? true,
    outcome: result?.outcome,
  });
}

function firstWords(log: readonly LogRecord[]): string {
  const first = log.find((record) => record.role === 'user');
  return first ? textOf(first) : '';
}

function modelsOf(log: readonly LogRecord[]): string[] {
  return [...new Set(log.flatMap((record) => (isWholeReply(record) ? [toModelName(record.model)] : [])))];
}

/** Models that the run has used and whose price its context does not know. */
function unpricedModels(
  context: FrozenContext | undefined,
  log: readonly LogRecord[],
  usage: NonNullable<AgentState['run']>['usage'],
): string[] {
  if (!context) return [];
  const main: FrozenModel = defined({ model: context.model, prices: context.prices });
  const side = Object.entries(context.purposes ?? {}).flatMap(([purpose, model]) =>
    purpose in usage ? [model] : [],
  );
  const answered = modelsOf(log);
  const used = [main, ...(context.fallbacks ?? [])].filter(({ model }) =>
    answered.includes(toModelName(model)),
  );
  return [...new Set([...used, ...side].filter(isUnpriced).map(({ model }) => toModelName(model)))];
}

const readAtOnceMs = 1_000;

/** Steering, follow-ups, and answers to questions of the agent, oldest first. */
function saidBy(
  log: readonly LogRecord[],
  calls: readonly LoggedCall[],
  { redact }: DescribingWords,
): RunFacts['steering'] {
  const line = (text: string, length = 500): string => toOneLine(redact(text), length);
  const sent = log.filter(isSteering).map((record): Said => {
    const { at, by }: Sent = record.sent ?? { at: record.at };
    return defined({
      at: toIso(at),
      readAt: record.at - at >= readAtOnceMs ? toIso(record.at) : undefined,
      text: line(textOf(record)),
      origin: record.origin,
      by: by && line(by, 100),
    });
  });
  const answered = calls.flatMap(({ call, result }): Said[] => {
    if (call.name !== 'ask_human' || result === undefined || result.isError) return [];
    const { question } = toArguments(call);
    const { answeredBy } = fieldsOf(result.details);
    return [
      defined({
        at: toIso(endOfCall(result)),
        text: line(textOf(result)),
        origin: 'answer',
        by: typeof answeredBy === 'string' ? line(answeredBy, 100) : undefined,
        question: typeof question === 'string' ? line(question, 300) : undefined,
      }),
    ];
  });
  return [...sent, ...answered].sort((one, other) => (one.at < other.at ? -1 : 1)).slice(-maxSteering);
}

/** Work after the last report, which counts; absent without any. Calls of the report's own batch ran beside it. */
function workAfter(log: readonly LogRecord[]): RunFacts['afterReport'] {
  const handedIn = log.findLast(isHandedIn);
  if (!handedIn) return undefined;
  const later = log.filter(({ turn }) => turn > handedIn.turn);
  const calls = later.filter(
    (record) =>
      record.role === 'tool_result' && !ownBooks.has(record.toolName) && textOf(record) !== notRunAfterReport,
  );
  const messages = later.filter(isSteering);
  return calls.length + messages.length === 0
    ? undefined
    : { calls: calls.length, messages: messages.length };
}

const mostOpen = 20;

function changesOf({ sessionCalls, isPartial }: RunParts, reportedAt = Infinity): Changes {
  const changes = sessionCalls
    .filter(isAction)
    .filter(({ result }) => result.effect !== undefined)
    .map(({ id, result }) => ({ id, endedAt: endOfCall(result), outcome: outcomeOf(result) }))
    .toSorted((left, right) => left.endedAt - right.endedAt);
  const made = changes.filter(isMade);
  const last = made.at(-1);
  const open = changes.filter(
    ({ outcome, endedAt }) =>
      (outcome === 'unknown' || outcome === 'timed_out') && endedAt >= (last?.endedAt ?? 0),
  );
  return defined({
    made: made.length,
    last:
      last &&
      defined({
        callId: last.id,
        endedAt: toIso(last.endedAt),
        afterReport: last.endedAt > reportedAt || undefined,
      }),
    open: open.map(({ id }) => id).slice(-mostOpen),
    isPartial: isPartial || undefined,
  });
}

function outcomeOf(result: Answered['result']): CallOutcome {
  return decideOutcome({ message: result, ...result });
}

/** A read that somebody decided on; of a call that a rule denied only its tool tells. */
function isRead({ call, result }: Answered, { toolSpec }: DescribingWords): boolean {
  if (result.effect !== undefined) return false;
  const { decided } = result;
  return toolSpec(call.name)?.effect === 'read' || (decided !== undefined && decided.by !== 'policy');
}

const reasonLength = 200;

type Answered = LoggedCall & Required<Pick<LoggedCall, 'result'>>;

/** False for a call that only reads and that nobody has decided on. */
function isAction(logged: LoggedCall): logged is Answered {
  return logged.result?.outcome !== undefined;
}

function toAction(logged: Answered, words: DescribingWords): Action {
  const { result } = logged;
  const { decided } = result;
  const outcome = outcomeOf(result);
  const why = decided?.approved === false ? undefined : whyOf(outcome, result);
  const short = (text: string): string => words.redact(text).slice(0, reasonLength);
  return {
    callId: logged.id,
    at: toIso(endOfCall(result)),
    call: describeCall(logged, words),
    ...otherArguments(logged, words),
    ...changeOf(result, words),
    outcome,
    ...defined({
      why: why && short(why),
      by: decided?.by,
      approved: decided?.approved,
      decidedAt: decided && toIso(decided.at),
      reason: decided?.reason && short(decided.reason),
      isRead: isRead(logged, words) || undefined,
    }),
  };
}

/** A tool that reads the state around its change has it in the details (toolsets/guarded-change.ts). */
function changeOf({ details }: ToolResultMessage, { redact }: DescribingWords): Pick<Action, 'change'> {
  const { before, after, undo } = fieldsOf(fieldsOf(details)['change']);
  if (typeof before !== 'string' || typeof after !== 'string' || typeof undo !== 'string') return {};
  return { change: { before: redact(before), after: redact(after), undo: redact(undo) } };
}

const withLength = 400;
/** Characters of a file's new content that are read; redaction makes a text shorter. */
const lookedAt = 16_384;

/** Arguments that the line of the call does not show. */
function otherArguments({ call }: LoggedCall, { toolSpec, redact }: DescribingWords): Pick<Action, 'with'> {
  const shown = toolSpec(call.name)?.summaryArguments;
  if (shown === undefined) return {};
  const others = Object.entries(toArguments(call)).filter(([name]) => !shown.includes(name));
  if (others.length === 0) return {};
  const text = JSON.stringify(Object.fromEntries(others)).slice(0, lookedAt);
  return { with: toOneLine(toVisible(redact(text)), withLength) };
}
