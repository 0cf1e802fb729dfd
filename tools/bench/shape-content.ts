// The real shape: a working agent's turn has 8 reads of 32 KB, a shell command, and the largest possible write.
// Pure.
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import { replyOf, toolText } from './content.ts';

export const reads = 8;
/** Leaves the room that a result needs below its cap. */
export const readBytes = 31_900;
/** Arguments have at most 224 KiB. */
export const writeBytes = 220_000;

export const readPath = (part: number) => `part-${part}.log`;
export const commandAt = (turn: number) => `wc -c ${readPath(1)} # ${turn}`;

export type ShapeFolders = {
  /** The folder of the files that are read. */
  readable: string;
  writable: string;
};

/** Log-like lines of this many bytes. */
export function logText(bytes: number): string {
  const piece = toolText(7);
  return piece.repeat(Math.ceil(bytes / piece.length)).slice(0, bytes);
}

const written = logText(writeBytes);

/** The reply of one turn: all calls at once, or after the last turn the answer. */
export function shapeReplyOf(
  turn: number,
  turns: number,
  { readable, writable }: ShapeFolders,
): AssistantMessage {
  if (turn > turns) return replyOf(turn, turns);
  const calls: [string, object][] = [
    ...Array.from({ length: reads }, (_, part): [string, object] => ['read', { path: readPath(part) }]),
    ['bash', { command: commandAt(turn), cwd: readable }],
    ['write', { path: `${writable}/${turn}.txt`, content: written }],
  ];
  const content = calls.map(([name, input], index) => ({
    type: 'tool_call' as const,
    callId: `call-${turn}-${index}`,
    name,
    arguments: JSON.stringify(input),
  }));
  return { ...replyOf(turn, turns), content };
}
