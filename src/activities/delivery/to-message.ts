// Makes the document of a message from the facts of its point, with the report of the run. Runs in Node, where secrets
// are known and reports are stored.
import { cutWords } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';
import { oneLine } from '@holdfast/base/one-line';
import { shellWord } from '@holdfast/base/shell-word';
import { toReadable } from '@holdfast/base/visible';
import type { DeliveredEnd, DeliveredQuestion, DeliveryInput } from '@holdfast/vocabulary/deliver';
import type { SessionAlert } from '@holdfast/vocabulary/session-alert';
import { behindDecider, outcomeOf } from '@holdfast/report/run-words';
import { describeEnd } from '@holdfast/report/describe-end';
import { objectionsTo } from '@holdfast/report/last-words';
import { headlineOf } from '@holdfast/report/heading';
import type { Recommended, Report } from '@holdfast/report/report';
import { unknownsOf } from '@holdfast/report/report-ref';
import type { Action } from '@holdfast/report/run-facts';
import type { ArtifactReader } from '@holdfast/stored/artifact-names';
import type { Redactor } from '@holdfast/redaction/redaction';
import type { DeliveryMessage } from './delivery-message.ts';
import { readReportNamed } from '@holdfast/stored/stored-session';

export type MessageDeps = {
  artifacts: ArtifactReader;
  redactor: Redactor;
  uiAddressOf?: ((sessionId: string) => string) | undefined;
};

type Session = DeliveryMessage['session'];
type Question = NonNullable<DeliveryMessage['question']>;
type End = NonNullable<DeliveryMessage['end']>;

const summaryCharacters = 1_400;
const causeCharacters = 800;
const partCharacters = 300;
const mostSteps = 5;
const mostActions = 5;
const mostGaps = 3;
const withoutReport = 'The run ended without a report, which it has to have: it counts as failed.';

/** Rejects where the store does not answer; a report that is not stored any more is left out. */
export async function toMessage(input: DeliveryInput, deps: MessageDeps): Promise<DeliveryMessage> {
  const { id, point, at, sessionId, runId, question, end } = input;
  const message: DeliveryMessage = defined({
    version: 1,
    id,
    point,
    at: new Date(at).toISOString(),
    session: {
      id: sessionId,
      runId,
      name: input.name ?? input.agent ?? '',
      task: input.task,
      subject: input.name ?? input.task,
      labels: input.labels ?? {},
      ...defined({ url: deps.uiAddressOf?.(sessionId), alert: input.alert && toAlert(input.alert) }),
    },
    question: question && toQuestion(question, input.to),
    end: end && (await toEnd(end, input, deps)),
  });
  return cleaned(message, deps.redactor);
}

/** Every text readable and without secrets. The one place where the JSON gets its type back: its shape is the same. */
function cleaned(message: DeliveryMessage, { json }: Redactor): DeliveryMessage {
  return json(message, toReadable) as unknown as DeliveryMessage;
}

function toAlert({ name, severity, startsAt, links = [] }: SessionAlert): NonNullable<Session['alert']> {
  const since = startsAt === undefined ? undefined : new Date(startsAt).toISOString();
  return { name, links, ...defined({ severity, since }) };
}

function toQuestion(question: DeliveredQuestion, asked: string[]): Question {
  const { id, kind, sessionId, text, isCut, summary, said, preview, host, reason, options, child, deadline } =
    question;
  const place = `${shellWord(sessionId)} ${shellWord(id)}`;
  const answers =
    kind === 'question'
      ? [`holdfast answer ${place} "your answer"`]
      : [`holdfast approve ${place}`, `holdfast deny ${place} --reason "why"`];
  const whole = isCut ? [`holdfast approvals ${shellWord(sessionId)} --whole`] : [];
  return {
    id,
    kind,
    asked,
    text,
    ...defined({ summary, said, preview, isCut, host, reason, options, subagent: child }),
    deadline: new Date(deadline).toISOString(),
    answer: [...whole, ...answers],
  };
}

async function toEnd(
  end: DeliveredEnd,
  { storedAs, sessionId, runId, name, task }: DeliveryInput,
  { artifacts }: MessageDeps,
): Promise<End> {
  const { status, cause, costUsd, costUnknown, startedAt, endedAt, turns, toolCalls } = end;
  const stored = storedAs ?? sessionId;
  const report = end.report && (await readReportNamed(artifacts, stored, end.report.artifactId));
  const lacksReport =
    end.needsReport === true && status === 'completed' && (end.report?.byCode ?? !end.report);
  return {
    status,
    ...defined({ cause, costUnknown }),
    succeeded: status === 'completed' && !lacksReport,
    words:
      `${lacksReport ? withoutReport : cutWords(describeEnd(end), causeCharacters)} ${end.unread ?? ''}`.trim(),
    ...describeReport(end, report, name ?? task),
    costUsd,
    durationMs: endedAt - startedAt,
    turns,
    toolCalls,
    ...defined({ report: report && `holdfast report ${shellWord(stored)} --run ${runId}` }),
  };
}

function describeReport(
  { report: ref, answer = '' }: DeliveredEnd,
  report: Report | undefined,
  subject: string,
) {
  const summary = report && !ref?.byCode ? report.summary : answer || report?.summary;
  const { rootCause, impact, recommended = [], run } = report ?? {};
  const byModel = ref?.byCode ? undefined : ref;
  const unknown = report ? unknownsOf(report) : [];
  return {
    summary: cutTrimmed(summary ?? '', summaryCharacters),
    nextSteps: recommended.slice(0, mostSteps).map(toStep),
    actions: (run?.actions ?? []).slice(-mostActions).map(toAction),
    gaps: unknown.slice(0, mostGaps).map(({ text }) => cutTrimmed(text, partCharacters)),
    ...defined({
      heading: ref?.heading,
      headline: ref?.heading === undefined ? undefined : headlineOf(ref, subject),
      grade: byModel?.grade,
      noFault: byModel?.noFault,
      quotes: byModel && { given: byModel.quotes, found: byModel.verifiedQuotes },
      rootCause: rootCause && {
        component: cutTrimmed(rootCause.component, partCharacters),
        kind: cutTrimmed(rootCause.kind, partCharacters),
        text: cutTrimmed(rootCause.text, causeCharacters),
      },
      impact: impact && {
        who: cutTrimmed(impact.who, partCharacters),
        since: cutTrimmed(impact.since, partCharacters),
        severity: cutTrimmed(impact.severity, partCharacters),
        ongoing: impact.ongoing,
      },
    }),
  };
}

function toAction(action: Action): End['actions'][0] {
  const { at, call, change, reason } = action;
  const state = (text: string): string => cutTrimmed(oneLine(text), partCharacters);
  return {
    at,
    call: cutTrimmed(call, partCharacters),
    outcome: cutTrimmed(
      `${outcomeOf(action)}${behindDecider(action)}${reason === undefined ? '' : ` ("${reason}")`}`,
      partCharacters,
    ),
    ...defined({
      before: change && state(change.before),
      after: change && state(change.after),
      undo: change && state(change.undo),
    }),
  };
}

/** The objections of code come first: the end may be cut. */
function toStep(recommended: Recommended): string {
  const objections = objectionsTo(recommended);
  const marks = objections.length === 0 ? '' : `[${objections.join('; ')}] `;
  return cutTrimmed(`${marks}${recommended.text}`, partCharacters);
}

function cutTrimmed(text: string, length: number): string {
  return cutWords(text.trim(), length);
}
