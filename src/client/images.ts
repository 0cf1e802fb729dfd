// Images for messages: the artifact store of the workers gets the bytes, and the message names them. Runs in the
// caller's process.
import { sha256Hex } from '@holdfast/stored/sha256';
import {
  type ImagePart,
  type UserMessage,
  userMessage as toUserMessage,
} from '@holdfast/vocabulary/messages';
import { inlineImageBytes } from '@holdfast/base/sizes';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { ClientError } from './client-error.ts';
import type { ArtifactWriter } from '@holdfast/stored/artifact-names';

/** A picture as it is in a file; `mediaType` is image/png or another of its kind. */
export type ImageFile = { bytes: Uint8Array; mediaType: string };

/** For prompt, steer, followUp and seeds: the text first, then the images in their order. */
export function userMessage(text: string, images: ImagePart[] = []): UserMessage {
  return toUserMessage(text, 'prompt', images);
}

/** The text and its images, which `place` stores first. */
export async function withImages(
  text: string,
  images: readonly ImageFile[],
  place: (bytes: Uint8Array, mediaType: string) => Promise<ImagePart>,
): Promise<UserMessage> {
  return userMessage(text, await Promise.all(images.map(({ bytes, mediaType }) => place(bytes, mediaType))));
}

/** The start input with the images in its prompt. */
export async function startWithImages(
  input: SessionInput,
  sessionId: string,
  images: readonly ImageFile[] = [],
  store: Partial<ArtifactWriter> | undefined,
): Promise<SessionInput> {
  if (images.length === 0) return input;
  const { prompt } = input;
  if (typeof prompt !== 'string')
    throw new ClientError('InvalidInput', 'Images go with a prompt that is a text: expected some words.');
  const place = (bytes: Uint8Array, mediaType: string) => placeImage(store, sessionId, bytes, mediaType);
  return { ...input, prompt: await withImages(prompt, images, place) };
}

/**
 * Named by content, so that the same image is stored once. Without a store it travels inside its message, up to 128
 * KiB; throws TooLarge beyond that.
 */
export async function placeImage(
  store: Partial<ArtifactWriter> | undefined,
  sessionId: string,
  bytes: Uint8Array,
  mediaType: string,
): Promise<ImagePart> {
  if (!/^image\/[a-z0-9.+-]+$/.test(mediaType)) {
    throw new ClientError(
      'InvalidInput',
      `The media type is "${mediaType}": expected image/..., such as image/png.`,
    );
  }
  const sha256 = sha256Hex(bytes);
  const artifactId = `image-${sha256.slice(0, 32)}`;
  const part: ImagePart = { type: 'image', artifactId, mediaType, sha256 };
  if (store?.put) {
    await store.put(sessionId, artifactId, bytes);
    return part;
  }
  if (bytes.byteLength <= inlineImageBytes) {
    return { ...part, data: Buffer.from(bytes).toString('base64') };
  }
  throw new ClientError(
    'TooLarge',
    `The image is ${Math.ceil(bytes.byteLength / 1024)} KiB, and this client shares no artifact store with the workers: ` +
      `expected at most ${inlineImageBytes / 1024} KiB. Give the client the workers' store, or a smaller image.`,
  );
}
