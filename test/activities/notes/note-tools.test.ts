// The tools for notes over their three places: the session's artifacts, a folder, and a real PostgreSQL.
import { lstat, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createNoteTools } from '../../../src/activities/notes/note-tools.ts';
import { createFileArtifactStore } from '../../../src/activities/storage/file-artifact-store.ts';
import { folderNotes, postgresNotes, sessionNotes } from '../../../src/activities/storage/note-store.ts';
import type { OpenNotes } from '../../../src/activities/storage/note-store.ts';
import type { ToolContext } from '../../../src/activities/tools/define-tool.ts';
import type { Json } from '@holdfast/base/json';
import { missingPrograms, postgresFolder, sharedPostgres } from '../../support/real-servers.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

const secret = 'planted0123456789abcdef';

/** Calls a tool as a session would. */
type Call = (tool: string, args: Json, session?: string, more?: Partial<ToolContext>) => Promise<string>;

async function callsOf(open: OpenNotes): Promise<Call> {
  const artifacts = await createFileArtifactStore(await temporaryFolder());
  const tools = new Map(createNoteTools(open).map((tool) => [tool.spec.name, tool]));
  return async (name, args, sessionId = 'top', more = {}) => {
    const tool = tools.get(name);
    if (!tool) throw new Error(`no tool ${name}`);
    const redact = (text: string) => text.replaceAll(secret, '[redacted]');
    const [top = ''] = sessionId.split('/');
    const context = {
      sessionId,
      ...(top === sessionId ? {} : { top }),
      artifacts,
      redact,
      ...more,
    } as Partial<ToolContext> as ToolContext;
    const { text, isError = false } = await tool.run(tool.parse(args), context);
    return isError ? `ERROR ${text}` : text;
  };
}

function suite(open: () => Promise<OpenNotes>): void {
  const calls = async () => callsOf(await open());

  test('[MEM-09ab] a note is written, listed, read by a subagent, and replaced by the next of its name', async () => {
    const call = await calls();
    expect(await call('list_notes', {})).toBe('There are no notes yet.');
    expect(await call('write_note', { name: 'pool', text: 'It has 2 connections.' })).toBe(
      'Note pool is written (21 bytes).',
    );
    expect(await call('list_notes', {}, 'top/logs-1')).toBe('pool');
    expect(await call('read_note', { name: 'pool' }, 'top/logs-1')).toContain('It has 2 connections.');
    await call('write_note', { name: 'pool', text: 'It has 40.' }, 'top/logs-1');
    expect(await call('read_note', { name: 'pool' })).toContain('It has 40.');
    expect(await call('read_note', { name: 'pool' })).not.toContain('2 connections');
    expect(await call('read_note', { name: 'other' })).toBe(
      'ERROR There is no note "other": list_notes has the names.',
    );
  });

  test('[MEM-09c] a note of progress has what is done, what remains and what blocks, one for each agent', async () => {
    const call = await calls();
    const args = { done: 'logs read', remaining: 'metrics', blockers: '' };
    await call('progress', args);
    await call('progress', { ...args, blockers: 'no access' }, 'top/logs-1');
    expect((await call('list_notes', {})).split('\n')).toEqual(['progress', 'progress-logs-1']);
    expect(await call('read_note', { name: 'progress' })).toMatch(
      /## Done\n\nlogs read\n\n## Remaining\n\nmetrics\n\n## Blockers\n\nnone/,
    );
    await call('progress', { ...args, done: 'all' });
    expect(await call('read_note', { name: 'progress' })).toContain('## Done\n\nall');
  });

  test('[MEM-09d] [MODE-25b] [SAFE-05] secrets are masked; nothing is written off the record or in a dry run', async () => {
    const call = await calls();
    await call('write_note', { name: 'key', text: `it is ${secret}` });
    expect(await call('read_note', { name: 'key' })).toContain('it is [redacted]');
    const note = { name: 'more', text: 'words' };
    expect(await call('write_note', note, 'top', { offTheRecord: true })).toContain('off the record');
    expect(await call('write_note', note, 'top', { dryRun: true })).toBe(
      'Dry run: the note more was not written.',
    );
    expect(await call('list_notes', {})).toBe('key');
  });

  test('[MEM-09e] a name that is a path, a text that is too long and a note too many are refused, and what is there stays', async () => {
    const call = await calls();
    for (const name of ['../x', 'a/b', '.hidden', '', 'x'.repeat(65)])
      await expect(call('write_note', { name, text: 'x' })).rejects.toThrow(/expected letters, digits/);
    expect(await call('write_note', { name: 'long', text: 'ä'.repeat(32_769) })).toBe(
      'ERROR Not written: the note has 65538 bytes, at most 65536 are kept.',
    );
    for (let index = 0; index < 200; index++)
      await call('write_note', { name: `n${index}`, text: `text ${index}` });
    expect(await call('write_note', { name: 'one-more', text: 'x' })).toContain(
      'there are 200 notes, at most 200 are kept',
    );
    expect(await call('write_note', { name: 'n7', text: 'again' })).toContain('is written');
    expect((await call('list_notes', {})).split('\n')).toHaveLength(200);
  });
}

describe("the session's artifacts", () => {
  suite(() => Promise.resolve(sessionNotes));

  test('[MEM-09b] another session has notes of its own', async () => {
    const call = await callsOf(sessionNotes);
    await call('write_note', { name: 'pool', text: 'x' });
    expect(await call('list_notes', {}, 'other')).toBe('There are no notes yet.');
    // an id of a caller may hold a slash
    expect(await call('list_notes', {}, 'top/2', { top: 'top/2' })).toBe('There are no notes yet.');
  });

  test('a store that cannot list says what to configure', async () => {
    const call = await callsOf((_, { get, put }) => sessionNotes('top', { get, put }));
    await expect(call('list_notes', {})).rejects.toThrow('name a folder or a database in "notes"');
  });
});

describe('a folder', () => {
  suite(async () => {
    const store = folderNotes(join(await temporaryFolder(), 'notes'));
    return () => store;
  });

  test('[MEM-09b] later sessions read what is there; people find Markdown files', async () => {
    const folder = await temporaryFolder();
    const store = folderNotes(folder);
    await (
      await callsOf(() => store)
    )('write_note', { name: 'pool', text: 'small' });
    expect(await readFile(join(folder, 'pool.md'), 'utf8')).toBe('small');
    const later = await callsOf(() => folderNotes(folder));
    expect(await later('read_note', { name: 'pool' }, 'another')).toContain('small');
  });

  test('[MEM-09e] a link in the folder is neither read nor written through', async () => {
    const folder = await temporaryFolder();
    const outside = join(await temporaryFolder(), 'outside.txt');
    await writeFile(outside, 'outside');
    await symlink(outside, join(folder, 'link.md'));
    const call = await callsOf(() => folderNotes(folder));
    expect(await call('list_notes', {})).toBe('There are no notes yet.');
    expect(await call('read_note', { name: 'link' })).toMatch(/^ERROR There is no note/);
    await call('write_note', { name: 'link', text: 'inside' });
    expect(await readFile(outside, 'utf8')).toBe('outside');
    expect((await lstat(join(folder, 'link.md'))).isSymbolicLink()).toBe(false);
  });

  test('a note is for its owner alone, and one that cannot be put in place leaves nothing behind', async () => {
    const folder = join(await temporaryFolder(), 'notes');
    const store = folderNotes(folder);
    await store.write('pool', 'small');
    expect((await lstat(join(folder, 'pool.md'))).mode & 0o777).toBe(0o600);
    await mkdir(join(folder, 'disk.md'));
    await expect(store.write('disk', 'full')).rejects.toThrow(/EISDIR|EEXIST/);
    expect((await readdir(folder)).sort((a, b) => (a < b ? -1 : 1))).toEqual(['disk.md', 'pool.md']);
  });
});

const noPostgres = postgresFolder() === undefined ? 'postgresql not installed' : missingPrograms('psql');

describe.skipIf(noPostgres)(`PostgreSQL${noPostgres ? ` (${noPostgres})` : ''}`, () => {
  const password = 'planted-password-2';
  const postgres = sharedPostgres(password);

  suite(async () => {
    const url = await postgres.newUrl();
    const store = postgresNotes(async () => ({ url, password }));
    onTestFinished(store.close);
    return () => store;
  });
});
