// The sessions above and below in the current details of the Temporal UI: each with a link to its page, and those that run or
// wait first. Markdown.
import { counted, describeCost } from '../core/base/words.ts';
import { plainLine } from '../core/base/plain-markdown.ts';
import type { Child } from '../core/model/children.ts';
import type { WaitingFor } from '../core/model/events.ts';

const shownRunning = 20;
const shownEnded = 5;

/** Of the Temporal UI, whatever its address. */
function pageOf(sessionId: string, namespace: string): string {
  return `/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(sessionId)}`;
}

export function childrenLines(
  children: readonly Child[],
  waitingFor: (sessionId: string) => WaitingFor | undefined,
  namespace: string,
): string[] {
  if (children.length === 0) return [];
  const running = children.filter(({ state }) => state === 'running');
  const ended = children.filter(({ state }) => state !== 'running');
  const line = (child: Child): string => {
    const { id, prefix, name, state, status, task } = child;
    const waits = waitingFor(id);
    const how = state === 'running' ? (waits ? `**waits for ${waits}**` : 'runs') : (status ?? state);
    const cost = state === 'running' ? '' : `, ${describeCost(child)}`;
    return `- ${plainLine(prefix)} [${plainLine(name)}](${pageOf(id, namespace)}) ${how}${cost}: ${plainLine(task)}`;
  };
  // who waits is looked for first
  const first = running.toSorted((one, other) => Number(!waitingFor(one.id)) - Number(!waitingFor(other.id)));
  return [
    `- subagents: ${running.length} running, ${counted(ended.length, 'other')}`,
    ...first.slice(0, shownRunning).map(line),
    ...ended.slice(-shownEnded).map(line),
  ];
}

export function parentLine(parent: { sessionId: string } | undefined, namespace: string): string[] {
  if (!parent) return [];
  const { sessionId } = parent;
  return [`- subagent of [${plainLine(sessionId)}](${pageOf(sessionId, namespace)})`];
}
