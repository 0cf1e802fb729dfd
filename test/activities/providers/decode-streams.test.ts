// Every recorded stream, through the real SDK over HTTP, decodes to the same message however its bytes are cut.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadStream, recordedStreams } from '../../support/recordings.ts';
import { startReplayServer } from '../../support/replay-server.ts';
import { sharedMissing, sharedPath } from '../../support/shared.ts';
import { cutEvery, everyByte, toSse } from '../../support/sse.ts';
import type { Wire } from '../../support/sse.ts';
import { callOptions, modelRequest } from '../../support/model-calls.ts';
import { providerFor } from '../../support/providers.ts';
import type { AssistantMessage } from '../../../src/core/messages.ts';

const data = 'data/model-streams';
const missing = sharedPath(data) === undefined;

describe.skipIf(missing)(missing ? sharedMissing(data) : 'recorded streams', () => {
  test.each(recordedStreams)(
    '$wire $file: whole, byte by byte and cut at random are one message',
    async ({ wire, file }) => {
      for (const events of loadStream(wire, file)) {
        const sse = toSse(wire, events);
        const whole = await decode(wire, [sse]);
        expect(whole.content.length).toBeGreaterThan(0);
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
});

async function decode(wire: Wire, chunks: (string | Uint8Array)[]): Promise<AssistantMessage> {
  const server = await startReplayServer();
  server.answer({ chunks });
  const { provider, model } = providerFor(wire, server.url);
  const request = modelRequest({
    model,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }], origin: 'prompt' }],
  });
  return (await provider.call(request, callOptions())).message;
}
