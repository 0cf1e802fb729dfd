// Parent and children of a session in the current details of the Temporal UI: each with a link to its page, running or
// waiting ones first. Markdown. Runs in the workflow.
import { counted, describeCost } from '../core/base/words.ts';
import { plainLine } from '../core/base/plain-markdown.ts';
import type { Child } from '../core/model/children.ts';
import type { WaitingFor } from '../core/model/events.ts';

const shownRunning = 20;
const shownEnded = 5;

/** Path in the Temporal UI, at any address. */
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
  // waiting children come first
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
