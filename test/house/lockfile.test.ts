// `npm ci` takes only a lock that answers every optional dependency, and a lock names no registry.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  completeLock,
  type Lockfile,
  missingOptional,
  platformOf,
  unchecked,
  withoutUnchecked,
} from '../../tools/lockfile.ts';
import { projectRoot } from '../support/project-root.ts';

const lock: Lockfile = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'));

describe('package-lock.json', () => {
  test('has an entry for every platform (else: node tools/complete-lock.ts)', () => {
    expect(missingOptional(lock)).toEqual([]);
  });

  test('has the integrity of every package that the registry has (else: node tools/complete-lock.ts)', () => {
    // the registry has no such package
    expect(unchecked(lock)).toEqual(['node_modules/lefthook-android-arm64']);
  });

  test('names no registry, only the workspace in this folder', () => {
    expect(
      Object.entries(lock.packages).filter(([, entry]) => 'resolved' in entry && entry['link'] !== true),
    ).toEqual([]);
  });
});

describe('completing a lock', () => {
  const incomplete: Lockfile = {
    packages: {
      '': { version: '1.0.0' },
      'node_modules/tool': {
        version: '2.0.0',
        dev: true,
        optionalDependencies: { 'tool-win32-x64-msvc': '2.0.0', near: '1.0.0' },
      },
      'node_modules/tool/node_modules/near': { version: '1.0.0' },
    },
  };

  test('entries without an integrity are taken out, so that npm asks the registry again', () => {
    const checked = { version: '1.0.0', integrity: 'sha512-x' };
    const packages = {
      '': { version: '1.0.0' },
      'packages/own': {},
      'node_modules/own': { link: true },
      'node_modules/checked': checked,
      'node_modules/tool/node_modules/deep': { version: '1.0.0', optional: true },
    };
    expect(unchecked({ packages })).toEqual(['node_modules/tool/node_modules/deep']);
    expect(Object.keys(withoutUnchecked({ packages }).packages)).toEqual(Object.keys(packages).slice(0, 4));
  });

  test('adds what is missing and keeps the rest', () => {
    expect(missingOptional(incomplete)).toEqual([
      { name: 'tool-win32-x64-msvc', version: '2.0.0', dev: true },
    ]);
    const complete = completeLock(incomplete);
    expect(missingOptional(complete)).toEqual([]);
    expect(complete.packages['node_modules/tool-win32-x64-msvc']).toEqual({
      version: '2.0.0',
      cpu: ['x64'],
      os: ['win32'],
      dev: true,
      optional: true,
    });
    expect(Object.keys(complete.packages)).toHaveLength(4);
  });

  test.each([
    ['@a/b-linux-arm-musleabihf', { os: ['linux'], cpu: ['arm'], libc: ['musl'] }],
    ['@a/b-linux-x64-gnu', { os: ['linux'], cpu: ['x64'], libc: ['glibc'] }],
    ['@a/linux-x64', { os: ['linux'], cpu: ['x64'] }],
    ['@a/b-darwin-arm64', { os: ['darwin'], cpu: ['arm64'] }],
  ])('%s', (name, platform) => expect(platformOf(name)).toEqual(platform));

  test('a name without a platform is refused', () => {
    expect(() => platformOf('fsevents')).toThrow('says no platform');
  });
});
