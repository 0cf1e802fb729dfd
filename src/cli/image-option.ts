// The option --image: pictures for the model, beside the words of a task or message.
import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { type ImageFile, type SessionHandle, userMessage } from '../client.ts';
import { messageOf } from '../core/base/message-of.ts';
import type { UserMessage } from '../core/model/messages.ts';
import type { Cli } from './cli.ts';
import { UserError } from './user-error.ts';

/** The media types that all vendors take, by the end of a file's name. */
const mediaTypes: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

export type ImageOption = { image?: string[] };

export function addImageOption(command: Command): Command {
  return command.option(
    '--image <file>',
    `a picture for the model (${Object.keys(mediaTypes).join(', ')}); may be repeated`,
    withPath,
  );
}

function withPath(path: string, paths: string[] = []): string[] {
  if (mediaTypeOf(path) !== undefined) return [...paths, path];
  throw new InvalidArgumentError(`Expected a file that ends with ${Object.keys(mediaTypes).join(', ')}.`);
}

const mediaTypeOf = (path: string): string | undefined => mediaTypes[extname(path).toLowerCase()];

export async function readImages({ cwd }: Cli, { image: paths = [] }: ImageOption): Promise<ImageFile[]> {
  return Promise.all(
    paths.map(async (path) => {
      try {
        return { bytes: await readFile(resolve(cwd, path)), mediaType: mediaTypeOf(path) ?? '' };
      } catch (error) {
        throw new UserError(`Cannot read the image ${path}: ${messageOf(error)}.`, undefined, {
          cause: error,
        });
      }
    }),
  );
}

/** The words alone, or a message with the pictures, which are stored first. */
export async function withImages(
  session: SessionHandle,
  words: string,
  images: readonly ImageFile[],
): Promise<string | UserMessage> {
  if (images.length === 0) return words;
  return userMessage(
    words,
    await Promise.all(images.map(({ bytes, mediaType }) => session.image(bytes, mediaType))),
  );
}
