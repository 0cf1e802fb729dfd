// A worker of the command line that is killed, and the next one in its folder.
import { expect, onTestFinished, test } from 'vitest';
import { callCli, startCli } from '../support/cli.ts';
import { makeCliFolder } from '../support/cli-folder.ts';
import { startHttpServer } from '../support/http-server.ts';
import { until } from '../support/until.ts';

/** A folder whose model is asked and never answers. */
async function makeDeafFolder(name: string) {
  const model = { asked: 0 };
  const { url } = await startHttpServer(
    (request) => void request.resume().once('end', () => (model.asked += 1)),
  );
  const folder = await makeCliFolder(name);
  onTestFinished(folder.remove);
  const environment = { ...folder.environment, OPENAI_API_KEY: 'k', OPENAI_BASE_URL: url };
  return { setting: { ...folder, environment }, model };
}

test('[FAULT-1] after kill -9 of "holdfast run" the list and the next run say which session it left, and the command that continues it', async () => {
  const { setting, model } = await makeDeafFolder('killed');
  const killed = startCli(['run', '--session', 'was-killed', 'why?'], setting);
  await until('the model is asked', () => model.asked === 1);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const { stderr } = await callCli(['list', '--running'], setting);
  expect(stderr).toMatch(
    /! No worker is running for \d+ sessions? with work: [^\n]*was-killed[^]*holdfast watch \S+ --worker/,
  );
  const next = startCli(['run', 'and why?'], setting);
  await next.until(/its work in 1 session continues: was-killed\n +look: +holdfast watch was-killed\n/);
  next.child.kill('SIGKILL');
  await next.ended;
});

test('[CLI-10h] the second Ctrl-C ends "holdfast run" at once, and says how the session continues', async () => {
  const { setting, model } = await makeDeafFolder('impatient');
  const run = startCli(['run', '--session', 'impatient', 'why?'], setting);
  await until('the model is asked', () => model.asked === 1);
  run.child.kill('SIGINT');
  // its worker waits for the model call
  await run.until(/Ending the worker of this command/);
  run.child.kill('SIGINT');
  const { code, stderr } = await run.ended;
  expect(code).toBe(130);
  expect(stderr).toMatch(
    /Left session impatient at once\.\n +continue: +holdfast watch impatient --worker\n$/,
  );
});

test('[FAULT-2] "holdfast worker" says which sessions it took over from one that was killed in the same folder', async () => {
  const { setting, model } = await makeDeafFolder('takeover');
  const first = startCli(['worker'], setting);
  await first.until(/worker on/);
  const { stdout } = await callCli(['run', '--detach', 'why?'], setting);
  const sessionId = /session (\S+)/.exec(stdout)?.[1] ?? '';
  await until('the model is asked', () => model.asked === 1);
  first.child.kill('SIGKILL');
  await first.ended;
  const second = startCli(['worker', '--grace', '0', '--json'], setting);
  onTestFinished(async () => {
    second.child.kill('SIGTERM');
    await second.ended;
  });
  const pid = first.child.pid;
  const [, identity] = await second.until(
    new RegExp(`Worker (${pid}@\\S+) is gone; its work in 1 session continues: ${sessionId}\n`),
  );
  await until('the model is asked again', () => model.asked === 2);
  await callCli(['abort', sessionId], setting);
  second.child.kill('SIGTERM');
  const { lines } = await second.ended;
  expect(lines).toContainEqual({ type: 'takeover', identity, sessions: [sessionId] });
});
