// The option --image: pictures for the model, beside the words of a task or message.
import { extname } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { ImageFile, SessionHandle } from '../client.ts';
import { withImages } from '../client/images.ts';
import type { UserMessage } from '@holdfast/vocabulary/messages';
import { readNamed } from './arguments.ts';
import type { Cli } from './cli.ts';

/** The media types that all vendors take, by the end of a file's name. */
const mediaTypes: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

const endings = Object.keys(mediaTypes).join(', ');

export type ImageOption = { image?: string[] };

export function addImageOption(command: Command): Command {
  return command.option('--image <file>', `a picture for the model (${endings}); may be repeated`, withPath);
}

function withPath(path: string, paths: string[] = []): string[] {
  if (mediaTypeOf(path) !== undefined) return [...paths, path];
  throw new InvalidArgumentError(`Expected a file that ends with ${endings}.`);
}

const mediaTypeOf = (path: string): string | undefined => mediaTypes[extname(path).toLowerCase()];

export async function readImages(cli: Cli, { image: paths = [] }: ImageOption): Promise<ImageFile[]> {
  return Promise.all(
    paths.map(async (path) => {
      const bytes = await readNamed(cli, path, `the image ${path}`);
      return { bytes, mediaType: mediaTypeOf(path) ?? '' };
    }),
  );
}

/** The words alone, or a message with the pictures, which are stored first. */
export async function attachImages(
  session: SessionHandle,
  { text, images }: { text: string; images: readonly ImageFile[] },
): Promise<string | UserMessage> {
  return images.length === 0 ? text : withImages(text, images, (...image) => session.image(...image));
}
