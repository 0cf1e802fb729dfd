// A tool's context for tests that run a handler by itself: no session behind it.
import type { ToolContext } from '../../../src/config/define-config.ts';

export function toolContext(callId: string): ToolContext {
  const context: Partial<ToolContext> = {
    callId,
    attempt: 1,
    idempotencyKey: `session/${callId}`,
    signal: new AbortController().signal,
    onUpdate: () => undefined,
    addOutput: () => Promise.resolve(),
    redact: (text) => text,
  };
  return context as ToolContext;
}
