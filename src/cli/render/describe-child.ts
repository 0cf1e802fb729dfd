// The messages and work of a subagent, in lines beside those of the session above it: each begins with its name, and is
// cut to the width of a screen unless people must read it whole. Pure.
import pc from 'picocolors';
import type { AgentEvent } from '../../core/model/events.ts';
import type { Heard, Origin } from '../../client.ts';
import { type EventContext, describeEvent } from './describe-event.ts';
import { describeCost } from '../../core/base/words.ts';
import { taskFailed, toLine } from './plain-text.ts';

const defaultWidth = 80;
/** Characters of a path; its end identifies it best. */
const nameCharacters = 30;
const plain = pc.createColors(false);

type Begun = Extract<AgentEvent, { type: 'subagent_start' | 'subagent_end' }>;

/** For the followed session, and for every subagent. */
export function describeBegun(event: Begun & Partial<Origin>, { colors, place }: EventContext): string {
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
export function describeChildEvent(
  event: AgentEvent & Partial<Origin>,
  context: EventContext,
): string | undefined {
  const isPrompt = event.type === 'message_end' && event.role === 'user';
  if (unseen.has(event.type) || isPrompt) return undefined;
  const text = describeEvent(event, { ...context, colors: plain });
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
export function createChildContexts(context: EventContext): (heard: Heard) => EventContext {
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
