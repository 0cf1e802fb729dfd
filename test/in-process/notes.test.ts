// Notes through the door of a user: agents of a config whose tools write and read them.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defineHook } from '../../src/activities/hooks/hook-definition.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { callTool, callTools, say, scriptOf, testAgent } from '../../src/testing.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const noteOf = (name: string) => ({ tool: 'read_note', args: { name } });

test('[MEM-09b] [HOOK-20c] a subagent reads what its lead has written and leaves its progress; a hook reads both', async () => {
  const seen: Record<string, string | undefined> = {};
  const look = defineHook({
    name: 'look',
    async runEnd(_ending, { notes }) {
      for (const name of (await notes?.list()) ?? []) seen[name] = await notes?.read(name);
      await notes?.write('seen', 'by a hook');
      return undefined;
    },
  });
  const { result } = await testAgent({
    config: {
      notes: {},
      hooks: [look],
      agents: {
        lead: {
          instructions: 'Lead.',
          tools: ['write_note', 'list_notes'],
          delegation: { agents: ['analyst'] },
          hooks: [{ name: 'look' }],
        },
        analyst: { description: 'Looks.', instructions: 'Look.', tools: ['read_note', 'progress'] },
      },
    },
    script: {
      ...scriptOf([
        callTool('write_note', { name: 'pool', text: 'It has 2 connections.' }),
        callTool('delegate', { tasks: [{ agent: 'analyst', task: 'Look at the pool.', context: '' }] }),
        say('done'),
      ]),
      parts: {
        analyst: scriptOf([
          callTools([{ ...noteOf('pool'), capture: { size: { regex: '(\\d) connections' } } }]),
          callTool('progress', { done: '{{size}}', remaining: '', blockers: '' }),
          callTool('task_complete', { status: 'completed', summary: 'seen' }),
        ]),
      },
    },
    input: { agent: 'lead' },
    prompt: 'Why?',
  });
  expect(result).toMatchObject({ status: 'completed', answer: 'done' });
  expect(seen['pool']).toBe('It has 2 connections.');
  expect(Object.keys(seen).toSorted()).toEqual(['pool', 'progress-analyst-look-1']);
  expect(seen['progress-analyst-look-1']).toMatch(/^## Done\n\n2\n/);
});

test('[MEM-09b] [PROMPT-06b] a test reads the notes of the folder, and writes into a copy; the prompt has none of them', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'notes'));
  await writeFile(join(folder, 'notes/pool.md'), 'It has 40 connections.');
  await writeFile(
    join(folder, 'holdfast.config.yaml'),
    'notes: { folder: notes }\nagents: { a: { instructions: Look., tools: [list_notes, read_note, write_note] } }\n',
  );
  const { messages, requests } = await testAgent({
    config: join(folder, 'holdfast.config.yaml'),
    script: [
      callTools([noteOf('pool')]),
      callTool('write_note', { name: 'pool', text: 'changed' }),
      say('done'),
    ],
    input: { agent: 'a' },
    prompt: 'Why?',
  });
  expect(messages.map(textOf)[2]).toContain('It has 40 connections.');
  expect(requests[0]?.systemPrompt).toContain('<notes_protocol>');
  for (const { systemPrompt } of requests) expect(systemPrompt).not.toMatch(/40 connections|pool/);
  expect(await readFile(join(folder, 'notes/pool.md'), 'utf8')).toBe('It has 40 connections.');
});
