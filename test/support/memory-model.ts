// Replies for the in-memory session, and a model that says them one after the other.
import type { AssistantContent, AssistantMessage } from '@holdfast/vocabulary/messages';
import type { ModelOutcome } from '../../src/core/loop/effects.ts';
import type { MemoryModel } from './memory-session.ts';

export function reply(
  content: AssistantContent[],
  overrides: Partial<AssistantMessage> = {},
): AssistantMessage {
  const called = content.some((part) => part.type === 'tool_call');
  return {
    role: 'assistant',
    content,
    model: { provider: 'memory', id: 'test' },
    usage: { input: 10, cacheRead: 0, cacheWrite: 0, output: 5 },
    stopReason: called ? 'tool_use' : 'stop',
    ...overrides,
  };
}

export function says(text: string, overrides: Partial<AssistantMessage> = {}): AssistantMessage {
  return reply([{ type: 'text', text }], overrides);
}

/** `id` or `id:tool` or `id:tool:arguments`; the tool is `echo` unless named. */
export function calls(...wanted: string[]): AssistantMessage {
  return reply(
    wanted.map((call) => {
      const [callId = '', name = 'echo', ...args] = call.split(':');
      return { type: 'tool_call', callId, name, arguments: args.join(':') || '{}' };
    }),
  );
}

export function fails(
  code: string,
  recovery: Extract<ModelOutcome, { type: 'failed' }>['recovery'] = 'fail',
): ModelOutcome {
  return { type: 'failed', failure: { code, message: `It broke: ${code}` }, recovery };
}

/** One answer after the other; a request too many fails the test by its answer's absence. */
export function inTurn(...answers: (AssistantMessage | ModelOutcome)[]): MemoryModel {
  let next = 0;
  return () => {
    const answer = answers[next++];
    if (!answer) throw new Error(`Unexpected model request ${next}: only ${answers.length} were expected`);
    return answer;
  };
}

/** A promise that the test settles, to hold a call in flight. */
export function gate<T>(): { promise: Promise<T>; open: (value: T) => void; refuse: (error: Error) => void } {
  return withNames(Promise.withResolvers<T>());
}

function withNames<T>({ promise, resolve, reject }: PromiseWithResolvers<T>) {
  return { promise, open: (value: T): void => resolve(value), refuse: (error: Error): void => reject(error) };
}
