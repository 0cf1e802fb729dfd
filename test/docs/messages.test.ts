// The messages that docs/troubleshooting.md explains are those of the sources, word for word; `…` stands for what varies.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPage, tokensOf } from './pages.ts';
import { projectRoot } from '../support/project-root.ts';

/** Literals that are joined by `+` are one text, and what is inserted is `…`. */
const sources = globSync(['{src,packages/*/src}/**/*.ts', 'bin/*.js'], { cwd: projectRoot }).map((path) =>
  readFileSync(join(projectRoot, path), 'utf8')
    .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…')
    .replaceAll(/['"`]\s*\+\s*['"`]/g, '')
    .replaceAll(/\\(['"`])/g, '$1'),
);

const messages = tokensOf(readPage('docs/troubleshooting.md')).flatMap((token): string[] =>
  token.type === 'table'
    ? token.rows.flatMap((row: { text: string }[]) => /^`+(.*?)`+$/.exec(row[0]?.text ?? '')?.[1] ?? [])
    : [],
);

function isInSources(message: string): boolean {
  const pieces = message.split('…').map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(pieces.join('[^\\n]{0,120}?'));
  return sources.some((source) => pattern.test(source));
}

test('every message that is explained is one that Holdfast prints', () => {
  expect(messages.length).toBeGreaterThan(40);
  expect(messages.filter((message) => !isInSources(message))).toEqual([]);
});

test('a message that nothing prints is found', () => {
  expect(isInSources('No model to run with.')).toBe(true);
  expect(isInSources('No model to walk with.')).toBe(false);
});
