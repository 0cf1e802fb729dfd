// A session for people: its state, the messages of its log, its result. Pure.
import type { Colors } from '../cli.ts';
import { typed, withTyped } from '../command-line.ts';
import {
  describeAllowance,
  describeAnswerCommand,
  describeApproveCommands,
  describeCall,
  describePreview,
  describeWholeCommand,
  describeQuestion,
  describeWait,
} from './describe-waiting.ts';
import { describeStatus } from './describe-status.ts';
import { timeOf } from './describe-event.ts';
import { toCount, toLine, toPlain } from './plain-text.ts';
import type { MergedSnapshot, SessionListing } from '../../client.ts';
import { describeOutcome, isMarked, whyOf } from '../../core/model/call-outcome.ts';
import { addUsage, inputTotal, noUsage, textOf } from '../../core/model/messages.ts';
import { planText, progressLine } from '../../core/agent/plan/plan-text.ts';
import type { LogRecord, Usage } from '../../core/model/messages.ts';
import { toOutcomeText } from '../../core/model/run-result.ts';
import type { RunResult } from '../../core/model/run-result.ts';
import { describeAdjusted, describeGrade } from '../../core/report/marks.ts';
import { counted, describeCost, toDuration } from '../../core/base/words.ts';
import { toVisible } from '../../core/base/visible.ts';
import { describeModes } from '../../core/tools/modes.ts';

export function describeSnapshot(snapshot: MergedSnapshot, colors: Colors, now: number): string {
  const { sessionId, task, state, agent, model, turn, toolCalls, waitingFor, waitingReason } = snapshot;
  const facts: [string, string | undefined][] = [
    ['session', colors.bold(sessionId)],
    ['task', toLine(task, 200)],
    ['agent', [agent, model && `${model.provider}:${model.id}`].filter(Boolean).join(' · ') || undefined],
    ['mode', modesOf(snapshot)],
    ['state', [state, lastRunOf(snapshot)].filter(Boolean).join(', ')],
    ['turn', `${turn}, ${counted(toolCalls, 'tool call')}, ${describeCost(snapshot)}`],
    [
      'waiting',
      waitingFor &&
        colors.yellow([waitingFor, waitingReason && toLine(waitingReason, 300)].filter(Boolean).join(': ')),
    ],
    ['team', teamOf(snapshot)],
    ['queued', queued(snapshot)],
    [
      'error',
      snapshot.error &&
        colors.red(`${snapshot.error.code}: ${toLine(withTyped(snapshot.error.message), 400)}`),
    ],
    ['writing', snapshot.partial && toLine(snapshot.partial.text.slice(-300), 200)],
  ];
  const lines = facts.flatMap(([name, value]) => (value ? [`${name.padEnd(8)} ${value}`] : []));
  return [
    ...lines,
    ...planLines(snapshot),
    ...waitingLines(snapshot, colors, now),
    ...allowanceLines(snapshot, now),
  ].join('\n');
}

/** Absent in the answers of older workers. */
function teamOf({ sessionId, children = [] }: Partial<MergedSnapshot>): string | undefined {
  if (children.length === 0) return undefined;
  const running = children.filter(({ state }) => state === 'running').length;
  return `${counted(children.length, 'subagent')}, ${running} running: ${typed(`show ${sessionId} --tree`)}`;
}

function planLines({ plan }: Pick<RunResult, 'plan'>): string[] {
  if (!plan) return [];
  const lines = planText(plan.steps)
    .split('\n')
    .map((line) => `  ${toPlain(line)}`);
  return [`plan     ${toLine(progressLine(plan.steps), 200)}`, ...lines];
}

function waitingLines(
  { sessionId, approvals, questions }: MergedSnapshot,
  colors: Colors,
  now: number,
): string[] {
  const mark = colors.yellow('?');
  return [
    ...approvals.map((pending) =>
      [
        `  ${mark} ${pending.child ? `${toLine(pending.child.name)}: ` : ''}${describeCall(pending)}`,
        ...describePreview(pending.preview, describeWholeCommand(sessionId)),
        `    ${describeWait(pending, now)}`,
        ...describeApproveCommands(sessionId, pending).map((command) => `    ${command}`),
      ].join('\n'),
    ),
    ...questions.map((pending) =>
      [
        `  ${mark} ${pending.child ? toLine(pending.child.name) : 'the agent'} asks:`,
        describeQuestion(pending, now),
        `    ${describeAnswerCommand(sessionId, pending)}`,
      ].join('\n'),
    ),
  ];
}

function allowanceLines({ sessionId, allowances }: MergedSnapshot, now: number): string[] {
  if (allowances.length === 0) return [];
  const lines = allowances.map((allowance) => `  ${describeAllowance(allowance, now)}`);
  return [
    'allowed  for this session:',
    ...lines,
    `  taken back with: ${typed(`approvals ${sessionId} --forget <id>`)}`,
  ];
}

function lastRunOf({ lastStatus, lastCause }: MergedSnapshot): string | undefined {
  if (lastStatus === undefined) return undefined;
  return `last run ${toOutcomeText({ status: lastStatus, ...(lastCause ? { cause: lastCause } : {}) })}`;
}

/** Absent before the first run, and in the answers of older workers. */
function modesOf({ mode, dryRun = false, offTheRecord = false }: MergedSnapshot): string | undefined {
  return mode && describeModes({ mode, dryRun, offTheRecord }).replace('mode ', '');
}

/** The state of a session, in a few words. */
export function stateOf({ status, agentStatus, waitingFor, outcome, grade }: SessionListing): string {
  const last = outcome && (grade ? `${outcome}/${grade}` : outcome);
  if (status !== 'RUNNING') return status === 'COMPLETED' ? (last ?? 'ended') : status.toLowerCase();
  const waits = waitingFor && `waiting for ${waitingFor}`;
  const state = agentStatus === 'waiting' && waits ? undefined : (agentStatus ?? 'running');
  return [state, waits, last && `last run ${last}`].filter(Boolean).join(', ');
}

/** A session as far as the server and the artifact store know it. */
export function describeListing(listing: SessionListing, colors: Colors, state = stateOf(listing)): string {
  const { sessionId, task } = listing;
  const spent = spentOf(listing);
  return [
    `session  ${colors.bold(sessionId)}`,
    `task     ${toLine(task, 200)}`,
    `state    ${state}`,
    ...(spent.length === 0 ? [] : [`turn     ${spent.join(', ')}`]),
  ].join('\n');
}

/** Turns and cost, as far as the server knows them: as they were when the session began to wait, or had ended. */
export function spentOf({ status, agentStatus, turns, costUsd = 0, costUnknown }: SessionListing): string[] {
  const isStale = status === 'RUNNING' && agentStatus === 'running';
  return turns === undefined || isStale
    ? []
    : [counted(turns, 'turn'), describeCost({ costUsd, costUnknown })];
}

function queued({ queues }: MergedSnapshot): string | undefined {
  const { steering, followUp } = queues;
  if (steering.length + followUp.length === 0) return undefined;
  return `${steering.length} steering, ${followUp.length} follow-up`;
}

const shownLines = 20;

export function describeRecord(record: LogRecord, colors: Colors): string {
  const head = colors.dim(`${record.seq} · ${placeOf(record)} · ${toMoment(record.at)}`);
  const text = shorten(toPlain(textOf(record)));
  switch (record.role) {
    case 'user':
      return `${head} ${colors.magenta(record.origin)}\n${text}`;
    case 'assistant': {
      const calls = record.content.flatMap((part) =>
        part.type === 'tool_call'
          ? [colors.cyan(`  → ${part.name} ${toLine(toVisible(part.arguments), 160)}`)]
          : [],
      );
      const error = record.errorMessage
        ? [colors.red(`  ${record.stopReason}: ${toLine(record.errorMessage, 300)}`)]
        : [];
      return [`${head} ${colors.bold('agent')}`, ...(text === '' ? [] : [text]), ...calls, ...error].join(
        '\n',
      );
    }
    case 'tool_result':
      return `${head} ${resultHead(record, colors)}\n${text}`;
    case 'custom':
      return `${head} ${record.kind}`;
  }
}

/** Such as `restart_service · failed (exit code 1: no such unit) · 2 s`. */
function resultHead(record: Extract<LogRecord, { role: 'tool_result' }>, colors: Colors): string {
  const { toolName, outcome, isError, ran } = record;
  const paint = isMarked(outcome, isError) ? colors.red : colors.green;
  const words = outcome && describeOutcome(outcome, whyOf(outcome, record));
  return paint([toolName, words && toLine(words, 240), ran && timeOf(ran)].filter(Boolean).join(' · '));
}

/** Records from before the first run belong to no run. */
function placeOf({ runId, turn }: LogRecord): string {
  return runId === '' ? 'before the first run' : `${runId} · turn ${turn}`;
}

/** Such as `2026-11-22 21:06:05 EST`, local: records may be days old. */
function toMoment(at: number): string {
  const day = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' }).format(at);
  const zone = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName');
  return `${day} ${zone?.value ?? ''}`.trim();
}

function shorten(text: string): string {
  const lines = text.split('\n');
  if (lines.length <= shownLines) return text;
  return [...lines.slice(0, shownLines), `… ${counted(lines.length - shownLines, 'more line')}`].join('\n');
}

export type HistorySize = { events: number; bytes: number };

/** Of answers and reports; without it they are shown as they are. */
export type ShowMarkdown = (markdown: string) => string;
export type ReportPart = { report?: string | undefined; show?: ShowMarkdown };

/** The commands of a stored report are those of any machine; here they can be pasted. Never in the lines of a quote. */
export function withPasteable(markdown: string): string {
  const commands = /^( *(?:More: |- |- The whole session: )`)holdfast (?=(?:output|show) )/gm;
  return markdown.replaceAll(commands, (_, before: string) => `${before}${typed('')}`);
}

/** Several lines; answer and report are given whole. */
export function describeResult(
  result: RunResult,
  colors: Colors,
  { report = '', show = toPlain }: ReportPart = {},
): string {
  return join([
    ...[describeStatus(result, colors), planLines(result).join('\n'), show(result.answer).trim()],
    show(withPasteable(report)).trim(),
    ...[changeLines(result, colors).join('\n'), describeCompletion(result, colors)],
    describeEvidence(result, colors),
  ]);
}

/** The same for people who have just seen the run end: without status and answer, which were its last lines. */
export function describeReport(
  result: RunResult,
  colors: Colors,
  { report = '', show = toPlain }: ReportPart = {},
): string {
  return join([show(withPasteable(report)).trim(), describeEvidence(result, colors)]);
}

function join(parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Turns, tokens, cost, time, and the size of the history where it is known. */
export function describeFigures(result: RunResult, history?: HistorySize): string {
  const usage = Object.values(result.usage).reduce<Usage>((sum, part) => addUsage(sum, part), noUsage);
  return [
    counted(result.turns, 'turn'),
    counted(result.toolCalls, 'tool call'),
    `${toCount(inputTotal(usage))} tokens in, ${toCount(usage.output)} out`,
    describeCost(result),
    toDuration(result.endedAt - result.startedAt),
    ...(history
      ? [`history ${counted(history.events, 'event')}, ${Math.round(history.bytes / 1024)} KiB`]
      : []),
  ].join(' · ');
}

function changeLines({ changes = [] }: RunResult, colors: Colors): string[] {
  if (changes.length === 0) return [];
  const lines = changes.map(({ call, outcome, why }) => {
    const paint = outcome === 'done' ? colors.green : colors.red;
    return `  ${paint(toLine(describeOutcome(outcome, why), 240))}: ${toLine(call, 200)}`;
  });
  return ['changes', ...lines];
}

/** What a subagent has told the one that gave it its task. */
function describeCompletion({ completion }: RunResult, colors: Colors): string {
  if (!completion) return '';
  const { status, summary, caveats = '' } = completion;
  const paint = status === 'completed' ? colors.green : colors.red;
  return [paint(`task ${status}`), ...[summary, caveats].filter((text) => text !== '').map(toPlain)].join(
    '\n',
  );
}

/** Such as `7/7 quotes found, 3/3 claims, grade likely (agent: confirmed)`. */
function describeEvidence({ report }: RunResult, colors: Colors): string {
  if (!report) return '';
  if (report.byCode) return colors.red('the agent has handed in no report: this one was made from the log');
  const whole = report.verifiedQuotes === report.quotes && report.verifiedClaims === report.claims;
  const text =
    `${report.verifiedQuotes}/${report.quotes} quotes found${describeAdjusted(report)}, ` +
    `${report.verifiedClaims}/${report.claims} claims, grade ${describeGrade(report)}`;
  return whole ? colors.green(text) : colors.red(`${text} (claims without their quotes are marked)`);
}
