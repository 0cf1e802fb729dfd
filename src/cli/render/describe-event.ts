// Each event of a session in one or a few lines for people. Pure.
import type { Colors } from '../colors.ts';
import { typed, withTyped } from '../../config/command-line.ts';
import { describeStatus } from './describe-status.ts';
import { toCallLine, describeOptions, describePreview, describeWholeCommand } from './describe-waiting.ts';
import { present } from '@holdfast/base/present';
import { describeCost, toDuration, counted, describeMoment } from '@holdfast/base/words';
import { toSize, toCount, toLine, toPlain } from './plain-text.ts';
import { fitLine, widthOf } from './fit.ts';
import { markLines, toVisible } from '@holdfast/base/visible';
import { countLine } from '../../core/agent/hypotheses/hypotheses-text.ts';
import { recoveryOf } from '@holdfast/base/failures';
import { type Json, isRecord } from '@holdfast/base/json';
import { describeOutcome, isMarked } from '@holdfast/vocabulary/call-outcome';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import { type CallOutcome, type CallTimes, inputTotal } from '@holdfast/vocabulary/messages';

/** The place of the lines; on a pipe they have any length. */
export type RenderPlace = {
  readonly width?: number | undefined;
  /** True if lines show the duration of calls. */
  readonly times?: boolean;
  /** True if questions are asked here, which show their subject. */
  readonly asks?: boolean;
  /** True if calls in flight and sent messages have their own rows until they are done. */
  readonly pins?: boolean;
};

/** `calls`: summary and start (workflow time) of calls in flight, from earlier events. */
export type EventContext = {
  colors: Colors;
  sessionId: string;
  calls: Map<string, { summary: string; at: number }>;
  now: () => number;
  place: RenderPlace;
};

/** Characters of a summary and of a preview, for lines of any length. */
const lineCharacters = 100;
/** Least characters of a preview beside a long summary; with fewer it gets its own row. */
const leastCharacters = 24;

export function describeEvent(event: AgentEvent, context: EventContext): string | undefined {
  const { colors, place } = context;
  switch (event.type) {
    case 'turn_start':
      return colors.bold(`turn ${event.turn ?? '?'}`);
    case 'message_end':
      return describeMessage(event, colors);
    case 'tool_execution_start':
      return describeCallStart(event, context);
    case 'tool_execution_end':
      return describeCallEnd(event, context);
    case 'policy_decision':
      return describeVerdict(event, colors);
    case 'approval_requested':
      return colors.yellow(describeRequest(event, context));
    case 'approval_resolved':
      return describeAnswer(event, colors);
    case 'allowance_forgotten':
      return colors.dim(
        `  ${event.allowance} (${toLine(event.tool)}) was taken back by ${toLine(event.actor)}`,
      );
    case 'question_asked':
      return colors.yellow(describeQuestionAsked(event, context));
    case 'question_answered':
      return event.text === undefined
        ? colors.red(`  no answer (${toLine(event.actor)})`)
        : colors.green(`  answered by ${toLine(event.actor)}: ${toLine(event.text, 300)}`);
    case 'wait_escalated':
      return colors.red(describeEscalation(event));
    case 'queue_update':
      // pinned until it is taken, and then in the log
      if (place.pins) return undefined;
      return colors.dim(`  » ${event.queue === 'steering' ? 'steering' : 'follow-up'} ${event.action}`);
    case 'hypotheses_update':
      return colors.cyan(`  ☰ hypotheses ${countLine(event)}`);
    case 'plan_update':
      return describePlanUpdate(event, colors);
    case 'condense_start':
      return colors.dim(`  condensing the view (${toLine(event.reason)})`);
    case 'memory_flush':
      return colors.dim(`  ${counted(event.facts, 'fact')} added to the notes`);
    case 'condense_end':
      return colors.dim(
        event.tokensAfter === event.tokensBefore
          ? '  not condensed: the view stays as it was'
          : `  condensed from ${toCount(event.tokensBefore)} to ${toCount(event.tokensAfter)} tokens`,
      );
    case 'warning':
      return colors.yellow(describeWarning(event, context.sessionId));
    case 'context_warning':
      return colors.yellow(`  ! ${toLine(event.message, 300)}`);
    case 'agent_end':
      return describeEnd(event, colors);
    default:
      return undefined;
  }
}

const askHuman = 'ask_human';

function describeCallStart(
  event: Of<'tool_execution_start'>,
  { calls, place, colors }: EventContext,
): string | undefined {
  const words = toVisible(event.summary ?? `${event.tool} ${event.rawArgs}`);
  const summary = toLine(words, summaryLimit(place));
  calls.set(event.callId, { summary, at: event.at });
  return place.pins || event.tool === askHuman ? undefined : colors.cyan(`  → ${summary}`);
}

function describeCallEnd(event: Of<'tool_execution_end'>, context: EventContext): string | undefined {
  const { colors, calls, place } = context;
  const { summary, at } = calls.get(event.callId) ?? { summary: toLine(event.tool), at: event.at };
  calls.delete(event.callId);
  // the question and its answer have lines of their own
  if (event.tool === askHuman && !event.isError) return undefined;
  const isMarkedEnd = isMarked(event.outcome, event.isError);
  const sign = event.outcome === 'simulated' ? '○' : isMarkedEnd ? '✗' : '✓';
  const mark = paintOf(colors, event.outcome, event.isError)(`  ${sign}`);
  const time = place.times ? ` · ${callTime(event.ran ?? { ms: event.at - at })}` : '';
  const answers = event.tool === 'delegate' ? describeDelegated(event, context) : [];
  if (answers.length > 0) return [`${mark} ${summary}${colors.dim(time)}`, ...answers].join('\n');
  const words = isMarkedEnd && event.outcome ? describeOutcome(event.outcome, event.why) : whatCame(event);
  const preview = describePreviewOf(words, `  ✓ ${summary}${time}`, place);
  return `${mark} ${summary}${colors.dim(`${time}${preview}`)}`;
}

/** The colour of a call's end. */
export function paintOf(colors: Colors, outcome: CallOutcome | undefined, isError = false): Colors['red'] {
  if (outcome === 'simulated') return colors.yellow;
  return isMarked(outcome, isError) ? colors.red : colors.green;
}

function describeVerdict(event: Of<'policy_decision'>, colors: Colors): string | undefined {
  // an allowed call is visible when it runs
  if (event.decision === 'allow') return undefined;
  const why = event.reason === undefined ? '' : `: ${toLine(event.reason)}`;
  return colors.yellow(`  ? ${toLine(event.tool)}: ${event.tier} says ${event.decision}${why}`);
}

/** A single line unchanged; for more, their number and size, because the first is usually a header. */
function whatCame({ text, size, isError }: Of<'tool_execution_end'>): string {
  return size === undefined || isError ? text : `${counted(size.lines, 'line')}, ${toSize(size.bytes)}`;
}

/** The duration of the call itself; a wait before it is no work. */
export function callTime({ ms, waitedMs }: Pick<CallTimes, 'ms' | 'waitedMs'>): string {
  return `${toDuration(ms)}${waitedMs === undefined ? '' : ` after a wait of ${toDuration(waitedMs)}`}`;
}

function summaryLimit({ width }: EventContext['place']): number {
  return width === undefined ? lineCharacters : Math.max(width - 4, leastCharacters);
}

/** In the rest of the row, or in its own row. */
function describePreviewOf(text: string, before: string, { width }: RenderPlace): string {
  if (width === undefined) return ` · ${toLine(text, lineCharacters) || 'no output'}`;
  const line = toLine(text, width) || 'no output';
  const rest = width - widthOf(before) - 3;
  if (rest >= leastCharacters || widthOf(line) <= rest) return ` · ${fitLine(line, rest)}`;
  return `\n    ${fitLine(line, Math.max(width - 4, leastCharacters))}`;
}

type Delegated = { agent: string; text: string; isError: boolean };

/** A text in JSON up to its end, or to its cut: never half of an escape, which would not parse. */
const jsonText = String.raw`"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*`;
const delegatedEntry = new RegExp(`"agent":(${jsonText}"),"(result|error)":(${jsonText})`, 'g');

/** The answers of a call's subagents. The text is JSON, of which an event has only the beginning. */
function delegatedResults(text: string): Delegated[] {
  const entries = text.matchAll(delegatedEntry);
  return [...entries].map(([, agent = '""', kind, words = '"']) => ({
    agent: String(JSON.parse(agent)),
    text: String(JSON.parse(`${words}"`)),
    isError: kind === 'error',
  }));
}

/** One line each. Those without room in the event were shown when the subagents ended. */
function describeDelegated(
  { text, details }: Of<'tool_execution_end'>,
  { colors, place }: EventContext,
): string[] {
  const results = delegatedResults(text);
  if (results.length === 0) return [];
  const lines = results.map(({ agent, text: answer, isError }) => {
    const name = `    ${toLine(agent, 40)}: `;
    const limit =
      place.width === undefined ? lineCharacters : Math.max(place.width - widthOf(name), leastCharacters);
    const line = `${name}${toLine(answer, limit)}`;
    return isError ? colors.red(line) : colors.dim(line);
  });
  const children = delegatedCount(details) - results.length;
  return children > 0 ? [...lines, colors.dim(`    … ${counted(children, 'more answer')}, above`)] : lines;
}

function delegatedCount(details: Json | undefined): number {
  return isRecord(details) && Array.isArray(details['children']) ? details['children'].length : 0;
}

/** With `times`, the model's duration for the reply that has just ended. */
export function modelTime(
  event: AgentEvent & { type: 'message_start' | 'message_end' },
  { calls, colors, place }: EventContext,
): string | undefined {
  if (event.role !== 'assistant') return undefined;
  const key = `message ${event.messageSeq}`;
  if (event.type === 'message_start') {
    calls.set(key, { summary: '', at: event.at });
    return undefined;
  }
  const started = calls.get(key);
  calls.delete(key);
  return started && place.times ? colors.dim(`  · model ${toDuration(event.at - started.at)}`) : undefined;
}

type Of<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

function describeMessage({ role, text }: Of<'message_end'>, colors: Colors): string | undefined {
  const plain = toPlain(text).trim();
  if (plain === '') return undefined;
  if (role === 'user') return colors.magenta(markLines(plain, '  » '));
  return role === 'assistant' ? markLines(plain) : undefined;
}

function describePlanUpdate({ done, total, step }: Of<'plan_update'>, colors: Colors): string {
  if (!step) return colors.cyan(`  ☰ plan of ${counted(total, 'step')}, ${done} done`);
  const note = step.note === undefined ? '' : colors.dim(` · ${toLine(step.note)}`);
  const line = `  ☰ plan ${done}/${total}: ${step.id} ${toLine(step.text)}: ${step.status.replace('_', ' ')}`;
  return `${(step.status === 'failed' ? colors.red : colors.cyan)(line)}${note}`;
}

/** A problem that only a person can fix comes with the commands to use afterwards. */
export function describeWarning({ code, message }: Of<'warning'>, sessionId: string): string {
  const line = `  ! ${toLine(withTyped(message), 300)}`;
  if (recoveryOf(code) !== 'wait_for_operator') return line;
  return `${line}\n    Waiting for you: fix the problem, then run "${typed(`resume ${sessionId}`)}", or "${typed(`abort ${sessionId}`)}".`;
}

function describeAnswer(event: Of<'approval_resolved'>, colors: Colors): string {
  const reason = event.reason ? `: ${toLine(event.reason)}` : '';
  const actor = toLine(event.actor);
  return event.approved
    ? colors.green(`  approved by ${actor}${reason}${describeRemembered(event)}`)
    : colors.red(`  ${['timer', 'stop'].includes(actor) ? 'not run' : `denied by ${actor}`}${reason}`);
}

const remembered = {
  call: 'remembered for this call',
  tool: 'remembered for every call of the tool',
} as const;

function describeRemembered({ allowance, remember }: Of<'approval_resolved'>): string {
  if (allowance === undefined) return '';
  return remember === undefined ? ` (by ${allowance})` : ` (${remembered[remember]}: ${allowance})`;
}

function describeQuestionAsked(
  { question, options, deadline }: Of<'question_asked'>,
  { now: clock, place }: EventContext,
): string {
  const head = '  ? the agent asks:';
  if (place.asks) return head;
  const now = clock();
  return [
    head,
    markLines(toPlain(question).trim()),
    ...describeOptions(options),
    `    No answer by ${describeMoment(deadline, now)} closes it.`,
  ].join('\n');
}

function describeEscalation({ at, waitsFor, summary, requestedAt }: Of<'wait_escalated'>): string {
  return `  ! ${waitsFor} escalated, no answer for ${toDuration(at - requestedAt)}: ${toLine(summary)}`;
}

function describeEnd(event: Of<'agent_end'>, colors: Colors): string {
  const tokens = `${toCount(inputTotal(event.usage))} tokens in, ${toCount(event.usage.output)} out`;
  return `${describeStatus(event, colors, 400)} ${colors.dim(`· ${tokens} · ${describeCost(event)}`)}`;
}

/** The event in the live view. */
function describeRequest(
  { tool, args, summary, reason, preview, deadline }: Of<'approval_requested'>,
  { now: clock, place, sessionId }: EventContext,
): string {
  const head = `  ? approval needed: ${toLine(summary)}`;
  // the question that follows shows the call, its preview, its reason and its deadline
  if (place.asks) return head;
  const now = clock();
  return present([
    `${head}${reason ? ` (${toLine(reason)})` : ''}`,
    args !== undefined && `    ${toCallLine({ tool, args })}`,
    ...describePreview(preview, describeWholeCommand(sessionId)),
    `    No answer by ${describeMoment(deadline, now)}: it does not run.`,
  ]).join('\n');
}
