// The example of memory, as its README starts it: in memory, and the command on a copy of its folder.
import { cp, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { textOf } from '@holdfast/vocabulary/messages';
import { loadModelScript } from '@holdfast/scripted-model/load-model-script';
import { testAgent } from '../../src/testing.ts';
import { callCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const example = resolve(import.meta.dirname, '../../examples/memory');

test('memory: the run begins with the note that fits, the tool finds another, and a test leaves the notes as they are', async () => {
  const notes = await readFile(join(example, 'MEMORY.md'), 'utf8');
  const { result, requests, messages } = await testAgent({
    config: join(example, 'holdfast.config.yaml'),
    script: await loadModelScript(join(example, 'script.yaml')),
    prompt: 'Why is the pool of checkout full?',
    input: { memory: { topK: 1 } },
  });
  expect(result.status).toBe('completed');
  expect(result.answer).toBe('We have seen this before: look at sessions_cache.');
  const [first] = requests[0]?.messages ?? [];
  expect(first && textOf(first)).toMatch(
    /\n\[MEMORY\][^]*at most 40 connections[^]*\[\/MEMORY\]\nWhy is the pool/,
  );
  expect(first && textOf(first)).not.toContain('sessions_cache');
  expect(messages[0] && textOf(messages[0])).toBe('Why is the pool of checkout full?');
  expect(await readFile(join(example, 'MEMORY.md'), 'utf8')).toBe(notes);
});

test('memory: the command finds the same note', async () => {
  const cwd = await temporaryFolder();
  await cp(example, cwd, { recursive: true, filter: (path) => !path.includes('.holdfast') });
  const found = await callCli(['memory', 'search', 'pool timeout'], { cwd, environment: {} });
  expect(found.code).toBe(0);
  expect(found.stdout).toMatch(/^[0-9a-f]{12} {2}MEMORY\.md, checkout\n/);
});
