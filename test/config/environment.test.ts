import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cacheFolder } from '../../src/config/environment.ts';

test.skipIf(process.platform === 'win32' || process.platform === 'darwin').each([
  [{ HOLDFAST_CACHE_DIR: '/srv/cache', HOME: '/home/anna' }, '/srv/cache'],
  [{ XDG_CACHE_HOME: '/var/cache/anna', HOME: '/home/anna' }, '/var/cache/anna/holdfast/temporal'],
  [{ HOME: '/home/anna' }, '/home/anna/.cache/holdfast/temporal'],
  [{}, join(homedir(), '.cache/holdfast/temporal')],
])('downloads of %j are kept in %s', (environment, folder) => {
  expect(cacheFolder(environment)).toBe(folder);
});
