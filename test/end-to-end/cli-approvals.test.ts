// What waits for people over all sessions of a server of its own: the list, and the answers that a shell gives.
import { mergeOptions } from '@holdfast/vocabulary/merge-options';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { askHumanTool } from '../../src/activities/assembly/built-in-tools.ts';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { type DevServer, startDevServer } from '../../src/dev-server/dev-server.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { callCli } from '../support/cli.ts';
import type { CliResult } from '../support/cli.ts';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { SessionBench, SessionHandle } from '../support/session-bench.ts';
import { delegating } from '../support/team.ts';
import { until } from '../support/until.ts';

let server: DevServer;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'holdfast-waiting-'));
  const binary = inject('temporalBinary');
  server = await startDevServer({ dir, binary, environment: readEnvironment(), dbFile: null, ui: false });
});
afterAll(async () => {
  await server.stop();
  await rm(dir, { recursive: true, force: true });
});

const cli = (...args: string[]): Promise<CliResult> =>
  callCli(args, { cwd: dir, environment: { TEMPORAL_ADDRESS: server.address } });

/** Each session does what its prompt says: `change x y`, `leak`, `ask words`, or nothing. */
async function openBench(options: { workerless?: boolean } = {}): Promise<SessionBench> {
  return createSessionBench({
    ...options,
    address: server.address,
    model: functionModel(({ newTexts }) => {
      const [verb, ...words] = (newTexts.at(-1) ?? '').split(' ');
      const secret = 'password=hunter2-hunter2';
      if (verb === 'leak') return { calls: [{ tool: 'change', args: { target: secret } }] };
      if (verb === 'change') return { calls: words.map((target) => ({ tool: 'change', args: { target } })) };
      if (verb !== 'ask') return { text: 'done' };
      return { calls: [{ tool: 'ask_human', args: { question: words.join(' '), options: ['yes', 'no'] } }] };
    }),
    tools: [
      askHumanTool,
      defineTool({
        name: 'change',
        description: 'Changes something.',
        input: z.strictObject({ target: z.string() }),
        inspect: ({ target }) => ({ preview: `- old ${target}\n+ new \u001b[31m${target}` }),
        run: ({ target }) => ({ text: `changed ${target}` }),
      }),
    ],
  });
}

const patience = { approvals: { timeoutMs: 3_600_000, questionTimeoutMs: 3_600_000 } };

/** Started, and what it asks for can be found by its search attribute. */
async function startWaiting(
  bench: SessionBench,
  input: SessionInput,
  waitingFor: string,
): Promise<SessionHandle> {
  const handle = await bench.start(mergeOptions<SessionInput>(patience, input));
  await until(`${handle.workflowId} is listed`, async () => {
    const listed = await bench.holdfast.session(handle.workflowId).describe();
    const isWaiting = waitingFor === 'prompt' || listed.agentStatus === 'waiting';
    return listed.waitingFor === waitingFor && isWaiting;
  });
  return handle;
}

test('[MODE-09be] [MODE-11ab] approvals lists what waits over all sessions, oldest first; each is answered by its id, and a late answer says who was first', async () => {
  const bench = await openBench();
  await startWaiting(bench, { prompt: 'rest', keepAlive: true }, 'prompt');
  const first = await startWaiting(
    bench,
    { prompt: 'change a b', approvals: { escalateAfterMs: 100 } },
    'approval',
  );
  const second = await startWaiting(bench, { prompt: 'ask On purpose?' }, 'question');
  const third = await startWaiting(bench, { prompt: 'change c' }, 'approval');
  await until('it is escalated', async () => {
    const { approvals } = await bench.holdfast.session(first.workflowId).snapshot();
    return approvals.every(({ escalatedAt }) => escalatedAt !== undefined);
  });
  const ids = [first, first, second, third].map(({ workflowId }) => workflowId);
  const { lines, code } = await cli('approvals', '--json');
  const isTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string;
  expect(code).toBe(0);
  expect(lines.map(({ sessionId }) => sessionId)).toEqual(ids);
  expect(lines).toMatchObject([
    { kind: 'approval', question: 'call_1_1', task: 'change a b', tool: 'change', args: '{"target":"a"}' },
    { kind: 'approval', question: 'call_1_2', escalatedAt: isTime, rememberable: ['call', 'tool'] },
    { kind: 'question', question: 'call_1_1', text: 'On purpose?', options: ['yes', 'no'] },
    { kind: 'approval', question: 'call_1_1', args: '{"target":"c"}' },
  ]);
  const { stdout } = await cli('approvals');
  const order = [
    new RegExp(`^${ids[0]}  change a b$`, 'm'),
    /^ {2}change \{"target":"a"\}\n {4}\| - old a\n {4}\| \+ new \\u\{1B\}\[31ma\n/m,
    /^ {2}Escalated \w{3} \d\d:\d\d \S+\. .*No answer by \w{3} \d\d:\d\d \S+: it does not run\.$/m,
    /^ {2}asked \d+ s ago, /m,
    new RegExp(
      `holdfast approve ${ids[0]} call_1_1\\n *(?:[A-Z_]+=\\S+ )*holdfast deny ${ids[0]} call_1_1 --reason "why"`,
    ),
    new RegExp(`^${ids[2]}  ask On purpose\\?$`, 'm'),
    /^ {2}│ On purpose\?\n {4}1\) yes\n {4}2\) no\n {2}No answer by \w{3} \d\d:\d\d \S+ closes it\.$/m,
    new RegExp(`holdfast answer ${ids[2]} call_1_1 "your answer"`),
    new RegExp(`^${ids[3]}  change c$`, 'm'),
  ].map((pattern) => stdout.search(pattern));
  expect(order).not.toContain(-1);
  expect(order).toEqual([...order].sort((one, other) => one - other));
  expect(stdout).not.toContain('\u001b');

  const [one, other, question, last] = [
    first.workflowId,
    first.workflowId,
    second.workflowId,
    third.workflowId,
  ];
  expect(await cli('approve', one)).toMatchObject({ code: 2, stderr: expect.stringContaining('name one') });
  expect((await cli('deny', other, 'call_1_2', '--reason', 'not today', '--actor', 'lee')).code).toBe(0);
  const late = await cli('approve', other, 'call_1_2');
  expect(late.code).toBe(7);
  expect(late.stderr).toMatch(
    /it was denied by lee at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(not today\)\. Waiting: call_1_1\./,
  );
  expect((await cli('approve', one, 'call_9_9')).stderr).toContain('nothing of that id waits');
  expect((await cli('approve', question, 'call_1_1')).stderr).toContain(
    'call_1_1 is a question of the agent',
  );
  expect((await cli('answer', one, 'call_1_1', 'yes')).stderr).toContain('is a call that waits for approval');
  const [waiting] = (await cli('approvals', one, '--json')).lines as { argsDigest: string }[];
  const shown = `call_1_1@${waiting?.argsDigest.slice(0, 16)}`;
  const others = await cli('approve', one, `call_1_1@${'0'.repeat(16)}`);
  expect(others.stderr).toContain('it waits with other arguments');
  expect((await cli('approve', one, shown)).stdout).toContain('Approved call_1_1: change {"target":"a"}');
  expect((await cli('answer', question, 'call_1_1', '2', '--actor', 'ann')).stdout).toContain(
    'Answered call_1_1: no',
  );
  expect((await cli('answer', question, 'yes')).code).toBe(7);
  expect((await cli('deny', last)).code).toBe(0);
  expect((await cli('approvals')).stdout).toBe('Nothing waits for a person.\n');
  await Promise.all([first, second, third].map((handle) => handle.result()));
  const { events } = await second.query<{ events: object[] }, [number]>('getEvents', 0);
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'question_answered', actor: 'ann', text: 'no' }),
  );
});

test('[SAFE-12ab] a secret is masked in the list and the question, and --whole shows it', async () => {
  const bench = await openBench();
  const { workflowId } = await startWaiting(bench, { prompt: 'leak' }, 'approval');
  for (const args of [
    ['approvals'],
    ['approvals', '--json'],
    ['approvals', workflowId],
    ['show', workflowId],
  ]) {
    const { stdout } = await cli(...args);
    expect(stdout, args.join(' ')).toContain('[redacted:password]');
    expect(stdout, args.join(' ')).not.toContain('hunter2');
  }
  expect((await cli('approvals', workflowId, '--whole')).stdout).toContain('password=hunter2-hunter2');
  expect((await cli('deny', workflowId, '--actor', 'kim')).code).toBe(0);
});

test('[MODE-09g] approve --for-session is shown by show and approvals, and taken back by --forget', async () => {
  const bench = await openBench();
  const handle = await startWaiting(bench, { prompt: 'change a', keepAlive: true }, 'approval');
  const { workflowId: id } = handle;
  expect((await cli('deny', id, '--for-session')).code).toBe(2);
  const approved = await cli('approve', id, '--actor', 'kim', '--for-session', 'tool');
  expect(approved.stdout).toContain('Remembered for this session as allowance-1; "holdfast approvals');
  await until(
    'the run ends',
    async () => (await bench.holdfast.session(id).snapshot()).waitingFor === 'prompt',
  );
  const { runId } = await bench.holdfast.session(id).prompt('change b');
  expect(await bench.holdfast.session(id).result({ runId })).toMatchObject({
    status: 'completed',
    toolCalls: 1,
  });
  expect((await cli('show', id)).stdout).toMatch(
    /^allowed {2}for this session:\n {2}allowance-1 {2}every call of change, by kim, \w{3} \d\d:\d\d \S+\n/m,
  );
  expect((await cli('approvals', id)).stdout).toMatch(
    /^Nothing waits for a person\.\n\nAllowed for this session:\n {2}allowance-1 {2}every call of change, by kim, /,
  );
  expect((await cli('approvals', '--forget', 'allowance-1')).code).toBe(2);
  expect((await cli('approvals', id, '--forget', 'allowance-7')).code).toBe(7);
  expect((await cli('approvals', id, '--forget', 'allowance-1')).stdout).toContain('Took allowance-1 back');
  expect((await cli('approvals', id, '--json')).lines).toEqual([]);
  await bench.holdfast.session(id).prompt('change c');
  await until(
    'it asks again',
    async () => (await bench.holdfast.session(id).pendingApprovals()).length === 1,
  );
  await bench.holdfast.session(id).shutdown();
  await bench.holdfast.session(id).deny('call_5_1', { actor: 'kim' });
  await handle.result();
});

test('[HTTP-09ab] [CLI-11b] a session that was terminated while it waited waits for nobody: show, approvals and its JSON', async () => {
  const bench = await openBench();
  const handle = await startWaiting(bench, { prompt: 'change a' }, 'approval');
  const id = handle.workflowId;
  await cli('follow-up', id, 'then the cache');
  await handle.terminate('in the Temporal UI');
  const shown = await cli('show', id);
  expect(shown.stdout).toMatch(/^state +terminated$/m);
  expect(shown.stdout).toMatch(/^queued +0 steering, 1 follow-up$/m);
  expect(shown.stdout).not.toMatch(/waiting|holdfast approve/);
  expect((await cli('approvals', id)).stdout).toBe('Nothing waits for a person.\n');
  const [json] = (await cli('show', id, '--json')).lines;
  expect(json).toMatchObject({ session: { state: 'ended', outcome: 'terminated', questions: [] } });
});

test('[MODE-09f] [MODE-11b] an answer for a question that is closed is refused, and not given to another one, whatever its id looks like', async () => {
  const bench = await createSessionBench({
    address: server.address,
    model: functionModel(({ number, newTexts, request }) => {
      const isAgreed = JSON.stringify(request.messages.at(-1)).includes('yes do it');
      if (number > 1 && !isAgreed) return { text: 'done' };
      if (newTexts.at(-1) !== 'both') return { calls: [{ tool: 'ask_human', args: { question: 'May I?' } }] };
      return delegating({ agent: 'web', task: 'Look at web' }, { agent: 'db', task: 'Look at db' });
    }),
    tools: [askHumanTool],
    agent: { delegation: { agents: ['*'] } },
    agents: { web: {}, db: {} },
  });
  const { workflowId } = await bench.start({ prompt: 'both' });
  const session = bench.holdfast.session(workflowId);
  await until('both ask', async () => (await session.pendingQuestions()).length === 2);
  const several = await cli('answer', workflowId, 'yes');
  expect(several.stderr).toMatch(/name one[^]*\n {2}web-look-1\/call_1_1 {2}May I\?/);
  expect((await cli('answer', workflowId, 'web-look-1/call_1_1', 'not now', '--actor', 'kim')).code).toBe(0);
  const late = await cli('answer', workflowId, 'web-look-1/call_1_1', 'yes, do it');
  expect(late.stderr).toMatch(/it was answered by kim at .*, for web-look-1/);
  expect(late.code).toBe(7);
  const empty = await cli('answer', workflowId, 'web-look-1/call_1_1', '');
  expect([empty.code, empty.stderr]).toEqual([7, expect.stringContaining('it was answered by kim at')]);
  const words = await cli('answer', workflowId, 'yes', 'do', 'it');
  expect(words.stdout).toBe('Answered db-look-1/call_1_1: yes do it\n');
  await until('it asks again', async () => (await session.pendingQuestions()).length === 1);
  const blank = await cli('answer', workflowId, 'no more', '');
  expect(blank.stdout).toBe('Answered db-look-1/call_2_1: no more\n');
});

test('[MODE-11c] a session that no worker answers for is named, and the others are listed', async () => {
  const bench = await openBench();
  const gone = await openBench({ workerless: true });
  const worker = await gone.addWorker();
  // more than its memo holds, so that only the session itself knows
  const silent = await startWaiting(gone, { prompt: `change ${'x'.repeat(9_000)}` }, 'approval');
  await worker.stop();
  onTestFinished(async () => void (await silent.terminate()));
  const waiting = await startWaiting(bench, { prompt: 'change a' }, 'approval');
  onTestFinished(async () => void (await waiting.terminate()));
  const { code, stdout, stderr } = await cli('approvals');
  expect(code).toBe(0);
  expect(stdout).toContain(waiting.workflowId);
  expect(stderr).toContain(`! 1 session could not be asked: ${silent.workflowId}.`);
  // a worker that has just stopped is still listed
  expect(stderr).toMatch(/No worker is running for session|did not answer in time/);
  const { lines } = await cli('approvals', '--json');
  expect(lines.at(-1)).toMatchObject({
    kind: 'unanswered',
    sessionId: silent.workflowId,
    code: expect.stringMatching(/^(NoWorker|WorkerBusy)$/),
  });
});
