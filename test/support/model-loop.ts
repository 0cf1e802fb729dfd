// The real loop in memory with a model over HTTP: the real SDK against the replay server, and the real preparation
// of its calls.
import { z } from 'zod';
import { classifyFailure } from '@holdfast/providers/classify-failure';
import { createPrepareCalls } from '../../src/activities/model/prepare-calls.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import { recoveryOf } from '@holdfast/base/failures';
import type { ModelOutcome } from '../../src/core/loop/effects.ts';
import type { AssistantContent, StopReason } from '@holdfast/vocabulary/messages';
import { chatEndpoint } from '@holdfast/scripted-model/chat-wire';
import { messagesEndpoint } from '@holdfast/scripted-model/messages-wire';
import { callOptions, modelRequest } from './model-calls.ts';
import { MemorySession, type MemoryOptions } from './memory-session.ts';
import { providerFor } from './providers.ts';
import { startReplayServer } from './replay-server.ts';
import type { Answer, ReplayServer } from './replay-server.ts';

/** Vendors whose streams are made here from parts. */
export const loopWires = ['openai-chat', 'anthropic'] as const;
export type LoopWire = (typeof loopWires)[number];

const echo = defineTool({
  name: 'echo',
  description: 'Gives back a text.',
  input: z.strictObject({ text: z.string() }),
  effect: 'read',
  run: ({ text }) => Promise.resolve({ text }),
});

export type HttpSession = { session: MemorySession; server: ReplayServer };

/** A session whose only tool is `echo` with a text; the server answers in the order given. */
export async function httpSession(
  wire: LoopWire,
  answers: Answer[],
  options: Partial<MemoryOptions> = {},
): Promise<HttpSession> {
  const server = await startReplayServer();
  server.answer(...answers);
  const { provider, model } = providerFor(wire, server.url);
  const prepare = createPrepareCalls({
    tools: new Map([['echo', echo]]),
    policy: [],
    redactor: createRedactor([]),
  });
  const { name, description, parameters } = echo.spec;
  const tools = [{ name, description, parameters }];
  const session: MemorySession = new MemorySession({
    model: async ({ messages, toolChoice }, signal) => {
      const request = modelRequest({ model, messages, toolChoice, tools });
      try {
        const { message } = await provider.call(request, callOptions({ signal }));
        return message;
      } catch (error) {
        return toOutcome(error);
      }
    },
    tools: { echo: ({ args }) => String(Object(JSON.parse(args)).text) },
    specs: { echo: { parameters } },
    prepare: (message) => prepare(message, session.context),
    ...options,
  });
  return { session, server };
}

/** As the activity would report it when its retries are over. */
function toOutcome(error: unknown): ModelOutcome {
  const { type, message } = classifyFailure(error);
  return { type: 'failed', failure: { code: type, message }, recovery: recoveryOf(type) };
}

/** A whole stream with this content, whatever its stop reason says. */
export function streamOf(wire: LoopWire, content: AssistantContent[], stopReason: StopReason): Answer {
  const usage = { input: 100, cacheRead: 0, cacheWrite: 0, output: 10 };
  const frames = (wire === 'anthropic' ? messagesEndpoint : chatEndpoint).frames(
    { content, stopReason, usage },
    'model',
  );
  const chunks = frames.map(({ event, data }) =>
    event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`,
  );
  return { chunks };
}

export function callOf(callId: string, args: string, name = 'echo'): AssistantContent {
  return { type: 'tool_call', callId, name, arguments: args };
}

export function textAnswerOf(wire: LoopWire, text: string): Answer {
  return streamOf(wire, [{ type: 'text', text }], 'stop');
}
