// Shows a running session: one line for each event, and the model's text while it is being written. Prints each character
// of a reply once, even if an attempt starts over. Pure but for `write`.
import { describeCost, newText } from '@holdfast/base/words';
import type { Heard } from '../../client.ts';
import type { Origin } from '../../client/subscription.ts';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import type { MessageUpdate } from '@holdfast/vocabulary/session-events';
import type { Output } from '../cli.ts';
import { withTyped } from '../../config/command-line.ts';
import { type EventContext, type RenderPlace, describeEvent, modelTime } from './describe-event.ts';
import { noColors } from '../colors.ts';
import { taskFailed, toLine, toPlain } from './plain-text.ts';

export function createSessionRenderer(
  { colors, terminal }: Pick<Output, 'colors' | 'terminal'>,
  sessionId: string,
  place: RenderPlace & { write(text: string): void; ring(): void },
  now: () => number = Date.now,
) {
  const { write } = place;
  const context: EventContext = { colors, sessionId, calls: new Map(), now, place };
  const contextOf = createChildContexts(context);
  const text = createLiveText(write);
  const print = (line: string | undefined): void => {
    if (line === undefined) return;
    text.interrupt();
    write(`${line}\n`);
  };
  /** Prints a line that no event has: yellow, with the mark of a warning. */
  const warn = (line: string): void => print(colors.yellow(`  ! ${line}`));

  function showEvent(event: AgentEvent & Partial<Origin>): void {
    if (event.type === 'subagent_start' || event.type === 'subagent_end')
      return print(describeBegun(event, context));
    if (event.sessionId !== undefined) return print(describeChildEvent(event, contextOf(event)));
    if (event.type === 'turn_start') text.close();
    const ownWords = event.type === 'message_end' && event.role === 'assistant';
    // its text was shown as it came
    if (!(ownWords && text.close(event.text))) print(describeEvent(event, context));
    const took =
      event.type === 'message_start' || event.type === 'message_end' ? modelTime(event, context) : undefined;
    if (took !== undefined) print(took);
    if (event.type === 'wait_escalated') place.ring();
  }

  function show(heard: Heard): void {
    switch (heard.type) {
      case 'message_update':
        // concurrent replies would be unreadable
        return terminal && heard.sessionId === undefined ? text.update(heard) : undefined;
      case 'tool_execution_update':
        return undefined;
      case 'gap': {
        const { fromSeq, toSeq, snapshot } = heard;
        const state = `now turn ${snapshot.turn}, ${snapshot.state}`;
        const of = heard.path === undefined ? '' : ` of ${toPlain(heard.path)}`;
        return print(colors.yellow(`  … events ${fromSeq} to ${toSeq}${of} are no longer kept; ${state}`));
      }
      case 'unanswered':
        return warn(`${toLine(withTyped(heard.message), 300)} Waiting.`);
      default:
        return showEvent(heard);
    }
  }
  return { show, warn, /** Ends an open line. */ close: () => void text.close() };
}

const margin = '  │ ';

/** The text of the current reply: in one open line, or in more if other lines interrupt it. */
function createLiveText(write: (text: string) => void) {
  let shown = '';
  let isOpen = false;
  let attempt = 0;

  function add(piece: string): void {
    const plain = toPlain(piece);
    if (plain === '') return;
    if (!isOpen) write(margin);
    isOpen = true;
    write(plain.replaceAll('\n', `\n${margin}`));
    shown += plain;
  }

  function interrupt(): void {
    if (isOpen) write('\n');
    isOpen = false;
  }

  /** Heartbeats keep only the newest text: a reset without a new attempt means that some of it was missed. */
  function startOver(isRepeated: boolean): void {
    if (shown === '') return;
    if (!isRepeated) return add(' … ');
    interrupt();
    write('  (again)\n');
    shown = '';
  }

  return {
    /** Called before another line; the shown part of the reply is not repeated. */
    interrupt,
    update({ delta, attempt: current, seq }: MessageUpdate): void {
      if (delta.type === 'reset') startOver(current !== attempt || seq === 1);
      attempt = current;
      if (delta.type === 'text') add(delta.text);
    },
    /** Adds the rest of `whole` if its beginning was shown, and returns true then. */
    close(whole?: string): boolean {
      if (shown === '') return false;
      if (whole !== undefined) add(newText(shown, toPlain(whole)) ?? '');
      interrupt();
      shown = '';
      return true;
    },
  };
}

const defaultWidth = 80;
/** Characters of a path; its end identifies it best. */
const nameCharacters = 30;

type Begun = Extract<AgentEvent, { type: 'subagent_start' | 'subagent_end' }>;

/** For the followed session, and for every subagent. */
function describeBegun(event: Begun & Partial<Origin>, { colors, place }: EventContext): string {
  const { width = defaultWidth } = place;
  const { prefix, agent, path = event.name, depth } = event;
  const head = `${'  '.repeat(depth)}${prefix} ${nameOf(path)}`;
  if (event.type === 'subagent_start') {
    return `${colors.cyan(head)}: ${toLine(event.task, Math.max(20, width - head.length - 2))}`;
  }
  const { status, completion, isError } = event;
  const hasFailed = completion === 'failed' && status === 'completed';
  const isGood = status === 'completed' && !isError && !hasFailed;
  const words = hasFailed ? taskFailed : status;
  return `${(isGood ? colors.green : colors.red)(`${head} ${words}`)} ${colors.dim(`· ${agent} · ${describeCost(event)}`)}`;
}

const shownWhole: ReadonlySet<string> = new Set([
  'approval_requested',
  'question_asked',
  'wait_escalated',
  'warning',
]);
/** Other lines show its turns and its end, and its first messages are its task. */
const unseen: ReadonlySet<string> = new Set(['turn_start', 'agent_end']);

/** Undefined for an event that is not shown. `context` is the subagent's own. */
function describeChildEvent(event: AgentEvent & Partial<Origin>, context: EventContext): string | undefined {
  const isPrompt = event.type === 'message_end' && event.role === 'user';
  if (unseen.has(event.type) || isPrompt) return undefined;
  const text = describeEvent(event, { ...context, colors: noColors });
  if (text === undefined) return undefined;
  const { colors, place } = context;
  const { width = defaultWidth } = place;
  const head = `${'  '.repeat(event.depth ?? 1)}${nameOf(event.path ?? '')} │ `;
  if (shownWhole.has(event.type)) {
    const lines = text.split('\n').map((line) => `${colors.dim(head)}${line.slice(2)}`);
    return colors.yellow(lines.join('\n'));
  }
  return `${colors.dim(head)}${toLine(text.replaceAll(/^ {2}│ /gm, ''), Math.max(20, width - head.length))}`;
}

/** One for each subagent, because call ids are unique in one session only. */
function createChildContexts(context: EventContext): (heard: Heard) => EventContext {
  const contexts = new Map<string, EventContext>();
  return ({ sessionId = '' }) => {
    const own = contexts.get(sessionId) ?? { ...context, calls: new Map() };
    contexts.set(sessionId, own);
    return own;
  };
}

function nameOf(path: string): string {
  return path.length <= nameCharacters ? path : `…${path.slice(1 - nameCharacters)}`;
}
