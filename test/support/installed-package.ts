// A folder in which programs find this package by its name, as if it were installed there: its entries lead to their sources.
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

type Exports = Record<string, string | { default: string }>;

/** Copies the programs of `from` into the folder. */
export async function installPackage(folder: string, from: string): Promise<void> {
  await linkPackage(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await cp(from, folder, { recursive: true });
}

/** The package alone. */
export async function linkPackage(folder: string): Promise<void> {
  const own = join(folder, 'node_modules/holdfast');
  await mkdir(own, { recursive: true });
  const { exports }: { exports: Exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const entries = Object.entries(exports).flatMap(([entry, target]) =>
    typeof target === 'string' ? [] : [[entry, sourceOf(target.default)]],
  );
  await writeFile(
    join(own, 'package.json'),
    JSON.stringify({ name: 'holdfast', type: 'module', exports: Object.fromEntries(entries) }),
  );
  await symlink(join(root, 'src'), join(own, 'src'));
  for (const name of ['@temporalio', 'zod'])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
}

function sourceOf(built: string): string {
  return built.replace('./dist/', './').replace(/\.js$/, '.ts');
}
