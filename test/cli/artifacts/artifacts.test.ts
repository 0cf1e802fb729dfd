// holdfast artifacts, without a server.
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFileArtifactStore } from '../../../src/activities/storage/file-artifact-store.ts';
import { toSize } from '../../../src/cli/render/plain-text.ts';
import { callCli } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

let cwd = '';
const sessions = () => join(cwd, '.holdfast/artifacts/sessions');
const cli = (...args: string[]) => callCli(['artifacts', ...args], { cwd });

beforeEach(async () => {
  cwd = await temporaryFolder();
  const store = await createFileArtifactStore(join(cwd, '.holdfast/artifacts'));
  await store.put('old', 'tool-call_1', 'x'.repeat(1_234));
  await store.put('old', 'log.json', '[]');
  await store.put('Über/alt', 'log.json', '[]');
  await store.put('young', 'log.json', '[]');
  await store.put('checkpoints', 'old.json', JSON.stringify({ id: 'old/9', status: 'completed' }));
  const at = new Date('2026-01-02T03:04:05Z');
  for (const folder of await readdir(sessions()))
    for (const name of await readdir(join(sessions(), folder)))
      if (folder !== 'young') await utimes(join(sessions(), folder, name), at, at);
});

test('list shows every session with its size, newest first, and the sum', async () => {
  const { code, stdout } = await cli('list');
  expect(code).toBe(0);
  expect(stdout.split('\n')[0]).toMatch(/2 B .* young \(1 artifact\)$/);
  expect(stdout).toMatch(/1\.2 kB {2}2 Jan 2026 .* old \(2 artifacts\)/);
  expect(stdout).toMatch(/ Über\/alt \(1 artifact\)/);
  expect(stdout).toMatch(/3 sessions and 1 checkpoint of tasks, 1\.3 kB, in .*artifacts\n$/);
  const { lines } = await cli('list', '--json', '--limit', '1');
  expect(lines).toMatchObject([
    { type: 'stored_session', sessionId: 'young', artifacts: 1, sizeBytes: 2 },
    { type: 'total', sessions: 3, checkpoints: 1 },
  ]);
});

test('show lists the artifacts of one session', async () => {
  const { stdout } = await cli('show', 'old');
  expect(stdout).toMatch(/1\.2 kB {2}2 Jan 2026 .* tool-call_1\n/);
  expect(stdout).toMatch(/log\.json\n/);
  expect((await cli('show', 'Über/alt', '--json')).lines).toMatchObject([{ name: 'log.json', sizeBytes: 2 }]);
  const { code, stderr } = await cli('show', 'nobody');
  expect(code).toBe(4);
  expect(stderr).toContain('Nothing of session nobody is in ');
});

describe('prune', () => {
  const left = async (): Promise<string[]> => (await readdir(sessions())).sort();

  test('removes nothing where the server cannot be asked', async () => {
    const before = await left();
    const { code, stderr } = await cli('prune', '--older-than', '30d', '--yes');
    expect(code).toBe(3);
    expect(stderr).toMatch(/Nothing was removed, because the server could not be asked.*--offline/s);
    expect(await left()).toEqual(before);
  });

  test('needs an age, from the command line or the config', async () => {
    const { code, stderr } = await cli('prune', '--offline', '--yes');
    expect(code).toBe(2);
    expect(stderr).toContain('--older-than');
    expect((await cli('prune', '--offline', '--older-than', '30')).stderr).toContain(
      'such as 12h, 30d or 8w',
    );
    await writeFile(join(cwd, 'holdfast.config.json'), '{ "retention": { "artifactsDays": 30 } }');
    expect((await cli('prune', '--offline', '--dry-run')).stdout).toMatch(
      /3 entries, 1\.3 kB would be removed/,
    );
  });

  test('asks, and without a terminal removes nothing', async () => {
    const before = await left();
    const { code, stderr, stdout } = await cli('prune', '--offline', '--older-than', '4w');
    expect(code).toBe(2);
    expect(stdout).toMatch(/old \(2 artifacts\)/);
    expect(stderr).toContain('Add --yes');
    expect(await left()).toEqual(before);
  });

  test('lists with --dry-run what it removes with --yes', async () => {
    const before = await left();
    const dry = await cli('prune', '--offline', '--older-than', '30d', '--dry-run', '--json');
    expect(await left()).toEqual(before);
    const wet = await cli('prune', '--offline', '--older-than', '30d', '--yes', '--json');
    const removals = ({ lines }: typeof dry) => lines.filter(({ type }) => type === 'removal');
    expect(removals(dry)).toEqual(removals(wet));
    expect(wet.lines.at(-1)).toMatchObject({ type: 'pruned', dryRun: false, entries: 3 });
    expect(await left()).toEqual(['checkpoints', 'young']);
    expect(await readdir(join(sessions(), 'checkpoints'))).toEqual([]);
  });

  test('says what it keeps for unfinished tasks', async () => {
    const checkpoint = join(sessions(), 'checkpoints', 'old.json');
    await writeFile(checkpoint, JSON.stringify({ id: 'old/9', status: 'in_progress' }));
    const { stderr, stdout } = await cli('prune', '--offline', '--older-than', '30d', '--yes');
    expect(stderr).toContain('1 old session kept: the task can be continued');
    expect(stdout).toMatch(/Über\/alt .*\nRemoved 1 entry, 2 B\.\n$/);
    expect(await left()).toContain('old');
  });

  test('a mistake in the config leads to no other store', async () => {
    const before = await left();
    await writeFile(join(cwd, 'holdfast.config.json'), '{ "artifacts": { "s3": { "bucket": 5 } } }');
    const { code, stderr } = await cli('prune', '--offline', '--older-than', '30d', '--yes');
    expect(code).toBe(2);
    expect(stderr).toContain('artifacts.s3.bucket: expected string, received number');
    expect(await left()).toEqual(before);
  });

  test('a store of the config that cannot list is named', async () => {
    await mkdir(join(cwd, 'own'));
    const config = "export default { artifacts: { id: 'own', put() {}, get() {} } };";
    await writeFile(join(cwd, 'own/holdfast.config.mjs'), config);
    const { code, stderr } = await callCli(['artifacts', 'list'], { cwd: join(cwd, 'own') });
    expect(code).toBe(2);
    expect(stderr).toContain(
      'the store "own" can neither list nor remove: expected the functions list and remove',
    );
  });
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1.0 kB'],
  [9_960, '10 kB'],
  [999_600, '1.0 MB'],
  [41_000_000, '41 MB'],
  [5e15, '5000 TB'],
])('%d bytes are %s', (bytes, text) => expect(toSize(bytes)).toBe(text));
