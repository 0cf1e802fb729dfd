// holdfast run --deliver and holdfast deliver as people type them.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { beginCall, callCli } from '../support/cli.ts';
import { type CliFolder, changeConfig, makeCliFolder } from '../support/cli-folder.ts';
import { type Answer, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

let folder: CliFolder | undefined;
afterEach(async () => {
  await folder?.remove();
  folder = undefined;
});

/** A folder with the destinations `reports`, a folder, and `team`, a webhook that answers so. */
async function makeFolder(name: string, answer: () => Answer = () => ({ status: 200 })) {
  const team = await startReceiver(answer);
  folder = await makeCliFolder(name);
  const destinations = {
    reports: { file: { folder: 'reports' } },
    team: { webhook: { url: team.url, secret: 'secret://hook' } },
  };
  await changeConfig(folder, (config) => ({ ...config, secrets: { hook: { env: 'HOOK' } }, destinations }));
  const environment = { ...folder.environment, HOOK: 'whsec-of-the-team-4711' };
  return { folder: { ...folder, environment }, team, reports: join(folder.cwd, 'reports') };
}

test('[DELIV-01a] run --deliver sends the end, and the command stays until it has arrived', async () => {
  const { folder: place, reports, team } = await makeFolder('deliver');
  const words = ['run', '--deliver', 'reports', '--deliver', 'team', 'why is checkout slow?', '--json'];
  const { code, lines, stderr } = await callCli(words, place);
  expect(code).toBe(0);
  expect(stderr).not.toContain('not arrived');
  const sessionId = lines.find(({ type }) => type === 'session')?.['sessionId'];
  const [name = '', ...more] = await readdir(reports);
  expect(more).toEqual([]);
  expect(await readFile(join(reports, name), 'utf8')).toContain('### Done: why is checkout slow?');
  expect(team.taken()).toMatchObject([{ point: 'end', session: { id: sessionId } }]);
});

test.each([[[]], [['--detach']]])(
  '[DELIV-04a] a destination that the config does not have is refused at once, %j',
  async (more) => {
    const { folder: place, team } = await makeFolder('deliver-unknown');
    const { code, stderr } = await callCli(['run', '--deliver', 'teem', 'look', ...more], place);
    expect(code).not.toBe(0);
    expect(stderr).toContain(
      'There is no destination "teem": expected one of reports, team. Did you mean "team"?',
    );
    expect(team.received).toEqual([]);
  },
);

test('[DELIV-03bc] what has not arrived is listed, and arrives when it is sent again', async () => {
  let isMended = false;
  const { folder: place, team } = await makeFolder('deliver-again', () => ({ status: isMended ? 200 : 410 }));
  const run = await callCli(['run', '--deliver', 'team', 'look', '--session', `gone-${process.pid}`], place);
  expect(run.stderr).toContain('The end has not arrived everywhere: "holdfast deliver --undelivered"');
  const sessionId = `gone-${process.pid}`;
  const listed = await until('it is listed', async () => {
    const { stdout } = await callCli(['deliver', sessionId, '--undelivered'], place);
    return stdout.includes('team') && stdout;
  });
  expect(listed).toMatch(
    /^gone-\d+ {2}end, since .*\n {2}team {2}given up: 127\.0\.0\.1:\d+ answered 410 Gone/,
  );
  expect(await callCli(['deliver', sessionId, '--to', 'teem'], place)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no destination "teem"'),
  });
  expect(await callCli(['deliver'], place)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Expected a session, or --undelivered'),
  });
  isMended = true;
  const again = await callCli(['deliver', sessionId], place);
  expect(again.stdout).toMatch(
    /^Begun: delivery:gone-\d+:run-1:end:[0-9a-f]{8}\n"holdfast deliver --undelivered"/,
  );
  // any worker of the folder sends it
  const worker = beginCall(['worker'], place);
  await until('it has arrived', () => team.taken().length === 1);
  await until('nothing is listed', async () =>
    (await callCli(['deliver', sessionId, '--undelivered'], place)).stdout.includes(
      'Everything has arrived.',
    ),
  );
  worker.interrupt();
  await worker.ended;
});
