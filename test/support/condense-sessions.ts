// Sessions in memory whose provider counts what a test says, so that a condense comes where the test wants it.
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import type { ModelOutcome } from '../../src/core/loop/effects.ts';
import type { MemoryRequest } from './memory-session.ts';

export const task = 'Why is checkout slow since noon?';

/** A turn with one call of `look`, as a provider would count it. */
export function look(number: number, inputTokens: number): AssistantMessage {
  return {
    role: 'assistant',
    content: [{ type: 'tool_call', callId: `c${number}`, name: 'look', arguments: `{"n":${number}}` }],
    model: { provider: 'scripted', id: 'test' },
    usage: { input: inputTokens, cacheRead: 0, cacheWrite: 0, output: 10 },
    stopReason: 'tool_use',
  };
}

export function answer(text: string, inputTokens = 100): AssistantMessage {
  return { ...look(0, inputTokens), content: [{ type: 'text', text }], stopReason: 'stop' };
}

/** The provider says that the request is longer than its window. */
export const refused: ModelOutcome = {
  type: 'failed',
  recovery: 'condense',
  failure: { code: 'Model.ContextOverflow', message: 'too long' },
};

/** Calls `look` for so many turns with the tokens that `count` gives, then answers. */
export function looker(
  turns: number,
  count: (turn: number) => number,
): (request: MemoryRequest) => AssistantMessage {
  return ({ input }) => (input.turn <= turns ? look(input.turn, count(input.turn)) : answer('Done.'));
}
