// The Node of a user's shell, where it is too old for this package.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** As a user's shell has it: without the project's own Node. */
export const userPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.endsWith('node_modules/.bin') && !folder.includes('node-gyp-bin'))
  .join(delimiter);

/** The first Node on the user's PATH that is too old. */
export const oldNode: string | undefined = userPath
  .split(delimiter)
  .map((place) => join(place, 'node'))
  .filter((path) => existsSync(path))
  .find((path) => {
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    return Number(/^v(\d+)/.exec(stdout)?.[1] ?? 99) < 24;
  });
