// A session that stays, from another terminal: going on after a limit, more budget, nothing to do, and its end.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelScript } from '@holdfast/scripted-model/model-script';
import { say, scriptOf } from '../../src/testing.ts';
import { beginCall, callCli } from '../support/cli.ts';
import { type CliFolder, makeServedFolder } from '../support/cli-folder.ts';

/** Asks for approval in every run, and answers then. */
const asks: ModelScript = {
  name: 'asks',
  steps: [
    { id: 'look', text: 'I look.', calls: [{ tool: 'grep', args: { pattern: 'ok' } }], next: 'so-far' },
    { id: 'so-far', text: 'So far nothing.', next: 'look' },
  ],
};

let folder: CliFolder;
beforeAll(async () => {
  folder = await makeServedFolder('idle', asks, [{ tool: 'grep', decision: 'ask' }]);
});
afterAll(() => folder.remove());

/** Starts one whose first run comes to its limit of turns. */
async function startLimited(sessionId: string): Promise<void> {
  const start = [
    'run',
    '--session',
    sessionId,
    '--keep-alive',
    '--max-turns',
    '1',
    '--max-cost',
    '3',
    '--approval',
    'deny',
    'look',
  ];
  const { code, stdout, stderr } = await callCli(start, folder);
  expect(stdout).toMatch(
    /denied by \S+: Every call that asks is denied here \(--approval deny\)\.[^]*\nmax_iterations/,
  );
  expect(stderr).toContain(`Left session ${sessionId} idle on `);
  for (const way of [`prompt ${sessionId} <words>`, `continue ${sessionId}`, `end ${sessionId}`])
    expect(stderr).toContain(`  holdfast ${way}\n`);
  expect(code).toBe(12);
}

test('[LOOP-08b] continue goes on after a limit of turns, with turns afresh', async () => {
  await startLimited('stays');
  const { code, stdout } = await callCli(['continue', 'stays', '--wait', '--yes'], folder);
  expect(stdout).toMatch(
    /^Continues as run run-2\..*\n[^]*max_iterations\n\nSo far nothing\.\n\n# Inconclusive \(nothing was changed\)\n\nTask: look\n[^]*\n2 turns · 1 tool call ·/,
  );
  expect(code).toBe(12);
  const shown = await callCli(['show', 'stays', '--messages'], folder);
  const moment = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+`;
  expect(shown.stdout).toMatch(new RegExp(`^1 · run-1 · turn 1 · ${moment} prompt$`, 'm'));
  expect(shown.stdout).toMatch(
    new RegExp(`^5 · run-2 · turn 1 · ${moment} injected\n  │ Your work was cut short`, 'm'),
  );
  expect(shown.stdout).toMatch(new RegExp(`^7 · run-2 · turn 1 · ${moment} grep[^\n]*\n.*14:03 ok`, 'm'));
});

test('[CLI-18a] extend-budget says what it added and what that comes to, in the units asked for', async () => {
  const more = ['--cost', '2.5', '--minutes', '0.5', '--turns', '1'];
  const { stdout } = await callCli(['extend-budget', 'stays', ...more], folder);
  expect(stdout).toBe(
    'Extended the budget of stays:\n' +
      '  1 turn: its budget has no such limit, so nothing was added\n' +
      '  $2.50 more: $5.50 in all\n' +
      '  0.5 minutes more: 60.5 minutes in all\n',
  );
});

test('[COND-28b] take-back refuses a finding that is not pinned, and says what is', async () => {
  const { code, stderr } = await callCli(['take-back', 'stays', 'finding-9'], folder);
  expect(stderr).toContain('no finding is pinned as finding-9; pinned: none.');
  expect(code).toBe(7);
});

test('[CLI-18b] what an idle session has nothing to do with is refused, and says what there is to do', async () => {
  const [resume, abort] = await Promise.all(
    ['resume', 'abort'].map((name) => callCli([name, 'stays'], folder)),
  );
  expect(resume?.stderr).toMatch(/is idle: there is nothing to resume\. "holdfast continue stays" continues/);
  expect(abort?.stderr).toMatch(/is idle: there is no run to abort\. "holdfast end stays" closes it/);
  // so few messages are no shorter as a summary with all that stays beside it; they are folded all the same
  const once = await callCli(['condense', 'stays'], folder);
  expect([once.code, once.stdout]).toEqual([
    0,
    expect.stringMatching(/^Condensed stays from .* to .* tokens\.\n$/),
  ]);
  const again = await callCli(['condense', 'stays'], folder);
  expect(again.stderr).toMatch(/Session stays has nothing to condense/);
  expect([resume?.code, abort?.code, again.code]).toEqual([7, 7, 7]);
});

test('[CLI-18f] prompt --wait says that the run waits for an operator, and what it needs', async () => {
  const refuses = scriptOf([say('Here I am.'), { id: 'key', fault: { type: 'Model.Auth' }, text: '' }]);
  const own = await makeServedFolder('waits', refuses);
  try {
    const first = beginCall(['run', '--session', 'waits-idle', '--keep-alive', 'hello'], own);
    await first.until(/^completed/m);
    first.interrupt();
    await first.ended;
    const asked = beginCall(['prompt', 'waits-idle', '--wait', 'and the key?'], own);
    await asked.until(
      / {2}! .*\n {4}Waiting for you: fix the problem, then run "holdfast resume waits-idle"/,
    );
    expect((await callCli(['abort', 'waits-idle'], own)).code).toBe(0);
    expect((await asked.ended).code).toBe(11);
    await callCli(['end', 'waits-idle'], own);
  } finally {
    await own.remove();
  }
});

test('[CLI-18c] end lets a run finish, and closes its session then; a session that has ended names fork', async () => {
  const run = beginCall(['continue', 'stays', '--wait', '--no-input'], folder);
  await run.until(/holdfast approve stays (\S+)/);
  const early = await callCli(['resume', 'stays'], folder);
  expect(early.stderr).toMatch(/Session stays waits for no operator: there is nothing to resume/);
  expect(early.code).toBe(7);
  const busy = await callCli(['end', 'stays'], folder);
  expect(busy.stdout).toMatch(
    /^stays takes no new task: its run finishes, then it closes\. "holdfast watch stays"/,
  );
  expect((await callCli(['approve', 'stays'], folder)).code).toBe(0);
  expect((await run.ended).code).toBe(12);
  expect((await callCli(['result', 'stays'], folder)).code).toBe(12);
  const messages = [['steer', 'hello'], ['prompt', 'hello'], ['continue'], ['abort'], ['end']];
  for (const [command = '', ...words] of messages) {
    const { code, stderr } = await callCli([command, 'stays', ...words], folder);
    expect(stderr).toContain('"holdfast fork stays --prompt <words>" continues from it in a new session.');
    expect(code).toBe(5);
  }
});

test('[CLI-18c] end closes an idle session', async () => {
  await startLimited('rests');
  const { lines } = await callCli(['end', 'rests', '--json'], folder);
  expect(lines).toEqual([{ sessionId: 'rests', closing: true, closed: true }]);
});

test('[CLI-18d] end without a worker names the one that can close the session', async () => {
  const nobody = `${folder.environment['HOLDFAST_TASK_QUEUE']}-nobody`;
  const elsewhere = { ...folder, environment: { ...folder.environment, HOLDFAST_TASK_QUEUE: nobody } };
  expect((await callCli(['run', '--session', 'unserved', '--detach', 'look'], elsewhere)).code).toBe(0);
  const { stdout } = await callCli(['end', 'unserved'], folder);
  expect(stdout).toBe(
    `Told unserved to close. It closes when a worker answers: start one with "holdfast worker --task-queue ${nobody}".\n`,
  );
});
