// A session and the processes around it: who has a worker, who only watches, and what each says when it goes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginCall, callCli, hasTerminal, runCli, startCli, startOnTerminal } from '../support/cli.ts';
import { type CliFolder, makeAskingFolder, pauseSession } from '../support/cli-folder.ts';

let folder: CliFolder;
beforeAll(async () => {
  folder = await makeAskingFolder('workers');
});
afterAll(() => folder.remove());

describe('a worker elsewhere', () => {
  test('Ctrl-C in run says that the session was left running where another worker answers', async () => {
    const worker = startCli(['worker'], folder);
    await worker.until(/worker on/);
    const said = await pauseSession(folder, 'left');
    expect(said).toMatch(/Left session left running on [^]*holdfast watch left\n[^]*holdfast abort left/);
    expect(said).not.toContain('paused');
    await callCli(['abort', 'left'], folder);
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
    const { stdout } = await callCli(['show', 'killed'], folder);
    expect(stdout).toMatch(/^state +paused, no worker is running, waiting for approval$/m);
    watch.child.kill('SIGINT');
    expect((await watch.ended).stderr).toMatch(/Session killed: paused, no worker is running/);
  });
});

describe.runIf(hasTerminal)('on a terminal', () => {
  test('watch asks for an approval that was pending before it began, as run does', async () => {
    const run = beginCall(['run', '--session', 'asked-twice', 'look'], folder);
    await run.until(/holdfast approve asked-twice/);
    const watch = startOnTerminal(['watch', 'asked-twice'], folder);
    await watch.until(/Run exactly this\?/);
    watch.child.stdin.write('y\n');
    const [ran, watched] = await Promise.all([run.ended, watch.ended]);
    expect(ran.stdout).toMatch(/approved by [^]*That is all\./);
    expect(watched.stdout).toMatch(/session .*asked-twice[^]*\? approval needed[^]*That is all\./);
    expect([ran.code, watched.code]).toEqual([0, 0]);
  });

  test('watch --after asks for an approval of before that, too', async () => {
    const run = beginCall(['run', '--session', 'after', 'look'], folder);
    await run.until(/holdfast approve after/);
    const watch = startOnTerminal(['watch', 'after', '--after', '50'], folder);
    await watch.until(/Run exactly this\?/);
    watch.child.stdin.write('n\n');
    const [ran, watched] = await Promise.all([run.ended, watch.ended]);
    expect(ran.stdout).toMatch(/denied by [^]*That is all\./);
    expect([ran.code, watched.code]).toEqual([0, 0]);
  });
});
