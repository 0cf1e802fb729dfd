// The tool note_user over a real USER.md: what it adds, what it refuses, who is asked, and where it is offered.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createNoteUserTool } from '../../../../src/activities/built-in/files/note-user.ts';
import { loadConfig } from '../../../../src/config/config.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { builtInSource } from '../../../../src/worker/tool-sources/built-in-source.ts';
import { temporaryFolder, toolBench } from '../../../support/tool-calls.ts';

async function noteUser(text?: string) {
  const folder = await temporaryFolder();
  const path = join(folder, 'USER.md');
  if (text !== undefined) await writeFile(path, text);
  const access = { roots: [folder], writable: { folders: [folder] } };
  const tool = createNoteUserTool(access, path);
  const note = async (fact: string, rule: object = { path: '*/USER.md' }) => {
    const facts = await tool.inspect?.({ fact });
    const bench = await toolBench(tool, { policy: [{ tool: '*', decision: 'allow', ...rule }] });
    const { basis } = facts ?? {};
    const { message } = await bench.run({ fact }, basis === undefined ? {} : { basis });
    return { facts, text: textOf(message), isError: message.isError };
  };
  return { path, tool, note, read: () => readFile(path, 'utf8') };
}

test('[MEM-17a] a fact becomes a line of USER.md, which is made where there is none; the person sees the line first', async () => {
  const { note, read, path } = await noteUser();
  const first = await note('Works in CET.');
  expect(first).toMatchObject({
    isError: false,
    facts: { actions: [{ effect: 'idempotent', paths: [path] }] },
  });
  expect(first.facts?.preview).toContain('+- Works in CET.');
  await note('Wants short answers. ');
  expect(await read()).toBe('- Works in CET.\n- Wants short answers.\n');
  const other = await noteUser('# Ada\n\nLeads the shop.');
  await other.note('Works in CET.');
  expect(await other.read()).toBe('# Ada\n\nLeads the shop.\n- Works in CET.\n');
});

test('[MEM-17a] a person is asked, unless a rule names the path', async () => {
  const { note } = await noteUser();
  expect((await note('Works in CET.', {})).text).toContain("needs a person's approval");
});

test('[MEM-17b] what the file says already is not noted again, in another form of the line either, and nobody is asked', async () => {
  const { note, read } = await noteUser('* Works in CET\n');
  const { text, isError, facts } = await note('works in  CET.');
  expect([isError, text]).toEqual([true, 'Not noted: USER.md says this already.']);
  expect(facts?.actions).toMatchObject([{ effect: 'read' }]);
  expect(await read()).toBe('* Works in CET\n');
});

test('[MEM-17c] a fact with a secret, one of several lines, and one beyond 8 KiB of the file are refused', async () => {
  const { note, read, tool } = await noteUser('x'.repeat(8_100));
  const { text } = await note(`Likes ${'tea '.repeat(30)}`);
  expect(text).toMatch(/^Not noted: USER\.md would have 8\d+ bytes, at most 8192 are kept\./);
  expect(() => tool.parse({ fact: 'a\nb' })).toThrow('expected one line');
  const secret = await note('Key: AKIAQ7RZ5N2WUXKJ4TMB');
  expect([secret.isError, secret.text]).toEqual([true, 'Not noted: a secret is in it.']);
  expect(await read()).toBe('x'.repeat(8_100));
});

test.each<[boolean, object]>([
  [true, { memory: { files: ['MEMORY.md', 'USER.md'] }, files: { roots: ['.'], writable: ['.'] } }],
  [true, { memory: { dir: 'me', files: ['USER.md'] }, files: { roots: ['.'], writable: ['me'] } }],
  [false, { memory: { dir: 'me', files: ['USER.md'] }, files: { roots: ['.'], writable: ['other'] } }],
  [false, { memory: { files: ['USER.md'] }, files: { roots: ['.'] } }],
  [false, { memory: {}, files: { roots: ['.'], writable: ['.'] } }],
  [false, { files: { roots: ['.'], writable: ['.'] } }],
])('[MEM-17d] it is offered (%s) with %j', async (isOffered, given) => {
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, 'me'));
  await writeFile(join(cwd, 'holdfast.config.json'), JSON.stringify(given));
  const { tools, off } = await builtInSource(await loadConfig({ cwd, environment: {} }));
  expect(tools.some(({ spec }) => spec.name === 'note_user')).toBe(isOffered);
  expect(off?.has('note_user')).toBe(!isOffered);
});
