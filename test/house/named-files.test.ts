// Files that comments of the sources and the architecture page name: each is there.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../support/project-root.ts';

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: projectRoot })
  .toString()
  .split('\n');
const sources = tracked.filter((path) => /^(?:src|packages)\/.*\.ts$/.test(path));
/** Files of users, which this repository does not have. */
const ofUsers = /^(?:holdfast\.config\.ts|[A-Z_]+\.md)$/;

/** A name with a folder in it, or of a source beside the text: `packages/vocabulary/src/events.ts`, `brace.ts`. */
function namedIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w./<*:-])[\w-]+(?:[/.][\w-]+)*\.(?:ts|md)\b/g)].map(([name]) => name);
}

function missing(names: string[]): string[] {
  return names.filter(
    (name) => !ofUsers.test(name) && !tracked.some((path) => path === name || path.endsWith(`/${name}`)),
  );
}

test('comments name files that are there', () => {
  const lost = sources.flatMap((path) => {
    const text = readFileSync(join(projectRoot, path), 'utf8');
    const comments = text.split('\n').filter((line) => /^\s*(?:\/\/|\/?\*)/.test(line));
    return missing(namedIn(comments.join('\n'))).map((name) => `${path}: ${name}`);
  });
  expect(lost).toEqual([]);
});

test('the architecture page names files that are there', () => {
  const page = readFileSync(join(projectRoot, 'docs/ARCHITECTURE.md'), 'utf8');
  expect(missing(namedIn(page))).toEqual([]);
});
