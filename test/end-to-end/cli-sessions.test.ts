// What people do with sessions that are over, or have too many of: filters of list, logs, open, rm.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginCall, callCli, hasTerminal, startOnTerminal } from '../support/cli.ts';
import { type CliFolder, makeAskingFolder, makeCliFolder, leaveSession } from '../support/cli-folder.ts';

/** Unique on the suite's server; other files of this process have its pid too. */
const label = `team=shop-${process.pid}`;
const ended = `over-${process.pid}`;
const waits = `waits-${process.pid}`;
const missing = `cli-sessions-missing-${process.pid}`;
let folder: CliFolder;
let asking: CliFolder;

beforeAll(async () => {
  [folder, asking] = await Promise.all([makeCliFolder('sessions'), makeAskingFolder('asking')]);
  const setting = { ...folder, environment: { ...folder.environment, HOLDFAST_UI_URL: 'http://ui.test' } };
  folder = setting;
  await Promise.all([
    callCli(['run', '--session', ended, '--label', label, 'look'], folder),
    leaveSession(asking, waits),
  ]);
});
afterAll(() => Promise.all([folder.remove(), asking.remove()]));

async function idsOf(...filters: string[]): Promise<string[]> {
  const { lines, stderr } = await callCli(['list', '--json', '--limit', '500', ...filters], folder);
  // one of them waits without a worker, as others of the suite may, which is said whatever the filter
  expect(stderr.replace(/^! No worker .*\n(?: .*\n)*/gm, '')).toBe('');
  return lines.map(({ sessionId }) => String(sessionId)).filter((id) => [ended, waits].includes(id));
}

test('[CLI-14e] list says that there are more sessions than it shows', async () => {
  await expect.poll(() => idsOf()).toHaveLength(2);
  const shown = await callCli(['list', '--limit', '1'], folder);
  expect(shown.stdout).toMatch(/^.*\n {2}.*\n1 shown, there are more: --limit\.\n$/);
  const all = await callCli(['list', '--limit', '1', '--label', label], folder);
  expect(all.stdout).not.toContain('there are more');
});

test('[CLI-14a] list filters by label, outcome, agent and status', async () => {
  await expect.poll(() => idsOf('--outcome', 'completed')).toEqual([ended]);
  await expect.poll(() => idsOf('--status', 'waiting')).toEqual([waits]);
  expect(await idsOf('--label', label)).toEqual([ended]);
  expect(await idsOf('--label', label, '--label', 'team=other')).toEqual([]);
  expect(await idsOf('--status', 'ended')).toEqual([ended]);
  expect(await idsOf('--status', 'running')).toEqual([]);
  expect(await idsOf('--outcome', 'failed')).toEqual([]);
  expect((await idsOf('--agent', 'investigator')).toSorted()).toEqual([ended, waits].toSorted());
  expect(await idsOf('--agent', "nobody's")).toEqual([]);
});

test('[CLI-14b] rm refuses without an answer, a session that runs, and one that is not there', async () => {
  const unasked = await callCli(['rm', ended], folder);
  expect(unasked).toMatchObject({ code: 2, stdout: '' });
  expect(unasked.stderr).toContain(
    'Nothing was removed: there is no terminal to ask on. Add --yes to remove.',
  );
  const gone = await callCli(['rm', '--yes', missing], folder);
  expect(gone).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`No session ${missing} on the server`),
  });
  const running = await callCli(['rm', '--yes', waits], asking);
  expect(running).toMatchObject({ code: 7, stderr: expect.stringMatching(/is running.*"holdfast abort /) });
});

test('[CLI-14c] logs prints the messages, as many as are asked for', async () => {
  const { code, stdout } = await callCli(['logs', ended], folder);
  expect(code).toBe(0);
  expect(stdout).toMatch(/prompt\n {2}│ look\n[^]*→ grep [^]*pool timeout after 512 ms[^]*The log says/);
  const tail = await callCli(['logs', ended, '--tail', '1', '--json'], folder);
  expect(tail.lines).toHaveLength(1);
  expect(tail.stdout).toContain('The log says');
  expect((await callCli(['logs', ended, '--tail', '0'], folder)).stdout).toBe('');
  // one that has ended is not waited for
  expect((await callCli(['logs', ended, '--follow'], folder)).stdout).toBe(stdout);
});

test('[CLI-14c] logs --follow prints what comes, until the end', async () => {
  const worker = beginCall(['worker'], asking);
  await worker.until(/worker on/);
  const logs = beginCall(['logs', waits, '--follow'], asking);
  await logs.until(/→ read /);
  await callCli(['approve', waits], asking);
  const { code, stdout } = await logs.ended;
  worker.interrupt();
  await worker.ended;
  expect(code).toBe(0);
  expect(stdout).toContain('That is all.');
  expect(stdout.match(/I should read it\./g)).toHaveLength(1);
});

test('[CLI-14d] open prints the address, and refuses a session that is not there', async () => {
  const { code, stdout } = await callCli(['open', ended], folder);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `http://ui.test/namespaces/default/workflows/${ended}\n`,
  });
  expect((await callCli(['open', missing], folder)).code).toBe(4);
});

test('[CKPT-11a] replay takes the history of a session from the server', async () => {
  const { code, stdout } = await callCli(['replay', ended], folder);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'The history fits this version.\n' });
  expect((await callCli(['replay', missing], folder)).code).toBe(4);
  expect((await callCli(['replay'], folder)).code).toBe(2);
});

test.skipIf(!hasTerminal)('[CLI-14d] open starts the browser of a person', async () => {
  const bin = join(folder.cwd, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'browse'), `#!/bin/sh\necho "$1" > '${join(bin, 'opened')}'\n`);
  await chmod(join(bin, 'browse'), 0o755);
  const environment = { ...folder.environment, BROWSER: join(bin, 'browse'), DISPLAY: '' };
  const { code } = await startOnTerminal(['open', ended], { ...folder, environment }).ended;
  expect(code).toBe(0);
  await expect
    .poll(() => readFile(join(bin, 'opened'), 'utf8').catch(() => ''))
    .toBe(`http://ui.test/namespaces/default/workflows/${ended}\n`);
});

test('[CLI-14b] rm removes the artifacts and the checkpoint, and nothing of others', async () => {
  const other = `second-${ended}`;
  await callCli(['run', '--session', other, 'look'], folder);
  const { code, lines } = await callCli(['rm', '--yes', '--json', ended], folder);
  expect(code).toBe(0);
  expect(lines).toEqual([
    expect.objectContaining({
      type: 'removed',
      sessionId: ended,
      executions: 1,
      artifacts: expect.any(Number),
    }),
  ]);
  expect(Number(lines[0]?.['artifacts'])).toBeGreaterThan(2);
  expect((await callCli(['artifacts', 'show', ended], folder)).code).toBe(4);
  const { stdout } = await callCli(['artifacts', 'list'], folder);
  expect(stdout).toContain(other);
  expect(
    await readFile(join(folder.cwd, '.holdfast/artifacts/sessions/checkpoints', `${other}.json`), 'utf8'),
  ).toContain(other);
  await expect(
    readFile(join(folder.cwd, '.holdfast/artifacts/sessions/checkpoints', `${ended}.json`)),
  ).rejects.toThrow('ENOENT');
  expect((await callCli(['result', other], folder)).stdout).toContain('The log says');
});
