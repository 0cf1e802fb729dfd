// The certificates of a toolset's HTTP requests: files of PEM, or secrets with their text. Runs in Node.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defined } from '@holdfast/base/defined';
import { mapValuesAsync } from '@holdfast/base/map-values';
import type { TlsOptions } from '../built-in/http/http-request.ts';
import type { ToolsetTls } from '@holdfast/sources/toolset.schema';

/** Files that have to be there. */
export function tlsFiles({ name: _, ...parts }: ToolsetTls, folder: string): string[] {
  return Object.values(parts)
    .filter((place) => !isReference(place))
    .map((place) => resolve(folder, place));
}

export async function readTls(
  { name, ...parts }: ToolsetTls,
  folder: string,
  secret: (text: string) => Promise<string>,
): Promise<TlsOptions> {
  const texts = await mapValuesAsync(parts, (place) =>
    isReference(place) ? secret(place) : readFile(resolve(folder, place), 'utf8'),
  );
  return { ...texts, ...defined({ servername: name }) };
}

function isReference(place: string): boolean {
  return place.includes('://');
}
