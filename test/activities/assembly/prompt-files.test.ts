// The files of a project that enter a prompt.
import { mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPromptFiles } from '../../../src/activities/assembly/prompt-files.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

const same = (text: string): string => text;

test('[PROMPT-07c] the files lose their Markdown marks when they are read, and stay as they are on disk', async () => {
  const soul = '# Guardrails\n\n- **Never** delete `data/*`.\n* Ask [people](https://wiki/x).\n';
  const folder = await folderOf({ 'SOUL.md': soul, 'USER.md': '## Ann\n_On call_ until snake_case 3.\n' });
  expect(await createPromptFiles(folder, same)()).toEqual({
    files: {
      soul: 'Guardrails\n\n- Never delete data/*.\n- Ask people (https://wiki/x).',
      user: 'Ann\nOn call until snake_case 3.',
    },
  });
  expect(await readFile(join(folder, 'SOUL.md'), 'utf8')).toBe(soul);
});

test('[PROMPT-07d] a missing file, an empty one and a missing folder have no section, without an error', async () => {
  const folder = await folderOf({ 'IDENTITY.md': ' \n', 'AGENTS.md': 'Hosts: web-1.' });
  expect(await createPromptFiles(folder, same)()).toEqual({ files: {}, projectContext: 'Hosts: web-1.' });
  expect(await createPromptFiles(join(folder, 'none'), same)()).toEqual({ files: {} });
});

test('[PROMPT-07a] a long file of rules enters whole: none of its guardrails is left out', async () => {
  const rules = Array.from({ length: 2_000 }, (_, index) => `- Never delete disk ${index}.`).join('\n');
  const folder = await folderOf({ 'IDENTITY.md': rules, 'SOUL.md': rules, 'USER.md': rules });
  const files = { identity: rules, soul: rules, user: rules };
  expect(await createPromptFiles(folder, same)()).toEqual({ files });
});

test('a project file that is too long for a prompt keeps both ends, and says what is missing', async () => {
  const folder = await folderOf({ 'AGENTS.md': `FIRST ${'a'.repeat(30_000)} LAST` });
  const { projectContext = '' } = await createPromptFiles(folder, same)();
  expect(projectContext).toMatch(
    /^FIRST a+\n\[\.\.\. 10011 of 30011 characters of AGENTS\.md are left out here \.\.\.\]\na+ LAST$/,
  );
});

test('a file that is there and cannot be read is named: without its guardrails no run begins', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'SOUL.md'));
  await expect(createPromptFiles(folder, same)()).rejects.toThrow(
    /cannot read .*SOUL\.md, which belongs into the prompt: it is no file\./,
  );
  const loop = await temporaryFolder();
  await symlink('SOUL.md', join(loop, 'SOUL.md'));
  await expect(createPromptFiles(loop, same)()).rejects.toThrow(/SOUL\.md.*ELOOP/);
  const large = await folderOf({ 'USER.md': '' });
  await truncate(join(large, 'USER.md'), 5_000_000);
  await expect(createPromptFiles(large, same)()).rejects.toThrow(/USER\.md.*5000000 bytes/);
});

test('known secrets do not get into a prompt', async () => {
  const folder = await folderOf({ 'USER.md': 'Her key is hunter2.' });
  const read = createPromptFiles(folder, (text) => text.replaceAll('hunter2', '[redacted]'));
  expect((await read()).files.user).toBe('Her key is [redacted].');
});
