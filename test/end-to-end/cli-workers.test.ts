// A session and the processes around it: who has a worker, who only watches, and what each says when it goes.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ModelScript } from '../../src/scripted/model-script.ts';
import { hasTerminal, runCli, startCli, startOnTerminal } from '../support/cli.ts';
import { type CliFolder, makeCliFolder } from '../support/cli-folder.ts';

const asks: ModelScript = {
  name: 'asks',
  steps: [
    { id: 'ask', text: 'I should read it.', calls: [{ tool: 'read', args: { path: 'shop.log' } }] },
    { id: 'answer', text: 'That is all.' },
  ],
};
const askBeforeReading = [{ tool: 'read', decision: 'ask' } as const];

let folder: CliFolder;
beforeAll(async () => {
  folder = await makeCliFolder('workers', asks, askBeforeReading);
});
afterAll(() => folder.remove());

/** A session that waits for its approval, and no worker. */
async function pause(sessionId: string, options: string[] = []): Promise<string> {
  const run = startCli(['run', '--session', sessionId, ...options, 'look'], folder);
  await run.until(new RegExp(`holdfast approve ${sessionId}`));
  run.child.kill('SIGINT');
  const { code, stderr } = await run.ended;
  expect(code).toBe(130);
  return stderr;
}

describe('no worker is running', () => {
  test('Ctrl-C in run says that the session is paused, and the commands that continue it', async () => {
    const said = await pause('paused');
    expect(said).toMatch(
      /Session paused: paused, no worker is running\.\n +continue: +holdfast watch paused --worker\n[^]*holdfast worker\n[^]*holdfast abort paused/,
    );
    expect(said).not.toContain('left running');
  });

  test('show says the same', async () => {
    const { code, stdout, stderr } = await runCli(['show', 'paused'], folder);
    expect(stdout).toMatch(/^state +paused, no worker is running, waiting for approval$/m);
    expect(stdout).toContain('holdfast watch paused --worker');
    expect(`${stdout}${stderr}`).not.toContain('under way');
    expect(code).toBe(0);
    const { lines } = await runCli(['show', 'paused', '--json'], folder);
    expect(lines[0]).toMatchObject({ type: 'listing', state: 'paused' });
  });

  test('watch starts none: it says so with the command that does, keeps watching, and Ctrl-C tells the truth', async () => {
    const watch = startCli(['watch', 'paused'], folder);
    await watch.until(
      /No worker is running for session paused\. "holdfast watch paused --worker" starts one/,
    );
    watch.child.kill('SIGINT');
    const { code, stderr } = await watch.ended;
    expect(stderr).toMatch(/Session paused: paused, no worker is running\./);
    expect(code).toBe(130);
  });

  test('watch goes on by itself when a worker comes, and says that one is running when it is left', async () => {
    const watch = startCli(['watch', 'paused'], folder);
    await watch.until(/No worker is running/);
    const worker = startCli(['worker'], folder);
    await watch.until(/approval needed: read shop\.log/);
    watch.child.kill('SIGINT');
    expect((await watch.ended).stderr).toMatch(/Left session paused running on /);
    worker.child.kill('SIGTERM');
    await worker.ended;
  });

  test('watch --worker continues it with the config of this folder, and says which', async () => {
    const watch = startCli(['watch', 'paused', '--worker'], folder);
    await watch.until(/worker: here, with .*holdfast\.config\.json, model scripted:incident/);
    await watch.until(/holdfast approve paused/);
    expect((await runCli(['approve', 'paused'], folder)).code).toBe(0);
    const { code, stdout } = await watch.ended;
    expect(stdout).toContain('That is all.');
    expect(code).toBe(0);
  });

  test('watch --worker refuses without a model, as run does', async () => {
    await pause('no-model');
    await writeFile(join(folder.cwd, 'bare.json'), '{}');
    const { code, stderr } = await runCli(['watch', 'no-model', '--worker', '--config', 'bare.json'], folder);
    expect(stderr).toMatch(/No model to run with\. .*no model key is set/);
    expect(code).toBe(2);
    await runCli(['abort', 'no-model'], folder);
  });

  test('a message to a paused session says that it is read when a worker runs', async () => {
    await pause('told');
    const steer = await runCli(['steer', 'told', 'look', 'again'], folder);
    expect(steer.stderr).toMatch(/No worker is running for session told[^]*holdfast watch told --worker/);
    expect(steer.code).toBe(0);
    const abort = await runCli(['abort', 'told'], folder);
    expect(abort.stderr).toMatch(/No worker is running for session told/);
  });

  test('an idle session is idle, and no worker is running', async () => {
    const args = ['run', '--session', 'idle', '--keep-alive', '--yes', 'look'];
    const { code, stderr } = await runCli(args, folder);
    expect(code).toBe(0);
    expect(stderr).toMatch(/Session idle: idle, no worker is running\.[^]*holdfast prompt idle <words>/);
    const { stdout } = await runCli(['show', 'idle'], folder);
    expect(stdout).toMatch(/^state +idle, no worker is running, waiting for prompt$/m);
  });
});

describe('a worker elsewhere', () => {
  test('Ctrl-C in run says that the session was left running where another worker answers', async () => {
    const worker = startCli(['worker'], folder);
    await worker.until(/worker on/);
    const said = await pause('left');
    expect(said).toMatch(/Left session left running on [^]*holdfast watch left\n[^]*holdfast abort left/);
    expect(said).not.toContain('paused');
    await runCli(['abort', 'left'], folder);
    worker.child.kill('SIGTERM');
    await worker.ended;
  });

  test('a worker that was killed does not count', async () => {
    const worker = startCli(['worker'], folder);
    await worker.until(/worker on/);
    await runCli(['run', '--detach', '--session', 'killed', 'look'], folder);
    const watch = startCli(['watch', 'killed'], folder);
    await watch.until(/holdfast approve killed/);
    worker.child.kill('SIGKILL');
    await worker.ended;
    await watch.until(/No worker is running for session killed/);
    const { stdout } = await runCli(['show', 'killed'], folder);
    expect(stdout).toMatch(/^state +paused, no worker is running, waiting for approval$/m);
    watch.child.kill('SIGINT');
    expect((await watch.ended).stderr).toMatch(/Session killed: paused, no worker is running/);
  });
});

describe.runIf(hasTerminal)('on a terminal', () => {
  test('watch asks for an approval that was pending before it began, as run does', async () => {
    const run = startCli(['run', '--session', 'asked-twice', 'look'], folder);
    await run.until(/holdfast approve asked-twice/);
    const watch = startOnTerminal(['watch', 'asked-twice'], folder);
    await watch.until(/Run exactly this\?/);
    watch.child.stdin.write('y\n');
    const [ran, watched] = await Promise.all([run.ended, watch.ended]);
    expect(ran.stdout).toMatch(/approved by [^]*That is all\./);
    expect(watched.stdout).toMatch(/session .*asked-twice[^]*approved by [^]*That is all\./);
    expect([ran.code, watched.code]).toEqual([0, 0]);
  });

  test('watch --after asks for an approval of before that, too', async () => {
    const run = startCli(['run', '--session', 'after', 'look'], folder);
    await run.until(/holdfast approve after/);
    const watch = startOnTerminal(['watch', 'after', '--after', '50'], folder);
    await watch.until(/Run exactly this\?/);
    watch.child.stdin.write('n\n');
    const [ran, watched] = await Promise.all([run.ended, watch.ended]);
    expect(ran.stdout).toMatch(/denied by [^]*That is all\./);
    expect([ran.code, watched.code]).toEqual([0, 0]);
  });
});
