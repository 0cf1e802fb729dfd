// Images through a whole session, stored apart or sent with their message.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { overtaken } from '../../src/core/session/inbox.ts';
import { createClient, userMessage } from '../../src/client.ts';
import type { Connection } from '@temporalio/client';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';

test('[MSG-03ab] [MSG-12a] images in seed, prompt, steer and followUp reach the model as they were given, text first', async () => {
  const seen: string[][] = [];
  const model = functionModel(async ({ number, request, options }) => {
    const parts = request.messages.flatMap((message) => (message.role === 'user' ? message.content : []));
    seen.push(
      await Promise.all(
        parts.map(async (part) =>
          part.type === 'text' ? part.text : Buffer.from(await options.loadImage(part)).toString('latin1'),
        ),
      ),
    );
    return number === 1 ? { calls: [{ tool: 'echo', args: { text: 'a' } }] } : { text: `answer ${number}` };
  });
  const bench = await createSessionBench({ model, workerless: true });
  const { holdfast } = bench;
  const apart = createClient({
    connection: bench.client.connection as Connection,
    namespace: 'default',
    taskQueue: bench.taskQueue,
  });
  const id = `images-${bench.name}`;
  const bytes = (name: string) => Buffer.from(`bytes of ${name}`);
  const stored = (name: string) => holdfast.session(id).image(bytes(name), 'image/png');
  const inline = (name: string) => apart.session(id).image(bytes(name), 'image/jpeg');
  expect(await inline('x')).toMatchObject({ data: bytes('x').toString('base64') });
  expect(await stored('prompt')).toEqual({
    type: 'image',
    artifactId: expect.stringMatching(/^image-[0-9a-f]{32}$/),
    mediaType: 'image/png',
    sha256: createHash('sha256').update(bytes('prompt')).digest('hex'),
  });
  const input = {
    agent: 'tester',
    messages: [userMessage('seed', [await stored('seed')])],
    prompt: userMessage('prompt', [await stored('prompt'), await inline('second')]),
  };
  await holdfast.start(input, { sessionId: id });
  await holdfast.session(id).steer(userMessage('steer', [await inline('steer')]));
  await holdfast.session(id).followUp(userMessage('follow', [await stored('follow')]));
  await bench.addWorker();
  expect(await holdfast.session(id).result()).toMatchObject({ status: 'completed', answer: 'answer 3' });
  const all = ['seed', 'bytes of seed', 'prompt', 'bytes of prompt', 'bytes of second'];
  expect(seen.at(-1)).toEqual([...all, 'steer', 'bytes of steer', overtaken, 'follow', 'bytes of follow']);
  expect(await holdfast.session(id).snapshot()).toMatchObject({ task: 'prompt' });
});
