// Finds recorded data, which stays outside the project and is never copied into it.
// The only place that knows where they are: HOLDFAST_SHARED, else the sibling folder `shared`.
import { projectRoot } from './project-root.ts';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const sharedRoot = process.env['HOLDFAST_SHARED'] ?? join(dirname(projectRoot), 'shared');

/** Absolute path of a shared file or folder, or undefined where it is missing: skip the test and say why. */
export function sharedPath(relativePath: string): string | undefined {
  const path = join(sharedRoot, relativePath);
  return existsSync(path) ? path : undefined;
}

/** Why a test that needs `relativePath` cannot run; for the name of a skipped test. */
export function sharedMissing(relativePath: string): string {
  return `skipped: ${relativePath} is missing under ${sharedRoot}; set HOLDFAST_SHARED`;
}
