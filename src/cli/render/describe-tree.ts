// A session and its subagents as a tree of lines, each with its agent, state and cost. Pure.
import { present } from '@holdfast/base/present';
import { counted, describeCost } from '@holdfast/base/words';
import type { Colors } from '../colors.ts';
import type { SessionTree } from '../../client.ts';
import { taskFailed, toLine } from './plain-text.ts';

const width = 80;
/** Characters of a name, which leave room for the state. */
const nameCharacters = 40;

export function describeTree(tree: SessionTree, colors: Colors): string {
  return linesOf(tree, colors, { head: '', body: tree.children.length > 0 ? '│ ' : '  ', below: '' }).join(
    '\n',
  );
}

/** The text before the first line of a node, before its other lines, and before the nodes below it. */
type Margins = { head: string; body: string; below: string };

function linesOf(node: SessionTree, colors: Colors, { head, body, below }: Margins): string[] {
  const { prefix, name, agent, depth, children } = node;
  const who = toLine([prefix, depth === 0 ? agent : name].filter(Boolean).join(' '), nameCharacters);
  return [
    `${head}${colors.bold(who)}  ${describeState(node, colors)}`,
    `${body}${colors.dim(toLine(node.task, width - body.length))}`,
    ...children.flatMap((child, index) => {
      const isLast = index === children.length - 1;
      const inner = `${below}${isLast ? '   ' : '│  '}`;
      const margins = {
        head: `${below}${isLast ? '└─ ' : '├─ '}`,
        body: `${inner}${child.children.length > 0 ? '│ ' : '  '}`,
        below: inner,
      };
      return linesOf(child, colors, margins);
    }),
  ];
}

function describeState(node: SessionTree, colors: Colors): string {
  const { state, status, completion, waitingFor, waitingReason, turns, depth } = node;
  const hasEnded = state === 'ended' || (depth === 0 && state === 'idle' && waitingFor === undefined);
  const hasFailed = completion === 'failed' && status === 'completed';
  const words = !hasEnded ? state : hasFailed ? taskFailed : (status ?? 'ended');
  const isGood = status === 'completed' && !hasFailed;
  const paint = !hasEnded ? colors.cyan : isGood ? colors.green : colors.red;
  const isWaiting = waitingFor !== undefined && waitingFor !== 'prompt' && !hasEnded;
  return present([
    isWaiting
      ? colors.yellow(toLine(`waiting for ${waitingFor}${waitingReason ? ` (${waitingReason})` : ''}`, width))
      : paint(words),
    turns !== undefined && counted(turns, 'turn'),
    describeCost(node),
  ]).join(' · ');
}
