// The toolsets of the starter set: files of the package.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../config/own-version.ts';
import type { Toolset } from '@holdfast/sources/toolset.schema';

const folder = join(packageFolder(), 'catalog/toolsets');

/** Undefined if the starter set has none of that name. */
export function starterFile(name: string): string | undefined {
  const file = join(folder, `${name}.yaml`);
  return existsSync(file) ? file : undefined;
}

/** The answer by which a server of a kind is recognised on this machine. */
export type FoundBy = NonNullable<Toolset['found']>;

/** All of them, by name. */
export async function readStarterSet(): Promise<Toolset[]> {
  const { readToolset } = await import('../../activities/toolsets/read-toolset.ts');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml')).sort();
  return Promise.all(files.map(async (file) => (await readToolset(join(folder, file))).toolset));
}
