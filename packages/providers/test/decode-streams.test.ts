// Every recorded stream, through the real SDK over HTTP, decodes to the same message however its bytes are cut.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadStream, recordedStreams } from '../../../test/support/recordings.ts';
import { startReplayServer } from '../../../test/support/replay-server.ts';
import { sharedMissing, sharedPath } from '../../../test/support/shared.ts';
import { cutEvery, everyByte, toSse } from '../../../test/support/sse.ts';
import type { Wire, WireEvent } from '../../../test/support/sse.ts';
import { callOptions, modelRequest } from '../../../test/support/model-calls.ts';
import { providerFor } from '../../../test/support/providers.ts';
import type { AssistantMessage } from '@holdfast/vocabulary/messages';

const data = 'data/model-streams';
const missing = sharedPath(data) === undefined;

describe.skipIf(missing)(missing ? sharedMissing(data) : 'recorded streams', () => {
  test.each(recordedStreams)(
    '$wire $file: whole, byte by byte and cut at random are one message',
    async ({ wire, file }) => {
      for (const events of loadStream(wire, file)) {
        const sse = toSse(wire, events);
        const whole = await decode(wire, [sse]);
        expect(gist(whole)).toEqual(recordedGist(wire, events));
        expect(await decode(wire, everyByte(sse))).toEqual(whole);
        for (const sizes of fc.sample(fc.infiniteStream(fc.integer({ min: 1, max: 200 })), {
          numRuns: 3,
          seed: 7,
        })) {
          expect(
            await decode(
              wire,
              cutEvery(sse, () => sizes.next().value ?? 1),
            ),
          ).toEqual(whole);
        }
      }
    },
    60_000,
  );

  // Chat Completions has no event that begins a message
  test.each(recordedStreams.filter(({ wire }) => wire !== 'openai-chat'))(
    '[LOOP-14c] $wire $file: withdrawn before its end, sent again and reset behind it is one message',
    async ({ wire, file }) => {
      for (const events of loadStream(wire, file)) {
        const whole = await decode(wire, [toSse(wire, events)]);
        for (const count of [1, Math.floor(events.length / 2), events.length - 1]) {
          const sse = toSse(wire, [...events.slice(0, count), ...events]);
          expect(await decode(wire, [sse], 'reset')).toEqual(whole);
        }
      }
    },
  );
});

async function decode(
  wire: Wire,
  chunks: (string | Uint8Array)[],
  ending: 'end' | 'reset' = 'end',
): Promise<AssistantMessage> {
  const server = await startReplayServer();
  server.answer({ chunks, ending });
  const { provider, model } = providerFor(wire, server.url);
  const request = modelRequest({
    model,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }], origin: 'prompt' }],
  });
  return (await provider.call(request, callOptions())).message;
}

type Gist = { text: string; thinking: string; argumentTexts: string };

function gist({ content }: AssistantMessage): Gist {
  const joined = (parts: string[]): string => parts.join('');
  return {
    text: joined(content.flatMap((part) => (part.type === 'text' ? [part.text] : []))),
    thinking: joined(content.flatMap((part) => (part.type === 'thinking' ? [part.text] : []))),
    argumentTexts: joined(content.flatMap((part) => (part.type === 'tool_call' ? [part.arguments] : []))),
  };
}

/** Where each kind of text stands in an event, by dialect: read without any of our code. One recording lacks deltas. */
const textPaths: Record<Wire, Record<keyof Gist, (event: WireEvent) => unknown>> = {
  'openai-chat': {
    text: (event) => at(event, 'choices', 0, 'delta', 'content'),
    thinking: () => undefined,
    argumentTexts: (event) => at(event, 'choices', 0, 'delta', 'tool_calls', 0, 'function', 'arguments'),
  },
  anthropic: {
    text: (event) => at(event, 'delta', 'text'),
    thinking: (event) => at(event, 'delta', 'thinking'),
    argumentTexts: (event) => at(event, 'delta', 'partial_json'),
  },
  'openai-responses': {
    text: (event) => event['type'] === 'response.output_text.done' && event['text'],
    thinking: (event) => event['type'] === 'response.reasoning_summary_text.done' && event['text'],
    argumentTexts: (event) => event['type'] === 'response.function_call_arguments.done' && event['arguments'],
  },
};

function recordedGist(wire: Wire, events: WireEvent[]): Gist {
  const join = (path: (event: WireEvent) => unknown): string =>
    events
      .map(path)
      .filter((part) => typeof part === 'string')
      .join('');
  const { text, thinking, argumentTexts } = textPaths[wire];
  return { text: join(text), thinking: join(thinking), argumentTexts: join(argumentTexts) };
}

function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => Object(inner)[key], value);
}
