// A session and the processes around it: who works on it, what run, show, watch and the messages to it say when nobody does, and
// how it continues. A worker counts as ended when its process has ended.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type RunningCli,
  beginCall,
  callCli,
  hasTerminal,
  startCli,
  startOnTerminal,
} from '../support/cli.ts';
import { type CliFolder, leaveSession, makeAskingFolder } from '../support/cli-folder.ts';
import { until } from '../support/until.ts';

let folder: CliFolder;
/** Of the folder, for some of the tests. */
let worker: RunningCli;
beforeAll(async () => {
  folder = await makeAskingFolder('standing');
});
afterAll(() => folder.remove());

/** The folder with a queue at which no worker of this process has been: one that has ended is listed, and its process is alive. */
function withQueue(name: string): CliFolder {
  const HOLDFAST_TASK_QUEUE = `${folder.environment['HOLDFAST_TASK_QUEUE']}-${name}`;
  return { ...folder, environment: { ...folder.environment, HOLDFAST_TASK_QUEUE } };
}

/** `holdfast run` as a process, whose session waits for an approval. */
async function startRun(sessionId: string): Promise<RunningCli> {
  const run = startCli(['run', '--session', sessionId, 'look'], folder);
  await run.until(new RegExp(`holdfast approve ${sessionId}`));
  return run;
}

test('[CLI-10a] Ctrl-C in run says that the session is paused, and the commands that continue it', async () => {
  const run = await startRun('paused');
  run.child.kill('SIGINT');
  const { code, stderr } = await run.ended;
  expect(code).toBe(130);
  expect(stderr).toMatch(
    /Session paused: paused, no worker is running\.\n +continue: +holdfast watch paused --worker\n[^]*holdfast worker\n[^]*holdfast abort paused/,
  );
  expect(stderr).not.toContain('left running');
});

test('[CLI-10b] show says the same', async () => {
  const { code, stdout, stderr } = await callCli(['show', 'paused'], folder);
  expect(stdout).toMatch(/^state +paused, no worker is running, waiting for approval$/m);
  expect(stdout).toContain('holdfast watch paused --worker');
  expect(`${stdout}${stderr}`).not.toContain('under way');
  expect(code).toBe(0);
  const { lines } = await callCli(['show', 'paused', '--json'], folder);
  expect(lines[0]).toMatchObject({
    type: 'session',
    standing: 'paused',
    session: { state: 'waiting', waitingFor: 'approval' },
  });
});

test('[CLI-10b] watch starts none: it says so with the command that does, keeps watching, and Ctrl-C tells the truth', async () => {
  const watch = beginCall(['watch', 'paused'], folder);
  await watch.until(/No worker is running for session paused\. "holdfast watch paused --worker" starts one/);
  watch.interrupt();
  const { code, stderr } = await watch.ended;
  expect(stderr).toMatch(/Session paused: paused, no worker is running\./);
  expect(code).toBe(130);
});

test('[CLI-30b] result says that no worker is running, with the commands, and keeps waiting', async () => {
  const result = startCli(['result', 'paused'], folder);
  await result.until(/It has not ended: waiting/);
  await result.until(
    /No worker is running for session paused: .*\n +continue: +holdfast watch paused --worker\n/,
  );
  expect(result.child.exitCode).toBeNull();
  result.child.kill('SIGINT');
  await result.ended;
});

test('[CLI-30c] report says of a run that has not ended that it has none yet, and names no store', async () => {
  const { code, stderr } = await callCli(['report', 'paused'], folder);
  expect(stderr).toMatch(/Session paused has no report: no run of it has ended with one\. .*show paused/);
  expect(stderr).not.toContain('artifact store');
  expect(code).toBe(4);
});

test('[CLI-30a] a start for a worker elsewhere tells of a model for which this folder has no key, and is not refused', async () => {
  const words = ['run', '--detach', '--session', 'keyless', '--model', 'anthropic:x', 'look'];
  const { code, stderr } = await callCli(words, withQueue('keyless'));
  expect(stderr).toMatch(
    /Model anthropic:x cannot be used: set ANTHROPIC_API_KEY .*The worker of the session/,
  );
  expect(code).toBe(0);
});

test('[CLI-30e] alerts of a receiver that neither the config nor the server has is refused with the one that was meant', async () => {
  await writeFile(
    join(folder.cwd, 'alerts.json'),
    JSON.stringify({ receivers: { prod: { format: 'alertmanager' } } }),
  );
  const of = (receiver: string) => callCli(['alerts', receiver, '--config', 'alerts.json'], folder);
  const [known, unknown] = await Promise.all([of('prod'), of('prd')]);
  expect(known).toMatchObject({ code: 0, stdout: expect.stringContaining('No alert matches.') });
  expect(unknown.stderr).toContain('There is no receiver "prd": expected one of prod. Did you mean "prod"?');
  expect(unknown.code).toBe(2);
});

test('[CLI-10b] [QUEUE-22de] a message to it is read when a worker runs, and that is said', async () => {
  const { code, stdout, stderr } = await callCli(['steer', 'paused', 'look', 'again'], folder);
  expect(stdout).toMatch(/^Stored by Temporal \(id \S+\), not confirmed yet: no worker has answered/);
  expect(stderr).toMatch(/No worker is running for session paused[^]*holdfast watch paused --worker/);
  expect(code).toBe(0);
});

test('[CLI-10c] watch goes on by itself when a worker comes, and says that one is running when it is left', async () => {
  const watch = beginCall(['watch', 'paused'], folder);
  await watch.until(/No worker is running/);
  worker = startCli(['worker'], folder);
  await watch.until(/approval needed: read shop\.log/);
  watch.interrupt();
  expect((await watch.ended).stderr).toMatch(/Left session paused running on /);
});

test.skipIf(!hasTerminal)(
  '[CLI-30g] watch --no-input prints the commands that answer, and asks nothing',
  async () => {
    const watch = startOnTerminal(['watch', 'paused', '--plain', '--no-input'], folder);
    await watch.until(/holdfast approve paused/);
    watch.child.stdin.write('\u0003');
    expect((await watch.ended).stdout).not.toContain('Run exactly this?');
  },
);

test('[CLI-10cf] a reader that goes away leaves a run as Ctrl-C does: it is said to run where another worker answers', async () => {
  const run = await startRun('reader-gone');
  run.child.stdout.destroy();
  expect((await callCli(['steer', 'reader-gone', 'go on'], folder)).code).toBe(0);
  const { code, stderr } = await run.ended;
  expect(code).toBe(130);
  expect(stderr).toMatch(
    /Left session reader-gone running on [^]*holdfast watch reader-gone\n[^]*holdfast abort reader-gone/,
  );
  expect(stderr).not.toContain('paused');
});

test('[CLI-10b] a worker that was killed does not count, and an idle session is idle', async () => {
  await callCli(['run', '--detach', '--session', 'idle', '--keep-alive', 'look'], folder);
  await until('it is approved', async () => (await callCli(['approve', 'idle'], folder)).code === 0);
  await until('it is idle', async () => (await callCli(['show', 'idle'], folder)).stdout.includes('idle, '));
  const watch = beginCall(['watch', 'paused'], folder);
  await watch.until(/holdfast approve paused/);
  worker.child.kill('SIGKILL');
  await worker.ended;
  await watch.until(/No worker is running for session paused/);
  watch.interrupt();
  expect((await watch.ended).stderr).toMatch(/Session paused: paused, no worker is running/);
  const [paused, rests] = await Promise.all(['paused', 'idle'].map((id) => callCli(['show', id], folder)));
  expect(paused?.stdout).toMatch(/^state +paused, no worker is running, waiting for approval$/m);
  expect(rests?.stdout).toMatch(/^state +idle, no worker is running, waiting for prompt$/m);
  const abort = await callCli(['abort', 'reader-gone'], folder);
  expect(abort.stderr).toMatch(/No worker is running for session reader-gone/);
});

test('[CLI-10d] watch --worker refuses without a model, as run does', async () => {
  await writeFile(join(folder.cwd, 'bare.json'), '{}');
  const { code, stderr } = await callCli(['watch', 'paused', '--worker', '--config', 'bare.json'], folder);
  expect(stderr).toMatch(/No model to run with\. .*no model key is set/);
  expect(code).toBe(2);
});

test('[CLI-10d] watch --worker continues it with the config of this folder, and says which', async () => {
  const watch = beginCall(['watch', 'paused', '--worker'], folder);
  await watch.until(/worker: here, with .*holdfast\.config\.json, model scripted:incident/);
  await watch.until(/holdfast approve paused/);
  expect((await callCli(['approve', 'paused'], folder)).code).toBe(0);
  expect(await watch.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('That is all.') });
});

test('[CLI-01b] watch --worker needs no default model where the session has its own', async () => {
  const asking = JSON.parse(await readFile(join(folder.cwd, 'holdfast.config.json'), 'utf8'));
  await writeFile(join(folder.cwd, 'keyless.json'), JSON.stringify({ ...asking, model: 'anthropic:x' }));
  const options = ['--config', 'keyless.json', '--model', 'scripted:incident'];
  const place = withQueue('keyless');
  const said = await leaveSession(place, 'own-model', ...options);
  const [, pasted = ''] = /continue: +holdfast (.+)/.exec(said) ?? [];
  const watch = beginCall(pasted.split(' '), place);
  await watch.until(/worker: here, with .*keyless\.json, model scripted:incident \(of the session\)/);
  await watch.until(/approve own-model/);
  await callCli(['approve', 'own-model'], place);
  expect(await watch.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('That is all.') });
});

test('[CLI-10a] run says that a session that stays is idle, and the command that goes on', async () => {
  const args = ['run', '--session', 'rests-alone', '--keep-alive', '--yes', 'look'];
  const { code, stderr } = await callCli(args, withQueue('alone'));
  expect(stderr).toMatch(
    /Session rests-alone: idle, no worker is running\.[^]*holdfast prompt rests-alone <words>/,
  );
  expect(code).toBe(0);
});

test.runIf(hasTerminal)(
  '[CLI-10e] on a terminal watch --after asks for an approval of before that, and what was typed ahead answers none',
  async () => {
    const run = beginCall(['run', '--session', 'after', 'look'], folder);
    await run.until(/holdfast approve after/);
    const watch = startOnTerminal(['watch', 'after', '--after', '50'], folder);
    watch.child.stdin.write('y\ny');
    await watch.until(/Run exactly this\? \[y\/n\]/);
    expect((await callCli(['show', 'after'], folder)).stdout).toMatch(/waiting +approval/);
    watch.child.stdin.write('n\n');
    const [ran, watched] = await Promise.all([run.ended, watch.ended]);
    expect(ran.stdout).toMatch(/denied by [^]*That is all\./);
    expect([ran.code, watched.code]).toEqual([0, 0]);
  },
);
