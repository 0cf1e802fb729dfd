// Agent files that are written while `holdfast worker` runs: a new agent is started, a spoilt one keeps its runs and is logged.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { callCli, startCli } from '../support/cli.ts';
import { makeAskingFolder } from '../support/cli-folder.ts';

test('[WORKER-08abcde] a worker process learns agents from files; a run in progress survives the loss of its own', async () => {
  const folder = await makeAskingFolder('agent-files');
  const file = (name: string) => join(folder.cwd, 'agents', `${name}.md`);
  const write = (name: string, text: string) => writeFile(file(name), text);
  const start = (agent: string) =>
    callCli(['run', '--detach', '--session', agent, '--agent', agent, 'go'], folder);
  const worker = startCli(['worker', '--grace', '1'], folder);
  onTestFinished(async () => {
    worker.child.kill('SIGTERM');
    await worker.ended;
    await folder.remove();
  });
  await worker.until(/worker on/);
  await mkdir(join(folder.cwd, 'agents'));
  await write('night', '---\ntools: [read]\n---\nWatch by night.');
  await start('night');
  await worker.until(/approval asked.*night/);
  await write('night', '---\ntools: [raed]\n---\nWatch by night.');
  await write('day', '---\ntools: [read]\n---\nWatch by day.');
  expect((await callCli(['agents'], folder)).stdout).toContain('There is no tool "raed"');
  await start('day');
  await worker.until(/agents\/night\.md is no agent: There is no tool "raed".* keeps the agent as it was/);
  await worker.until(/approval asked.*day/);
  await rm(file('night'));
  expect((await callCli(['run', '--agent', 'night', 'go'], folder)).stderr).toContain(
    'There is no agent "night"',
  );
  for (const session of ['night', 'day']) {
    await callCli(['approve', session], folder);
    const { stdout, code } = await callCli(['result', session], folder);
    expect(stdout).toContain('That is all.');
    expect(code).toBe(0);
  }
});
