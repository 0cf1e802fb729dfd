// holdfast artifacts with a server: what is running or can be continued stays, the rest goes. In a folder and in S3.
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ModelScript } from '@holdfast/scripted-model/model-script';
import { callCli } from '../support/cli.ts';
import { type CliFolder, changeConfig, leaveSession, makeCliFolder } from '../support/cli-folder.ts';
import { type S3Server, s3Missing, startS3Server } from '../support/s3-server.ts';

/** Has an output in the store before it asks. */
const script: ModelScript = {
  name: 'asks',
  steps: [
    { id: 'look', text: 'I look.', calls: [{ tool: 'grep', args: { pattern: 'timeout' } }] },
    { id: 'ask', text: 'I should read it.', calls: [{ tool: 'read', args: { path: 'shop.log' } }] },
    { id: 'answer', text: 'That is all.' },
  ],
};

const makeFolder = (name: string) => makeCliFolder(name, script, [{ tool: 'read', decision: 'ask' }]);

describe('a folder', () => {
  let folder: CliFolder;
  const sessions = () => join(folder.cwd, '.holdfast/artifacts/sessions');
  const prune = ['artifacts', 'prune', '--older-than', '30d'];

  beforeAll(async () => {
    folder = await makeFolder('artifacts');
    // one that has ended, one whose task a limit has interrupted, and one that waits for a person
    const ended = await callCli(['run', '--session', 'files-ended', '--yes', 'look'], folder);
    const limit = ['run', '--session', 'files-limited', '--max-turns', '1', '--yes', 'look'];
    expect([ended.code, (await callCli(limit, folder)).code]).toEqual([0, 12]);
    await leaveSession(folder, 'files-waits');
  }, 120_000);
  afterAll(() => folder.remove());

  test('[CLI-12a] what is young stays; of what is old, what is running or can be continued', async () => {
    const before = (await readdir(sessions())).sort();
    expect(before).toEqual(['checkpoints', 'files-ended', 'files-limited', 'files-waits']);
    expect((await callCli([...prune, '--yes'], folder)).stdout).toContain('Nothing is old enough');
    const ago = new Date('2026-01-02T03:04:05Z');
    for (const name of await readdir(sessions(), { recursive: true }))
      await utimes(join(sessions(), name), ago, ago);
    const { code, stdout, stderr } = await callCli([...prune, '--yes'], folder);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        '1 old session kept: still running.\n' +
        '1 old session kept: the task can be continued (--unfinished removes these too).\n',
    });
    expect(stdout).toMatch(/Removed 2 entries, [\d.]+ kB\.\n$/);
    expect((await readdir(sessions())).sort()).toEqual(['checkpoints', 'files-limited', 'files-waits']);
    expect((await readdir(join(sessions(), 'checkpoints'))).sort()).toEqual(['files-limited.json']);
    const all = await callCli([...prune, '--unfinished', '--yes'], folder);
    expect(all.stdout).toMatch(/Removed 2 entries, [\d.]+ kB\.\n$/);
    expect((await readdir(sessions())).sort()).toEqual(['checkpoints', 'files-waits']);
  });
});

describe.skipIf(s3Missing !== undefined)(`a bucket${s3Missing ? ` (${s3Missing})` : ''}`, () => {
  let server: S3Server;
  let folder: CliFolder;
  beforeAll(async () => {
    server = await startS3Server();
    folder = await makeFolder('artifacts-s3');
    await changeConfig(folder, (config) => ({ ...config, artifacts: { s3: server.settings } }));
    Object.assign(folder.environment, server.credentials);
  }, 600_000);
  afterAll(async () => {
    await folder?.remove();
    await server?.remove();
  });

  test('[CLI-12c] worker and commands share it, and prune removes from it', async () => {
    expect(await callCli(['run', '--session', 's3-ended', '--yes', 'look'], folder)).toMatchObject({
      code: 0,
    });
    const { code, stdout } = await callCli(['result', 's3-ended'], folder);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('That is all.') });
    const doctor = await callCli(['doctor', '--json'], folder);
    expect(doctor.lines).toContainEqual(
      expect.objectContaining({
        name: 'results',
        state: 'good',
        finding: `s3://holdfast/ at ${server.settings.endpoint} of the config file answers`,
      }),
    );
    const names = (await callCli(['artifacts', 'show', 's3-ended', '--json'], folder)).lines;
    expect(names).toContainEqual(expect.objectContaining({ name: 'log.json' }));
    // every age is over: the clock of the server is that of this machine
    const pruned = await callCli(['artifacts', 'prune', '--older-than', '0h', '--yes', '--json'], folder);
    expect(pruned.lines).toMatchObject([
      { type: 'removal', sessionId: expect.stringMatching(/s3-ended|checkpoints/) },
      { type: 'removal', sessionId: expect.stringMatching(/s3-ended|checkpoints/) },
      { type: 'pruned', entries: 2 },
    ]);
    expect((await callCli(['artifacts', 'list', '--json'], folder)).lines).toMatchObject([{ sessions: 0 }]);
  });

  test('[CLI-12d] a bucket that is not there is named before a session starts', async () => {
    const path = join(folder.cwd, 'gone.json');
    const config = {
      script: 'script.json',
      artifacts: { s3: { ...server.settings, bucket: 'nobody-made-it' } },
    };
    await writeFile(path, JSON.stringify(config));
    const { code, stderr } = await callCli(['--config', path, 'run', 'look'], folder);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /Cannot use artifacts\.s3 .*s3:\/\/nobody-made-it\/ .*NoSuchBucket.*Expected a bucket that exists/s,
    );
  });
});
