// The facts of a message: a question of a session, or the end of a run, cut to be small. Pure; for the workflow, and for
// a client that repeats a delivery.
import { cutText, cutToBytes, cutWords } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';
import { isRecord, parseJson } from '@holdfast/base/json';
import { oneLine } from '@holdfast/base/one-line';
import { present } from '@holdfast/base/present';
import { previewLines } from '@holdfast/base/preview-lines';
import { eventTextBytes } from '@holdfast/base/sizes';
import { toReadable, toVisible } from '@holdfast/base/visible';
import type {
  Deliver,
  DeliveredEnd,
  DeliveredQuestion,
  DeliveryMemo,
  DeliveryInput,
  DeliveryPoint,
} from '@holdfast/vocabulary/deliver';
import { defaultPoints } from '@holdfast/vocabulary/deliver';
import { counted, roundUsd } from '@holdfast/base/words';
import { lastWordsText } from '@holdfast/report/last-words';
import { requestDigestLabel } from '@holdfast/vocabulary/outer-names';
import { hostParameter } from '@holdfast/vocabulary/hosts';
import { type LogRecord, textOf, toolCallsOf } from '@holdfast/vocabulary/messages';
import type { RunResult } from '@holdfast/vocabulary/run-result';
import type { PendingApproval, PendingQuestion } from '@holdfast/vocabulary/snapshot';

/** Characters of a reason, an option, an error. */
const shortText = 300;
/** Characters of the answer of a run without a report. */
const answerCharacters = 1_000;
const mostLabels = 30;

/** Names of the destinations that get something at this point, each once. */
export function destinationsAt(deliver: readonly Deliver[], point: DeliveryPoint): string[] {
  const names = deliver.filter(({ on = defaultPoints }) => on.includes(point)).map(({ to }) => to);
  return [...new Set(names)];
}

/** `machine`: where tools run that name no host. `records` have the words beside the call. */
export function toQuestion(
  sessionId: string,
  pending: PendingApproval | PendingQuestion,
  { machine, records = [] }: { machine: string | undefined; records?: readonly LogRecord[] },
): DeliveredQuestion {
  const { id, deadline, child } = pending;
  const common = { sessionId, deadline, ...defined({ child: child?.name }) };
  if ('question' in pending)
    return {
      ...common,
      id,
      kind: 'question',
      ...cut(oneLine(toReadable(pending.question))),
      ...defined({ options: pending.options?.map(short) }),
    };
  const { tool, args, summary, preview, reason, isCut } = pending;
  const shown = cut(toVisible(`${tool} ${args}`));
  return {
    ...common,
    // only the session of the subagent has the whole call, under an id without its name
    ...(isCut && child ? { sessionId: child.sessionId, id: id.slice(child.name.length + 1) } : { id }),
    kind: 'approval',
    ...shown,
    ...defined({
      isCut,
      summary: short(summary),
      said: saidBeside(pending.id, records),
      preview: preview && cutToBytes(firstLines(preview), eventTextBytes),
      host: hostOf(args) ?? machine,
      reason: reason && short(reason),
    }),
  };
}

/** Shows the end of a run without its report, which is stored. */
export function toEnd(result: RunResult, needsReport = false, unread?: string): DeliveredEnd {
  const { status, cause, error, report, answerCut, costUsd, costUnknown } = result;
  const { turns, toolCalls, startedAt, endedAt } = result;
  return {
    status,
    turns,
    toolCalls,
    costUsd: roundUsd(costUsd),
    startedAt,
    endedAt,
    ...defined({
      cause,
      answerCut,
      costUnknown,
      report,
      error: error && { code: error.code, message: short(error.message) },
      answer: report && !report.byCode ? undefined : cutText(toReadable(wordsOf(result)), answerCharacters),
      needsReport: needsReport || undefined,
      unread,
    }),
  };
}

function wordsOf(result: RunResult): string {
  return [result.answer, lastWordsText(result)].filter(Boolean).join('\n\n');
}

export function labelsOf(labels: Record<string, string> = {}): Record<string, string> | undefined {
  const kept = Object.entries(labels)
    .filter(([name]) => name !== requestDigestLabel)
    .slice(0, mostLabels);
  if (kept.length === 0) return undefined;
  return Object.fromEntries(kept.map(([name, value]) => [short(name), short(value)]));
}

export function memoOf({ id, sessionId, runId, point, to }: DeliveryInput): DeliveryMemo {
  return { message: id, sessionId, run: runId, point, to };
}

/** For the UI's list; names of destinations and an id of a session are no secrets. */
export function deliveryTitle({ point, to }: Pick<DeliveryInput, 'point' | 'to'>): string {
  return cutToBytes(`${point} to ${to.join(', ')}`, shortText);
}

function short(text: string): string {
  return cutText(oneLine(toReadable(text)), shortText);
}

const saidCharacters = 500;

/** The reason of the agent, in its words; a call of a subagent has them in another session. */
function saidBeside(callId: string, records: readonly LogRecord[]): string | undefined {
  const reply = records.findLast(
    (record) => record.role === 'assistant' && toolCallsOf(record).some((call) => call.callId === callId),
  );
  const words = reply === undefined ? '' : toReadable(textOf(reply)).trim();
  return words === '' ? undefined : cutWords(words, saidCharacters);
}

function firstLines(preview: string): string {
  const { lines, more } = previewLines(preview);
  return present([...lines, more > 0 && `… ${counted(more, 'more line')}`]).join('\n');
}

function cut(text: string): Pick<DeliveredQuestion, 'text' | 'isCut'> {
  const shown = cutToBytes(text, eventTextBytes);
  return shown === text ? { text } : { text: shown, isCut: true };
}

/** The workflow wrote the arguments as JSON, which may be cut. */
function hostOf(args: string): string | undefined {
  const parsed = parseJson(args);
  const host = isRecord(parsed) ? parsed[hostParameter] : undefined;
  return typeof host === 'string' ? host : undefined;
}
