// A tool's context for tests that run a handler by itself: no session behind it.
import type { ToolContext } from '../../../src/config/define-config.ts';

export function toolContext(callId: string): ToolContext {
  return {
    sessionId: 'session',
    runId: 'run',
    turn: 1,
    callId,
    attempt: 1,
    idempotencyKey: `session/${callId}`,
    signal: new AbortController().signal,
    onUpdate: () => undefined,
    addOutput: () => Promise.resolve(),
    redact: (text) => text,
    artifacts: {
      id: 'broken',
      put: () => Promise.reject(new Error('not used')),
      get: () => Promise.resolve(undefined),
    },
    transcript: () => Promise.resolve([]),
    toolSpec: () => undefined,
  };
}
