// The example of an agent as a file, run as its README says, and the same file in docs/agents.md.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readTemplate } from '../../src/config/prompt-templates.ts';
import { loadModelScript } from '@holdfast/scripted-model/load-model-script';
import { testAgent } from '../../src/testing.ts';
import { callCli } from '../support/cli.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'examples/own-agent');
const config = join(folder, 'holdfast.config.yaml');

test('own-agent: an agent as a file runs with its tools, the guardrails of the project and a template', async () => {
  const { result, requests } = await testAgent({
    config,
    script: await loadModelScript(join(folder, 'script.yaml')),
    input: { agent: 'night' },
    prompt: await readTemplate({ configFile: config, cwd: folder }, 'slow', ['shop', '14:00']),
  });
  expect(result).toMatchObject({ status: 'completed', answer: 'The pool timed out at 14:02.' });
  expect(requests[0]?.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['grep', 'read']));
});

test('own-agent: the commands of its README, and the file in the docs', async () => {
  const setting = { cwd: folder };
  const listed = await callCli(['agents'], setting);
  expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining('night  Looks after the shop')]);
  const shown = await callCli(['prompt', 'night'], setting);
  expect(shown.stdout).toContain('Names of customers stay out of every answer.');
  const docs = await readFile(join(root, 'docs/agents.md'), 'utf8');
  expect(docs).toContain(await readFile(join(folder, 'agents/night.md'), 'utf8'));
});
