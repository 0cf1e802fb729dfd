// fork, checkpoint export and checkpoint import on the command line: sessions that go on from another, in real
// processes.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { callTool, say, scriptOf } from '../../src/testing.ts';
import { beginCall, callCli } from '../support/cli.ts';
import { type CliFolder, lookStep, makeCliFolder } from '../support/cli-folder.ts';
import { until } from '../support/until.ts';

const script = scriptOf([
  lookStep,
  callTool('read', { path: 'shop.log' }, { id: 'read', text: 'I read it all.' }),
  say('The log says: {{line}}.', { id: 'answer' }),
  say('Nothing else.', { id: 'more' }),
]);

let folder: CliFolder;
beforeAll(async () => {
  folder = await makeCliFolder('fork', script, [{ tool: 'read', decision: 'ask', reason: 'for the test' }]);
  await writeFile(join(folder.cwd, 'no.json'), '{"version": 1, "id');
  await writeFile(join(folder.cwd, 'newer.json'), '{"version": 99}');
  const ended = await callCli(['run', '--session', 'first', '--yes', 'why is checkout slow?'], folder);
  // completed; the rest of the script is for what goes on from it
  expect(ended.code).toBe(10);
  expect(ended.stdout).toContain('completed');
});
afterAll(() => folder.remove());

describe('fork', () => {
  test('[CLI-19a] from the end of a turn: the rest is done again, on the messages of the other', async () => {
    const { code, lines } = await callCli(
      ['fork', 'first', '--at-turn', '1', '--session', 'forked', '--yes', '--json'],
      folder,
    );
    expect(lines.at(-1)).toMatchObject({
      result: { answer: 'The log says: pool timeout after 512 ms.', turns: 2 },
    });
    expect(code).toBe(0);
    const shown = await callCli(['show', 'forked', '--messages'], folder);
    expect(shown.stdout).toMatch(
      /prompt\n {2}│ why is checkout slow\?\n[^]*I look into the log\.\n[^]*I read it all\.\n[^]*agent\n {2}│ The log says/,
    );
  });

  test('[CLI-19b] from where it stands needs a prompt once its work is completed', async () => {
    const refused = await callCli(['fork', 'first'], folder);
    expect(refused.stderr).toMatch(/Session first has completed its work[^]*--prompt[^]*--at-turn/);
    expect(refused.code).toBe(7);
    const { code, lines } = await callCli(
      ['fork', 'first', '--prompt', 'Anything else?', '--session', 'asked', '--json'],
      folder,
    );
    expect(lines.at(-1)).toMatchObject({ result: { answer: 'Nothing else.', turns: 1 } });
    expect(code).toBe(0);
  });

  test('[CLI-19b] a turn that it never had is refused, with those that it has', async () => {
    const { code, stderr } = await callCli(['fork', 'first', '--at-turn', '9'], folder);
    expect(stderr).toContain('there is no turn 9 of run-1: run-1 has turns 1 to 3');
    expect(code).toBe(7);
  });

  test('[CLI-19a] of a running session, in the middle of a turn; the other is left alone', async () => {
    const run = beginCall(['run', '--session', 'running', '--json', 'why is checkout slow?'], folder);
    await run.until(/holdfast approve running/);
    const open = await callCli(['fork', 'running', '--at-turn', '2'], folder);
    expect(open.stderr).toContain('turn 2 of run-1 is not over');
    const forked = await callCli(['fork', 'running', '--session', 'overtakes', '--yes', '--json'], folder);
    expect(forked.lines.at(-1)).toMatchObject({ result: { status: 'completed', turns: 3 } });
    expect((await callCli(['deny', 'running'], folder)).code).toBe(0);
    expect((await run.ended).lines.at(-1)).toMatchObject({ result: { status: 'completed', turns: 3 } });
  });

  test('[CLI-19a] works when the history is gone, from what the store has', async () => {
    await deleteHistory('forked');
    const { code, lines } = await callCli(
      ['fork', 'forked', '--at-turn', '1', '--session', 'again', '--yes', '--json'],
      folder,
    );
    expect(lines.at(-1)).toMatchObject({ result: { answer: 'The log says: pool timeout after 512 ms.' } });
    expect(code).toBe(0);
  });
});

describe('checkpoint', () => {
  test('[CKPT-05c] export writes a file that stands alone; import of a completed one gives its result, and goes on with a prompt', async () => {
    const exported = await callCli(['checkpoint', 'export', 'first', '--file', 'first.json'], folder);
    expect(exported.stdout).toMatch(/Wrote 6 messages to .*first\.json \(completed\)/);
    const file = join(folder.cwd, 'first.json');
    // messages may hold secrets of their owner
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const document = JSON.parse(await readFile(file, 'utf8'));
    expect(document).toMatchObject({ version: 1, task_id: 'first', messages: { fromSeq: 1, segments: [] } });
    // what its first worker has, whichever worker continues it
    expect(document.session.input).toMatchObject({
      model: expect.stringMatching(/^scripted:/),
      tools: expect.arrayContaining(['grep', 'read']),
    });
    const same = await callCli(['checkpoint', 'import', file, '--session', 'same', '--json'], folder);
    expect(same.lines.at(-1)).toMatchObject({ result: { sessionId: 'same', status: 'completed', turns: 3 } });
    const more = await callCli(
      ['checkpoint', 'import', file, '--prompt', 'Anything else?', '--json'],
      folder,
    );
    expect(more.lines.at(-1)).toMatchObject({ result: { answer: 'Nothing else.' } });
    expect([exported.code, same.code, more.code]).toEqual([0, 0, 0]);
  });

  test('[CLI-19c] a document over 256 KiB goes through the store, and comes out the same', async () => {
    const { stdout } = await callCli(['checkpoint', 'export', 'first'], folder);
    const document = JSON.parse(stdout);
    document.messages.records[0].content[0].text += ` ${'x'.repeat(300_000)}`;
    const file = join(folder.cwd, 'large.json');
    await writeFile(file, JSON.stringify(document));
    const { code, lines } = await callCli(
      ['checkpoint', 'import', file, '--session', 'large', '--prompt', 'Anything else?', '--json'],
      folder,
    );
    expect(lines.at(-1)).toMatchObject({ result: { answer: 'Nothing else.' } });
    expect(code).toBe(0);
    const { lines: messages } = await callCli(['show', 'large', '--messages', '--json'], folder);
    expect(JSON.stringify(messages)).toContain('x'.repeat(300_000));
  });

  test.each([
    ['no.json', /no\.json is no checkpoint[^]*it is no JSON: .*position[^]*checkpoint export/],
    ['newer.json', /it has version 99: expected 1/],
    ['gone.json', /Cannot read .*gone\.json: ENOENT/],
  ])('[CKPT-05b] %s is refused with what is wrong', async (file, message) => {
    const { code, stderr } = await callCli(['checkpoint', 'import', join(folder.cwd, file)], folder);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});

async function deleteHistory(workflowId: string): Promise<void> {
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  try {
    const workflowExecution = { workflowId };
    await connection.workflowService.deleteWorkflowExecution({ namespace: 'default', workflowExecution });
    const isGone = () =>
      connection.workflowService
        .describeWorkflowExecution({ namespace: 'default', execution: workflowExecution })
        .then(
          () => false as const,
          () => true as const,
        );
    // the server deletes when its queues have noted what they did, which they do every ten seconds, and tries less and less often
    await until('it is gone', isGone, 100_000);
  } finally {
    await connection.close();
  }
}
