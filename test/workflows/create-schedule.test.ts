// An agent asks for a schedule: a person decides, and its sessions have the limits of the session that asked.
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createScheduleTool } from '../../src/activities/built-in/schedule/create-schedule.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import type { Json } from '@holdfast/base/json';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { callCli } from '../support/cli.ts';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench, type SessionBench } from '../support/session-bench.ts';
import { echoTool } from '../support/session-worker.ts';
import { delegating } from '../support/team.ts';
import { until } from '../support/until.ts';

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const allowAll = [{ tool: '*', decision: 'allow' as const }];

async function bench(args: Json): Promise<SessionBench> {
  return createSessionBench({
    policy: allowAll,
    tools: [echoTool(), createScheduleTool()],
    agents: { helper: { tools: ['create_schedule'] } },
    agent: { delegation: { agents: ['helper'] } },
    model: functionModel(({ number, newTexts, request }) => {
      if (number > 1) return { text: 'done' };
      if (newTexts.at(-1) === 'Delegate.') return delegating({ agent: 'helper', task: 'Ask.' });
      const isAsking = newTexts.at(-1) === 'Ask.' && request.metadata.sessionId?.startsWith('session-');
      return isAsking ? { calls: [{ tool: 'create_schedule', args }] } : { text: 'All is well.' };
    }),
  });
}

/** Approves the call that waits, and gives its result as the model reads it. */
async function approvedResult({ holdfast, readLog }: SessionBench, workflowId: string): Promise<string> {
  const session = holdfast.session(workflowId);
  const call = await until('the question', async () => (await session.snapshot()).approvals[0]);
  await session.approve(call.id, { actor: 'ann', argsDigest: call.argsDigest });
  const { result } = await until('the result', async () => {
    const asked = call.child?.sessionId ?? workflowId;
    const log = await readLog(asked);
    const found = log.find(
      (record) => record.role === 'tool_result' && record.toolName === 'create_schedule',
    );
    return found && { result: textOf(found) };
  });
  await session.result();
  return result;
}

test('[SCHED-06bde] [SCHED-04d] [STATE-18b] in mode act a person is asked; the sessions have no right more than their maker', async () => {
  const name = `agent-${randomUUID().slice(0, 8)}`;
  const made = await bench({
    name,
    task: 'Look again.',
    at: ['07:00'],
    time_zone: 'Europe/Berlin',
    until: inDays(30),
  });
  const { holdfast, client, address, artifactsDir, taskQueue } = made;
  const schedule = holdfast.schedule(name);
  onTestFinished(() => schedule.remove());
  const input: SessionInput = {
    prompt: 'Ask.',
    mode: 'act',
    budget: { costUsd: 1 },
    policy: [{ tool: 'restart_*', decision: 'deny' }],
    deliver: [{ to: 'team' }],
  };
  const { workflowId } = await made.start(input);
  const session = holdfast.session(workflowId);
  const call = await until('the question', async () => (await session.snapshot()).approvals[0]);
  expect(call.preview).toMatch(/^Schedule agent-\w+: at 07:00, every day, Europe\/Berlin, until /);
  expect(call.reason).toBe('It lets sessions start by themselves, so a person decides.');
  await session.approve(call.id, { actor: 'ann', argsDigest: call.argsDigest });
  await session.result();

  const { action, state } = await client.schedule.getHandle(`holdfast-schedule:${name}`).describe();
  expect(action).toMatchObject({ taskQueue, workflowType: 'agentSession', workflowId: name });
  expect(action.args).toEqual([
    {
      agent: 'tester',
      prompt: 'Look again.',
      mode: 'act',
      budget: { costUsd: 1 },
      policy: [{ tool: 'restart_*', decision: 'deny' }],
      deliver: [{ to: 'team' }],
      tools: ['echo'],
      needsReport: true,
      throwOnFailure: true,
      labels: { schedule: name },
    },
  ]);
  expect(Object.keys(action.args?.[0] ?? {})[0]).toBe('prompt');
  expect(state.note).toBe(`made by session ${workflowId} (call ${call.id}), approved by ann`);
  const environment = { TEMPORAL_ADDRESS: address };
  const shown = await callCli(['schedule', 'show', name], { cwd: artifactsDir, environment });
  expect(shown.stdout).toContain(`made by  session ${workflowId}, approved by ann\n`);
  const { sessionId } = await schedule.run();
  expect(await holdfast.session(sessionId).result()).toMatchObject({ lastWords: 'All is well.' });
});

test('[SCHED-06f] a name that is taken is refused, and its schedule stays as it is', async () => {
  const name = `agent-${randomUUID().slice(0, 8)}`;
  const made = await bench({ name, task: 'Look again.', every_minutes: 15, until: inDays(1) });
  const schedule = made.holdfast.schedule(name);
  await schedule.create({ times: { everyMs: 3_600_000 }, input: { prompt: 'Of a person.' } });
  onTestFinished(() => schedule.remove());
  expect(await approvedResult(made, (await made.start({ prompt: 'Ask.' })).workflowId)).toBe(
    `Not made: there is a schedule "${name}" already: choose another name.`,
  );
  expect(await schedule.describe()).toMatchObject({ times: 'every 1 h', task: 'Of a person.' });
});

test('[SCHED-06f] an attempt after a lost one finds what that one has made', async () => {
  const name = `agent-${randomUUID().slice(0, 8)}`;
  const made = await bench({ name, task: 'Look again.', every_minutes: 15, until: inDays(1) });
  const sessionId = `session-${randomUUID()}`;
  const handle = await made.client.schedule.create({
    scheduleId: `holdfast-schedule:${name}`,
    spec: { intervals: [{ every: '15m' }] },
    action: { type: 'startWorkflow', workflowType: 'agentSession', taskQueue: made.taskQueue },
    memo: { madeBy: { sessionId, approvedBy: 'ann', call: `${sessionId}/call_1_1` } },
  });
  onTestFinished(() => handle.delete());
  const session = await made.holdfast.start({ agent: 'tester', prompt: 'Ask.' }, { sessionId });
  expect(await approvedResult(made, session.sessionId)).toMatch(/^Made\. Schedule agent-/);
});

test('[SCHED-06g] a subagent makes none', async () => {
  const name = `agent-${randomUUID().slice(0, 8)}`;
  const made = await bench({ name, task: 'Look again.', every_minutes: 15, until: inDays(1) });
  expect(await approvedResult(made, (await made.start({ prompt: 'Delegate.' })).workflowId)).toContain(
    'only the session at the top makes schedules',
  );
  await expect(made.holdfast.schedule(name).describe()).rejects.toMatchObject({ code: 'UnknownSession' });
});
