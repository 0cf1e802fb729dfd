// The command line from a task to its result: run as a process, and watch, show, list, result, steer, abort beside it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callTool } from '../../src/testing.ts';
import { beginCall, callCli, runCli } from '../support/cli.ts';
import { type CliFolder, askAndTell, makeCliFolder } from '../support/cli-folder.ts';

/** Waits for an approval in its second turn; what it was told meanwhile comes back in its answer. */
const asks = askAndTell(callTool('grep', { pattern: 'ok' }, { id: 'look', text: 'I look into the log.' }));
const askBeforeReading = [{ tool: 'read', decision: 'ask', reason: 'for the test' } as const];

describe('one session', () => {
  let folder: CliFolder;
  let sessionId: string;
  beforeAll(async () => {
    folder = await makeCliFolder('run');
  });
  afterAll(() => folder.remove());

  test('[CLI-11a] run starts it, shows what it does, and ends with its result and exit code 0', async () => {
    const { code, stdout, stderr } = await runCli(['run', 'why is', 'checkout slow?'], folder);
    expect(stderr).toContain('model: scripted:incident (no model key is set');
    expect(stdout).toMatch(/session why-is-checkout-slow-\w{5}\n/);
    expect(stdout).toMatch(
      /turn 1\n.*why is checkout slow\?\n.*I look into the log\.\n {2}→ grep timeout.*\n {2}✓ grep timeout.*pool timeout/s,
    );
    expect(stdout).toMatch(/turn 2\n {2}│ The log says: pool timeout after 512 ms\.\n/);
    expect(stdout).toMatch(/\ncompleted · .* tokens in, .*\n2 turns · 1 tool call ·/);
    expect(code).toBe(0);
    sessionId = /session (\S+)/.exec(stdout)?.[1] ?? '';
  });

  test('[CLI-11b] [HTTP-10g] list, show, watch and result tell of it afterwards, as JSON', async () => {
    const list = await callCli(['list', '--json', '--limit', '500'], folder);
    const isTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string;
    expect(list.lines).toContainEqual(
      expect.objectContaining({
        sessionId,
        state: 'ended',
        outcome: 'completed',
        task: 'why is checkout slow?',
        startedAt: isTime,
        endedAt: isTime,
      }),
    );
    const show = await callCli(['show', sessionId, '--json'], folder);
    expect(show.lines.find(({ type }) => type === 'session')).toMatchObject({
      session: { sessionId, state: 'ended', questions: [], endedAt: isTime },
    });
    expect(show.lines.find(({ type }) => type === 'result')).toMatchObject({
      result: { status: 'completed', turns: 2, startedAt: isTime },
    });
    const watch = await callCli(['watch', sessionId, '--worker', '--json', '--after', '2'], folder);
    const seqs = watch.lines.flatMap(({ event }) => (isEvent(event) ? [event.seq] : []));
    expect(seqs).toEqual(seqs.map((_, index) => index + 3));
    expect(watch.lines.at(-1)).toMatchObject({ type: 'result', result: { status: 'completed' } });
    const result = await callCli(['result', sessionId], folder);
    expect(result.stdout).toContain('The log says: pool timeout after 512 ms.');
    expect([list.code, show.code, watch.code, result.code]).toEqual([0, 0, 0, 0]);
  });

  test('[CLI-11b] show --messages gives what was said and done, without a worker', async () => {
    const { stdout } = await callCli(['show', sessionId, '--messages'], folder);
    expect(stdout).toMatch(
      /prompt\n {2}│ why is checkout slow\?\n.*agent\n {2}│ I look into the log\.\n.*→ grep .*\n.*grep · [^\n]*\n.*pool timeout/s,
    );
  });

  test('[CLI-17a] a checkpoint that cannot be written is told', async () => {
    const { code, stderr } = await callCli(
      ['checkpoint', 'export', sessionId, '--file', '/nonexistent/x.json'],
      folder,
    );
    expect(stderr).toMatch(/^holdfast: The checkpoint cannot be written to \/nonexistent\/x\.json \(ENOENT/);
    expect(code).toBe(2);
  });

  test('[FAULT-30] a message to it is refused: it has ended', async () => {
    const tooLate = [
      ['steer', sessionId, 'too', 'late'],
      ['approve', sessionId],
      ['answer', sessionId, 'yes'],
    ];
    for (const words of tooLate) {
      const { code, stderr } = await callCli(words, folder);
      expect(stderr).toContain(`Session ${sessionId} has ended and takes no messages.`);
      expect(code).toBe(5);
    }
  });
});

describe('two terminals', () => {
  let folder: CliFolder;
  beforeAll(async () => {
    folder = await makeCliFolder('two', asks, askBeforeReading);
  });
  afterAll(() => folder.remove());

  test('[CLI-11c] a second terminal watches, steers and approves a run that another process started', async () => {
    const run = beginCall(['run', '--session', 'two-terminals', '--json', 'look'], folder);
    await run.until(/holdfast approve two-terminals (\S+)/);
    const watch = beginCall(['watch', 'two-terminals'], folder);
    await watch.until(/\? approval needed: read shop\.log.*for the test/);
    const show = await callCli(['show', 'two-terminals'], folder);
    expect(show.stdout).toMatch(/waiting +approval[^]*\? read \{"path":"shop\.log".*\}/);
    const steer = await callCli(['steer', 'two-terminals', 'the pool is the cause'], folder);
    const approve = await callCli(['approve', 'two-terminals', '--actor', 'ann'], folder);
    expect([steer.code, approve.code]).toEqual([0, 0]);
    expect(approve.stdout).toMatch(/^Approved \S+: read \{"path":"shop\.log"/);
    const { code, lines } = await run.ended;
    expect(lines.at(-1)).toMatchObject({ result: { answer: 'I was told: the pool is the cause' } });
    // from the process with the worker: the other may find it gone before it has read the last events
    const resolved = lines.find(({ event }) => isEvent(event) && event.type === 'approval_resolved');
    expect(resolved).toMatchObject({ event: { approved: true, actor: 'ann' } });
    expect(code).toBe(0);
    const watched = await watch.ended;
    expect(watched.stdout).toContain('I was told: the pool is the cause');
    expect(watched.code).toBe(0);
  });

  test('[CLI-11d] abort ends it with an exit code of its own', async () => {
    const run = beginCall(['run', '--session', 'aborted', 'look'], folder);
    await run.until(/holdfast approve aborted/);
    expect((await callCli(['abort', 'aborted'], folder)).code).toBe(0);
    const { code, stdout } = await run.ended;
    expect(stdout).toMatch(/\naborted .*\n/);
    expect(code).toBe(11);
    // to Temporal it is completed
    const [list, json, show] = await Promise.all(
      [
        ['list', '--limit', '500'],
        ['list', '--json', '--limit', '500'],
        ['show', 'aborted'],
      ].map((args) => callCli(args, folder)),
    );
    expect(list?.stdout).toMatch(/^aborted {2}[^·]* · investigator · aborted · \d+ turns/m);
    expect(json?.lines).toContainEqual(
      expect.objectContaining({ sessionId: 'aborted', state: 'ended', outcome: 'aborted' }),
    );
    expect(show?.stdout).toMatch(/^state +aborted$/m);
  });
});

function isEvent(value: unknown): value is { seq: number; type?: string } {
  return typeof value === 'object' && value !== null && 'seq' in value && typeof value.seq === 'number';
}
