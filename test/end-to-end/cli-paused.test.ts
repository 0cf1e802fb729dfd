// A session that nobody works on: what run, show, watch and the messages to it say, and how it continues. A worker counts as
// ended when its process has ended.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginCall, callCli, runCli, startCli } from '../support/cli.ts';
import { type CliFolder, makeAskingFolder, pauseSession } from '../support/cli-folder.ts';

let folder: CliFolder;
beforeAll(async () => {
  folder = await makeAskingFolder('paused');
});
afterAll(() => folder.remove());

test('Ctrl-C in run says that the session is paused, and the commands that continue it', async () => {
  const said = await pauseSession(folder, 'paused');
  expect(said).toMatch(
    /Session paused: paused, no worker is running\.\n +continue: +holdfast watch paused --worker\n[^]*holdfast worker\n[^]*holdfast abort paused/,
  );
  expect(said).not.toContain('left running');
});

test('show says the same', async () => {
  const { code, stdout, stderr } = await callCli(['show', 'paused'], folder);
  expect(stdout).toMatch(/^state +paused, no worker is running, waiting for approval$/m);
  expect(stdout).toContain('holdfast watch paused --worker');
  expect(`${stdout}${stderr}`).not.toContain('under way');
  expect(code).toBe(0);
  const { lines } = await callCli(['show', 'paused', '--json'], folder);
  expect(lines[0]).toMatchObject({ type: 'listing', state: 'paused' });
});

test('watch starts none: it says so with the command that does, keeps watching, and Ctrl-C tells the truth', async () => {
  const watch = beginCall(['watch', 'paused'], folder);
  await watch.until(/No worker is running for session paused\. "holdfast watch paused --worker" starts one/);
  watch.interrupt();
  const { code, stderr } = await watch.ended;
  expect(stderr).toMatch(/Session paused: paused, no worker is running\./);
  expect(code).toBe(130);
});

test('watch goes on by itself when a worker comes, and says that one is running when it is left', async () => {
  const watch = beginCall(['watch', 'paused'], folder);
  await watch.until(/No worker is running/);
  const worker = startCli(['worker'], folder);
  await watch.until(/approval needed: read shop\.log/);
  watch.interrupt();
  expect((await watch.ended).stderr).toMatch(/Left session paused running on /);
  worker.child.kill('SIGTERM');
  await worker.ended;
});

test('watch --worker refuses without a model, as run does', async () => {
  await writeFile(join(folder.cwd, 'bare.json'), '{}');
  const { code, stderr } = await callCli(['watch', 'paused', '--worker', '--config', 'bare.json'], folder);
  expect(stderr).toMatch(/No model to run with\. .*no model key is set/);
  expect(code).toBe(2);
});

test('watch --worker continues it with the config of this folder, and says which', async () => {
  const watch = startCli(['watch', 'paused', '--worker'], folder);
  await watch.until(/worker: here, with .*holdfast\.config\.json, model scripted:incident/);
  await watch.until(/holdfast approve paused/);
  expect((await callCli(['approve', 'paused'], folder)).code).toBe(0);
  const { code, stdout } = await watch.ended;
  expect(stdout).toContain('That is all.');
  expect(code).toBe(0);
});

test('[CLI-01b] watch --worker needs no default model where the session has its own', async () => {
  const asking = JSON.parse(await readFile(join(folder.cwd, 'holdfast.config.json'), 'utf8'));
  await writeFile(join(folder.cwd, 'keyless.json'), JSON.stringify({ ...asking, model: 'anthropic:x' }));
  const run = startCli(
    ['run', '--config', 'keyless.json', '--model', 'scripted:incident', '--session', 'own-model', 'look'],
    folder,
  );
  await run.until(/holdfast .*approve own-model/);
  run.child.kill('SIGINT');
  const { stderr } = await run.ended;
  const [, pasted = ''] = /continue: +holdfast (.+)/.exec(stderr) ?? [];
  const watch = startCli(pasted.split(' '), folder);
  await watch.until(/worker: here, with .*keyless\.json, model scripted:incident \(of the session\)/);
  await watch.until(/approve own-model/);
  await callCli(['approve', 'own-model'], folder);
  expect(await watch.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('That is all.') });
});

test('a message to a paused session says that it is read when a worker runs', async () => {
  await pauseSession(folder, 'told');
  const steer = await callCli(['steer', 'told', 'look', 'again'], folder);
  expect(steer.stderr).toMatch(/No worker is running for session told[^]*holdfast watch told --worker/);
  expect(steer.code).toBe(0);
  const abort = await callCli(['abort', 'told'], folder);
  expect(abort.stderr).toMatch(/No worker is running for session told/);
});

test('an idle session is idle, and no worker is running', async () => {
  const args = ['run', '--session', 'idle', '--keep-alive', '--yes', 'look'];
  const { code, stderr } = await runCli(args, folder);
  expect(code).toBe(0);
  expect(stderr).toMatch(/Session idle: idle, no worker is running\.[^]*holdfast prompt idle <words>/);
  const { stdout } = await callCli(['show', 'idle'], folder);
  expect(stdout).toMatch(/^state +idle, no worker is running, waiting for prompt$/m);
});
