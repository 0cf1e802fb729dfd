// holdfast schedule against a real server: what it makes, when sessions begin, and what the list says of them. Intervals
// are of a second; every wait is for what the server lists.
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createReportTool } from '../../src/activities/built-in/report/report.ts';
import type { NewSchedule, Schedule, ScheduleState } from '../../src/client.ts';
import { slotSessionId } from '../../src/core/schedules/schedule.ts';
import { callCli } from '../support/cli.ts';
import { functionModel, type Saying, type Turn } from '../support/function-model.ts';
import { createSessionBench, type BenchOptions } from '../support/session-bench.ts';
import { echoTool } from '../support/session-worker.ts';
import { until } from '../support/until.ts';

const report = { summary: 'Nothing is wrong.', grade: 'likely', claims: [], ruledOut: [], gaps: [] };

async function bench(
  says: (turn: Turn) => Saying | Promise<Saying> = () => ({ calls: [{ tool: 'report', args: report }] }),
  more: Partial<BenchOptions> = {},
) {
  const made = await createSessionBench({ model: functionModel(says), tools: [createReportTool()], ...more });
  const { address, taskQueue, artifactsDir, holdfast } = made;
  const name = `sched-${randomUUID().slice(0, 8)}`;
  const environment = { TEMPORAL_ADDRESS: address, HOLDFAST_TASK_QUEUE: taskQueue };
  const cli = (...words: string[]) => callCli(['schedule', ...words], { cwd: artifactsDir, environment });
  const schedule = holdfast.schedule(name);
  onTestFinished(() => schedule.remove().catch(() => undefined));
  return { ...made, name, cli, schedule };
}

const input = { agent: 'tester', prompt: 'Look at the disks.' };
const often: NewSchedule = { times: { everyMs: 1_000 }, input };

const stateOnce = (what: string, schedule: Schedule, ready: (state: ScheduleState) => boolean) =>
  until(what, async () => {
    const state = await schedule.describe();
    return ready(state) && state;
  });
const endedOf = ({ runs }: ScheduleState) => runs.filter(({ status }) => status !== 'RUNNING');

test('[SCHED-01a] [SCHED-04a] create says in words what it has made, and show and list repeat it', async () => {
  const { cli, name, taskQueue, artifactsDir } = await bench();
  await writeFile(
    join(artifactsDir, 'input.json'),
    JSON.stringify({ budget: { costUsd: 1 }, labels: { team: 'shop' } }),
  );
  const times = [
    '--cron',
    '0 7 * * 1-5',
    '--time-zone',
    'Europe/Berlin',
    '--jitter',
    '5m',
    '--until',
    '2099-12-31',
  ];
  const start = ['--agent', 'tester', '--deliver', 'team', '--input', 'input.json'];
  const made = await cli('create', name, ...times, ...start, 'Compare', 'the', 'rates.');
  expect(made).toMatchObject({ code: 0 });
  expect(made.stdout).toMatch(
    /times {4}at 07:00, Monday to Friday, Europe\/Berlin, up to 5 min later, until 31 Dec 2099 23:59 GMT\+1\n/,
  );
  expect(made.stdout).toContain('task     Compare the rates.\n');
  expect(made.stdout).toContain(`agent    tester, on the task queue ${taskQueue}\n`);
  expect(made.stdout).toContain('overlap  skip; slots up to 1 h old are made up for\n');
  expect(made.stdout.match(/07:0\d GMT\+[12]$/gm)).toHaveLength(5);
  expect((await cli('show', name)).stdout).toBe(made.stdout);
  const [shown] = (await cli('list', '--json')).lines.filter((line) => line['name'] === name);
  expect(shown).toMatchObject({
    timeZone: 'Europe/Berlin',
    until: Date.parse('2099-12-31T22:59:59.999Z'),
    runs: [],
  });
  expect((await cli('list')).stdout).toMatch(
    new RegExp(`${name}  at 07:00, .*\n  next \\w{3} 07:0\\d .* · no session yet`),
  );
});

test('[SCHED-01b] [SCHED-04a] an interval with its offset, another policy and window', async () => {
  const { cli, name } = await bench();
  const times = ['--every', '6h', '--offset', '15m', '--overlap', 'buffer-one', '--catch-up', '30s'];
  const made = await cli('create', name, ...times, 'Look.');
  expect(made.stdout).toContain('times    every 6 h (moved by 15 min)\n');
  expect(made.stdout).toContain('overlap  buffer-one; slots up to 30 s old are made up for\n');
});

test.each([
  ['no times', [], 'expected one of the two'],
  ['two kinds of times', ['--cron', '0 7 * * *', '--every', '6h'], 'expected one of the two'],
  [
    'a cron of two fields',
    ['--cron', '0 7'],
    'does not have 5-7 fields: expected the fields minute, hour, day of month',
  ],
  [
    'a cron out of range',
    ['--cron', '61 7 * * *'],
    'Minute is not in range [0-59]: expected the fields minute',
  ],
  ['an interval', ['--every', '6 hours'], 'Expected a time such as 30s, 15m, 6h or 1h30m'],
  ['an end', ['--every', '6h', '--until', 'Christmas'], 'expected a day such as 2026-12-31'],
  ['an end that is over', ['--every', '6h', '--until', '2020-01-01'], 'is over: expected a later time'],
])('[SCHED-01d] %s is refused with what was expected, and nothing is made', async (_, words, expected) => {
  const { cli, name } = await bench(undefined, { workerless: true });
  expect(await cli('create', name, ...words, 'Look.')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(expected),
  });
  expect(await cli('show', name)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`no schedule "${name}"`),
  });
});

test.each(['0 7 30 2 *', '0 7 31/1 4,6,9-9,11 *', '0 7 1 1 * 2020', '0 7 29 2 * 2027'])(
  '[SCHED-09b] "%s" never comes: it is refused, and nothing is left',
  async (cron) => {
    const { cli, name } = await bench(undefined, { workerless: true });
    expect(await cli('create', name, '--cron', cron, 'Look.')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is refused: none of its times comes \(at 07:00, .*\): expected times/),
    });
    expect(await cli('show', name)).toMatchObject({ code: 4 });
  },
);

test('[SCHED-09b] a schedule that would be replaced by one that never comes stays as it was', async () => {
  const { cli, name, schedule } = await bench(undefined, { workerless: true });
  await cli('create', name, '--every', '6h', 'Look.');
  const before = await schedule.describe();
  expect(await cli('create', name, '--cron', '0 7 30 2 *', '--replace', 'Never.')).toMatchObject({ code: 2 });
  expect(await schedule.describe()).toEqual(before);
});

test('[SCHED-01c] the start input is checked like that of a start', async () => {
  const { holdfast, schedule } = await bench(undefined, { workerless: true });
  const refused = (more: object) => schedule.create({ ...often, input: { ...input, ...more } });
  await expect(refused({ nonsense: 1 })).rejects.toMatchObject({ code: 'InvalidInput', message: /nonsense/ });
  await expect(refused({ prompt: ' ' })).rejects.toMatchObject({ message: /the task is empty/ });
  await expect(refused({ keepAlive: true })).rejects.toMatchObject({ message: /keepAlive/ });
  await expect(refused({ prompt: 'x'.repeat(300_000) })).rejects.toMatchObject({ code: 'TooLarge' });
  expect(() => holdfast.schedule('a b')).toThrow(/its name is not one: expected letters, digits/);
});

test('[SCHED-01e] a name is used once; --replace changes the schedule, which stays paused', async () => {
  const { cli, name, schedule } = await bench(undefined, { workerless: true });
  await cli('create', name, '--every', '6h', 'Look.');
  expect(await cli('create', name, '--every', '1h', 'Look.')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      `"${name}" exists already: choose another name, or replace it (--replace)`,
    ),
  });
  await cli('pause', name, '--reason', 'the shop is closed');
  expect(await cli('create', name, '--every', '1h', '--replace', 'Look again.')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('times    every 1 h\ntask     Look again.\n'),
  });
  expect(await schedule.describe()).toMatchObject({ paused: expect.stringContaining('the shop is closed') });
  expect(await cli('create', `${name}-2`, '--every', '1h', '--paused', '--replace', 'x')).toMatchObject({
    stdout: expect.stringContaining('paused   made so\n'),
  });
  expect((await cli('rm', `${name}-2`)).stdout).toBe(`Schedule ${name}-2 is removed. Its sessions stay.\n`);
});

test('[SCHED-02a] [SCHED-04bd] [SCHED-05e] sessions begin at their slots; the list says how the last one ended', async () => {
  const { cli, name, schedule, holdfast } = await bench(() => ({ text: 'All is well.' }));
  await schedule.create(often);
  const state = await stateOnce('two sessions', schedule, (each) => endedOf(each).length >= 2);
  const [last] = endedOf(state);
  expect(last?.sessionId).toMatch(new RegExp(`^${name}-20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$`));
  expect(last).toMatchObject({
    status: 'FAILED',
    outcome: 'completed',
    cause: 'no_report',
    labels: { schedule: name },
  });
  expect(await holdfast.session(last?.sessionId ?? '').result()).toMatchObject({ cause: 'no_report' });
  await schedule.pause('seen enough');
  expect((await cli('list')).stdout).toMatch(
    new RegExp(`${name}  every 1 s\n  paused: seen enough · .*last .*: failed: no report`),
  );
  expect((await cli('show', name)).stdout).toContain(`${last?.sessionId}  `);
});

test('[SCHED-05e] a session with its report has succeeded, and so has one that needs none', async () => {
  const { schedule } = await bench();
  await schedule.create(often);
  const state = await stateOnce('a session', schedule, (each) => endedOf(each).length > 0);
  expect(endedOf(state).at(-1)).toMatchObject({ status: 'COMPLETED', outcome: 'completed' });
  const silent = await bench(() => ({ text: 'All is well.' }), { own: 'two benches at once' });
  await silent.schedule.create({ ...often, input: { ...input, needsReport: false } });
  const other = await stateOnce('a session', silent.schedule, (each) => endedOf(each).length > 0);
  expect(endedOf(other).at(-1)).toMatchObject({ status: 'COMPLETED', cause: 'no_report' });
});

test('[SCHED-02b] an id that was used starts nothing again', async () => {
  const { client, name, schedule, holdfast } = await bench();
  const taken = Math.ceil(Date.now() / 1_000) * 1_000 + 3_000;
  const sessionId = slotSessionId(name, taken);
  const before = await holdfast.start(input, { sessionId });
  await before.result();
  await schedule.create(often);
  const state = await stateOnce('a later slot', schedule, ({ runs }) =>
    runs.some((run) => run.sessionId > sessionId),
  );
  await schedule.pause('seen enough');
  expect(state.runs.map((run) => run.sessionId)).not.toContain(sessionId);
  const executions = [];
  for await (const each of client.workflow.list({ query: `WorkflowId = '${sessionId}'` }))
    executions.push(each.runId);
  expect(executions).toEqual([before.workflowRunId]);
  const [first] = state.runs;
  await expect(holdfast.start(input, { sessionId: first?.sessionId ?? '' })).rejects.toMatchObject({
    code: 'SessionExists',
  });
});

test('[SCHED-03ac] with skip nothing starts while a session runs, over a hand-over too, and it is said', async () => {
  const mayEnd = Promise.withResolvers<void>();
  const { cli, name, schedule } = await bench(
    ({ number }) =>
      number === 1
        ? { calls: [{ tool: 'echo', args: { text: 'on' } }] }
        : mayEnd.promise.then(() => ({ text: 'done' })),
    { tools: [echoTool()] },
  );
  await schedule.create({ ...often, input: { ...input, continueAsNewAfterTurns: 1 } });
  // in a hand-over the list has neither execution for a moment
  const { runs } = await stateOnce(
    'skipped slots',
    schedule,
    (state) => state.skipped >= 2 && state.runs.length > 0,
  );
  expect(runs).toMatchObject([{ status: 'RUNNING' }]);
  const running = runs[0]?.sessionId ?? '';
  expect((await cli('list')).stdout).toContain(`running now: ${running}`);
  expect((await cli('show', name)).stdout).toMatch(/overlap {2}skip; \d+ slots skipped; /);
  expect(await cli('run', name)).toMatchObject({
    code: 7,
    stderr: expect.stringContaining(`its session ${running} still runs, and its overlap is skip`),
  });
  mayEnd.resolve();
  await stateOnce('the next session', schedule, (state) => state.runs.length >= 2);
});

test('[SCHED-03bc] [SCHED-04c] a paused schedule starts nothing by itself, and a session on demand', async () => {
  const { cli, name, schedule } = await bench();
  await cli('create', name, '--every', '1s', '--agent', 'tester', '--paused', 'Look.');
  expect((await cli('pause', name, '--reason', 'the shop is closed')).stdout).toContain('is paused');
  // the server lists what is new a moment later
  const shown = new RegExp(`${name}  every 1 s\n  paused: the shop is closed \\(\\w+\\)`);
  await until('the list has it', async () => shown.test((await cli('list')).stdout));
  const asked = await cli('run', name);
  const [, sessionId] = /^Started (\S+)\./.exec(asked.stdout) ?? [];
  const state = await stateOnce('its end', schedule, (each) => endedOf(each).length > 0);
  // slots have passed meanwhile
  expect(state.runs.map((run) => run.sessionId)).toEqual([sessionId]);
  // before the command, which may take longer than a slot
  const resumedAt = Date.now();
  expect((await cli('resume', name)).stdout).toMatch(new RegExp(`^Schedule ${name} goes on: next `));
  const later = await stateOnce('the next slot', schedule, ({ runs }) => runs.length > 1);
  const [, ...others] = later.runs.map((run) => run.sessionId).toReversed();
  for (const id of others) expect(Date.parse(id.slice(name.length + 1))).toBeGreaterThan(resumedAt - 1_000);
});

test('[SCHED-03c] with buffer-one a session on demand waits for the one that runs', async () => {
  const mayEnd = Promise.withResolvers<void>();
  const { cli, name, schedule } = await bench(() => mayEnd.promise.then(() => ({ text: 'done' })));
  await schedule.create({ times: { everyMs: 86_400_000 }, overlap: 'buffer-one', input });
  const first = await schedule.run();
  expect(first.begun).toBe(true);
  const second = await cli('run', name);
  expect(second.stdout).toContain('starts when the last session has ended');
  mayEnd.resolve();
  const state = await stateOnce('both', schedule, (each) => endedOf(each).length === 2);
  expect(state.runs.map((run) => run.sessionId)).toContain(first.sessionId);
});

test('[SCHED-02b] [SCHED-03c] sessions on demand one after another have ids of their own', async () => {
  const { client, name, schedule } = await bench();
  await schedule.create({ times: { everyMs: 86_400_000 }, overlap: 'allow-all', input });
  const ids = [await schedule.run(), await schedule.run(), await schedule.run()].map(
    ({ sessionId }) => sessionId,
  );
  expect(new Set(ids).size).toBe(3);
  await stateOnce('their ends', schedule, (state) => endedOf(state).length === 3);
  const { info } = await client.schedule.getHandle(`holdfast-schedule:${name}`).describe();
  expect(info.recentActions.map(({ action }) => action.workflow.workflowId)).toEqual(ids);
});

test('[SCHED-03d] after its end a schedule starts nothing more', async () => {
  const { cli, name, schedule } = await bench();
  const end = Date.now() + 2_500;
  await schedule.create({ ...often, until: end });
  await stateOnce('a session', schedule, (each) => endedOf(each).length > 0);
  // two slots after it
  await until('the end is over', () => Date.now() > end + 2_000);
  const { runs, next } = await schedule.describe();
  expect(next).toEqual([]);
  for (const { sessionId } of runs)
    expect(Date.parse(sessionId.slice(name.length + 1))).toBeLessThanOrEqual(end);
  expect((await cli('list')).stdout).toMatch(
    new RegExp(`${name}  .*\n  no more slots · (?:running now: \\S+ · )?last `),
  );
});

test('[SCHED-04e] schedules of other programs are neither shown nor touched', async () => {
  const { client, cli, name, holdfast, taskQueue } = await bench(undefined, { workerless: true });
  const other = await client.schedule.create({
    scheduleId: name,
    spec: { intervals: [{ every: '6h' }] },
    action: { type: 'startWorkflow', workflowType: 'backup', taskQueue },
  });
  onTestFinished(() => other.delete());
  expect((await holdfast.schedules()).map((each) => each.name)).not.toContain(name);
  for (const word of ['show', 'pause', 'resume', 'run', 'rm'])
    expect(await cli(word, name)).toMatchObject({ code: 4 });
  expect(await cli('create', name, '--every', '1h', 'Look.')).toMatchObject({ code: 0 });
  await cli('rm', name);
  expect(await other.describe()).toMatchObject({
    spec: { intervals: [{ every: 21_600_000 }] },
    state: { paused: false },
  });
});

test('[SCHED-07] with encryption nothing of the task is readable on the server, and its sessions read it', async () => {
  const encryption = { activeKey: 'k', keys: new Map([['k', new Uint8Array(32).fill(7)]]) };
  const { client, schedule, holdfast } = await bench(undefined, { encryption });
  await schedule.create({ ...often, input: { ...input, prompt: 'A plain zebrafish.' } });
  const { task, runs } = await stateOnce('a session', schedule, (each) => endedOf(each).length > 0);
  expect(task).toBe('A plain zebrafish.');
  expect(runs.at(-1)).toMatchObject({ task: 'A plain zebrafish.' });
  const raw = await client.workflowService.describeSchedule({
    namespace: 'default',
    scheduleId: `holdfast-schedule:${schedule.name}`,
  });
  const sent = Buffer.from(JSON.stringify(raw)).toString();
  expect(sent).toContain('encryption-key-id');
  const bytes = raw.schedule?.action?.startWorkflow?.input?.payloads?.map(({ data }) =>
    Buffer.from(data ?? []).toString(),
  );
  expect(bytes?.join()).not.toContain('zebrafish');
  // another key: the list still has the others
  expect((await holdfast.schedules()).map(({ name }) => name)).toContain(schedule.name);
  // other tests list the sessions of this server, and have no key
  await schedule.remove();
  const query = `WorkflowId STARTS_WITH '${schedule.name}' AND ExecutionStatus = 'Running'`;
  const { executions } = await client.workflowService.listWorkflowExecutions({ namespace: 'default', query });
  for (const { execution } of executions)
    await client.workflow.getHandle(execution?.workflowId ?? '').terminate('the test is over');
});
