// A worker of the command line that is killed, and the next one in its folder.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { callCli, runCli, startCli } from '../support/cli.ts';
import { makeCliFolder } from '../support/cli-folder.ts';
import { until } from '../support/until.ts';

test('[FAULT-2] "holdfast worker" says which sessions it took over from one that was killed in the same folder', async () => {
  let asked = 0;
  // never answers
  const provider = createServer((request) => void request.resume().once('end', () => (asked += 1)));
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const address = provider.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const { remove, ...folder } = await makeCliFolder('takeover');
  const environment = {
    ...folder.environment,
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: `http://127.0.0.1:${port}`,
  };
  const setting = { ...folder, environment };
  const first = startCli(['worker'], setting);
  await first.until(/worker on/);
  const { stdout } = await runCli(['run', '--detach', 'why?'], setting);
  const sessionId = /session (\S+)/.exec(stdout)?.[1] ?? '';
  await until('the model is asked', () => asked === 1);
  first.child.kill('SIGKILL');
  await first.ended;
  const second = startCli(['worker', '--grace', '0', '--json'], setting);
  onTestFinished(async () => {
    second.child.kill('SIGTERM');
    await second.ended;
    provider.closeAllConnections();
    provider.close();
    await remove();
  });
  const pid = first.child.pid;
  const [, identity] = await second.until(
    new RegExp(`Worker (${pid}@\\S+) is gone; its work in 1 session continues: ${sessionId}\n`),
  );
  await until('the model is asked again', () => asked === 2);
  await callCli(['abort', sessionId], setting);
  second.child.kill('SIGTERM');
  const { lines } = await second.ended;
  expect(lines).toContainEqual({ type: 'takeover', identity, sessions: [sessionId] });
});
