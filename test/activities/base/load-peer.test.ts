import { expect, test } from 'vitest';
import { loadPeer } from '../../../src/activities/base/load-peer.ts';

const absent = 'a-package-that-nobody-installs';

test('a package that is not installed is refused with the command that installs it', async () => {
  await expect(loadPeer(absent, 'A destination for e-mail', () => import(absent))).rejects.toThrow(
    /^A destination for e-mail needs the package a-package-that-nobody-installs, which cannot be loaded \(.*\)\. Run "npm install a-package-that-nobody-installs" where holdfast is installed\.$/,
  );
});

test('a package that is there and fails says what it says', async () => {
  const broken = () => Promise.reject(new TypeError('x is not a function'));
  await expect(loadPeer('pg', 'PostgreSQL', broken)).rejects.toThrow(/^x is not a function$/);
});
