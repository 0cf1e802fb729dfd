// What a summariser is asked: the conversation as plain text, cut where it is long, and what must survive. Pure.
import type { Message } from './messages.ts';
import { textOf, toolCallsOf } from './messages.ts';

/** Characters of arguments and of results in the rendered conversation (COND-14). */
const argumentCharacters = 200;
const resultCharacters = 500;

export const summarySystemPrompt =
  'You condense the working notes of an agent that investigates an incident, so that it can go on without them. ' +
  'Keep what is exact: names, numbers, times, paths, ids, error texts. Leave out what led nowhere, but say that it was ruled out.';

/** The one user message of the request. `task` is repeated, because the summary replaces the message that held it. */
export function summaryPrompt(messages: readonly Message[], task: string, maxTokens: number): string {
  const words = Math.round(maxTokens * 0.7);
  return [
    `The task:\n${task}`,
    `The work so far:\n${messages.map(render).filter(Boolean).join('\n')}`,
    'Write the notes that replace this: goal, findings, resources (hosts, files, queries), decisions, done, pending, ' +
      `state of the system, next steps. At most ${words} words.`,
  ].join('\n\n');
}

function render(message: Message): string {
  switch (message.role) {
    case 'user':
      return `user: ${textOf(message)}`;
    case 'assistant': {
      const calls = toolCallsOf(message).map(
        (call) => `call ${call.name} ${cut(call.arguments, argumentCharacters)}`,
      );
      return [`assistant: ${textOf(message)}`, ...calls].join('\n');
    }
    case 'tool_result':
      return `result of ${message.toolName}: ${cut(textOf(message), resultCharacters)}`;
    case 'custom':
      return '';
  }
}

function cut(text: string, characters: number): string {
  return text.length <= characters
    ? text
    : `${text.slice(0, characters)} [${text.length - characters} more characters]`;
}
