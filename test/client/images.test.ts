// Images for messages: stored where there is a store, inside the message where there is none, refused beyond.
import { expect, test } from 'vitest';
import { copyArtifacts } from '../../src/activities/context/session-artifacts.ts';
import { loadImage } from '../../src/activities/model/request-artifacts.ts';
import { placeImage, userMessage } from '../../src/client/images.ts';
import { messageSchema } from '@holdfast/vocabulary/messages.schema';
import { createMemoryArtifactStore } from '../../src/in-process/memory-artifact-store.ts';
import { markedName } from '@holdfast/stored/session-names';
import { memoryStore, sessionId } from '../support/model-bench.ts';

const png = 'image/png';

test('[MSG-03c] with a store the bytes go there, and the part names them', async () => {
  const store = memoryStore();
  const bytes = Buffer.alloc(300 * 1024, 7);
  const image = await placeImage(store, sessionId, bytes, png);
  expect(Object.keys(image).toSorted()).toEqual(['artifactId', 'mediaType', 'sha256', 'type']);
  expect(Buffer.from(await loadImage(store, sessionId, image))).toEqual(bytes);
  expect(messageSchema.parse(userMessage('look', [image]))).toEqual({
    role: 'user',
    origin: 'prompt',
    content: [{ type: 'text', text: 'look' }, image],
  });
});

test('[MSG-03d] without a shared store an image over 128 KiB is refused with that reason', async () => {
  const largest = Buffer.alloc(128 * 1024, 7);
  const image = await placeImage(undefined, sessionId, largest, png);
  expect(Buffer.from(await loadImage(memoryStore(), sessionId, image))).toEqual(largest);
  expect(messageSchema.safeParse(userMessage('', [image])).success).toBe(true);
  await expect(placeImage({}, sessionId, Buffer.alloc(128 * 1024 + 1), png)).rejects.toMatchObject({
    code: 'TooLarge',
    message: expect.stringMatching(/shares no artifact store.*128 KiB/s),
  });
});

test('[MSG-03c] an image that the worker lacks, or that is another one, is named', async () => {
  const store = memoryStore();
  const image = await placeImage(store, sessionId, Buffer.from('a'), png);
  await expect(loadImage(memoryStore(), sessionId, image)).rejects.toThrow(/not in the artifact store/);
  await store.put(sessionId, image.artifactId, 'b');
  await expect(loadImage(store, sessionId, image)).rejects.toThrow(/SHA-256 differs/);
});

test('a media type that is none is refused', async () => {
  await expect(placeImage(undefined, sessionId, Buffer.from('a'), 'text/html')).rejects.toMatchObject({
    code: 'InvalidInput',
  });
});

test('[STATE-20d] a session under a used id has its images: those that a client sent, and those that an import copied', async () => {
  const store = createMemoryArtifactStore();
  const sent = await placeImage(store, 'inc', Buffer.from('sent'), png);
  const [second, third] = [markedName('inc', 'two'), markedName('inc', 'three')];
  expect(Buffer.from(await loadImage(store, second, sent)).toString()).toBe('sent');
  for (const to of ['other', third]) {
    const names = new Set([sent.artifactId, 'tool-1']);
    expect(await copyArtifacts(store, { from: second, to }, [], names)).toEqual(new Set(['tool-1']));
  }
  const elsewhere = {
    get: (name: string, id: string) => (name === 'inc' ? Promise.resolve(undefined) : store.get(name, id)),
  };
  expect(Buffer.from(await loadImage(elsewhere, third, sent)).toString()).toBe('sent');
  // an output of the earlier session of the id is none of the second
  await store.put('inc', 'tool-1', 'of the first');
  const names = new Set(['tool-1']);
  expect(await copyArtifacts(store, { from: second, to: 'new' }, [], names)).toEqual(names);
});
