// A session with subagents on the real server, as people see and steer it from the top, also by the commands: one stream, one list
// of what waits, one tree.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import type { Heard } from '../../src/client.ts';
import { listMayWait } from '../../src/client/session-list.ts';
import { callCli } from '../support/cli.ts';
import { functionModel } from '../support/function-model.ts';
import type { Turn } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { delegating } from '../support/team.ts';
import { until } from '../support/until.ts';

const change = (made: unknown[]) =>
  defineTool({
    name: 'change',
    description: 'Changes something.',
    effect: 'once',
    input: z.strictObject({ of: z.string() }),
    run: async ({ of }) => {
      made.push(of);
      return { text: `changed ${of}` };
    },
  });

/** The top delegates to `lead` and `reader`; `lead` to `fixer`, whose change needs an approval. */
const says: Record<string, (turn: Turn) => ReturnType<typeof delegating>> = {
  tester: ({ number }) =>
    number === 1
      ? delegating({ agent: 'lead', task: 'Repair the pool' }, { agent: 'reader', task: 'Read the log' })
      : { text: 'Both are done.' },
  lead: ({ number }) =>
    number === 1 ? delegating({ agent: 'fixer', task: 'Make the pool larger' }) : { text: 'Repaired.' },
  reader: () => ({ text: 'Nothing in the log.' }),
  fixer: ({ number, newTexts }) => {
    if (number === 1) return { calls: [{ tool: 'change', args: { of: 'the pool' } }] };
    return { text: `Heard: ${newTexts.join(', ')}` };
  },
};

test('[MODE-09a] [EVENT-13cd] [STATE-14b] three levels of sessions are followed, approved, steered and seen at the top', async () => {
  const made: unknown[] = [];
  const model = functionModel((turn) => {
    const say = says[turn.request.metadata.agent ?? ''];
    if (!say) throw new Error('who?');
    return say(turn);
  });
  const deeper = { delegation: { agents: ['*'], maxDepth: 2 } };
  const bench = await createSessionBench({
    model,
    tools: [change(made)],
    policy: [{ tool: 'change', decision: 'ask' }],
    agent: deeper,
    agents: { lead: { delegation: { ...deeper.delegation, prefix: '🛠' } }, reader: {}, fixer: {} },
  });
  const handle = await bench.start({ prompt: 'Why is it slow?' });
  const top = bench.holdfast.session(handle.workflowId);
  const heard: Heard[] = [];
  const alone: Heard[] = [];
  const whole = top.subscribe((event) => void heard.push(event));
  const own = top.subscribe((event) => void alone.push(event), { children: false });
  const path = 'lead-repair-1/fixer-make-1';
  const id = `${path}/call_1_1`;

  await until('the top waits for an approval', async () => (await top.snapshot()).waitingFor === 'approval');
  const snapshot = await top.snapshot();
  expect(snapshot).toMatchObject({
    waitingReason: 'lead-repair-1: fixer-make-1',
    approvals: [{ id, tool: 'change', args: '{"of":"the pool"}', child: { name: path } }],
  });
  expect(snapshot.children.find(({ name }) => name === 'lead-repair-1')).toMatchObject({
    state: 'running',
    waiting: 'approval',
    prefix: '🛠',
  });
  const fixerId = `${handle.workflowId}/${path}`;
  // listed once, at the top
  const mayWait = async (): Promise<string[]> => {
    const sessions = await listMayWait(bench.client);
    return sessions.map(({ sessionId }) => sessionId).filter((one) => one.startsWith(handle.workflowId));
  };
  await expect.poll(mayWait).toEqual([handle.workflowId]);
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(currentDetails).toContain(
    `[lead-repair-1](/namespaces/default/workflows/${encodeURIComponent(`${handle.workflowId}/lead-repair-1`)})`,
  );
  expect(currentDetails).toContain('**waits for approval**');
  const below = await bench.client.workflow
    .getHandle(fixerId)
    .query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(below.currentDetails).toContain(
    `(/namespaces/default/workflows/${encodeURIComponent(`${handle.workflowId}/lead-repair-1`)})`,
  );

  const tree = await top.tree();
  expect(tree).toMatchObject({
    agent: 'tester',
    depth: 0,
    state: 'executing',
    waitingFor: 'approval',
    children: [
      {
        name: 'lead-repair-1',
        depth: 1,
        state: 'executing',
        turns: 1,
        task: 'Repair the pool',
        children: [{ name: 'fixer-make-1', agent: 'fixer', depth: 2, sessionId: fixerId, children: [] }],
      },
      { name: 'reader-read-1', agent: 'reader', depth: 1, children: [] },
    ],
  });
  expect(tree.children[0]?.children[0]).toMatchObject({ state: 'executing', waitingFor: 'approval' });

  const place = { TEMPORAL_ADDRESS: bench.address, HOLDFAST_TASK_QUEUE: bench.taskQueue };
  const cli = (name: string, ...args: string[]) =>
    callCli([name, handle.workflowId, ...args], { cwd: bench.artifactsDir, environment: place });
  expect((await cli('show', '--tree')).stdout).toMatch(
    /tester {2}waiting for approval \(lead-repair-1: fixer-make-1\).*\n.*\n├─ 🛠 lead-repair-1 [^]*└─ 🤖 fixer-make-1 {2}waiting for approval/,
  );
  expect((await cli('show', '--tree', '--json')).lines).toMatchObject([
    { type: 'tree', tree: { children: [{ name: 'lead-repair-1' }, { name: 'reader-read-1' }] } },
  ]);
  const { stdout: approvals } = await cli('approvals');
  expect(approvals).toContain(`of subagent ${path}:`);
  expect(approvals).toContain(`approve ${handle.workflowId} ${id}`);
  expect(await cli('steer', '--to', 'nobody', 'hello')).toMatchObject({
    code: 7,
    stderr: expect.stringMatching(/No subagent "nobody" of session \S+ runs; running: lead-repair-1/),
  });
  // a session that is watched by many may answer too late: sent again under its id, a message is taken once
  await until('the sender reads who reads it', async () => {
    const { stdout } = await cli('steer', '--to', path, '--id', 'm1', 'Only', 'a', 'little', 'larger.');
    return stdout.includes(`${path} reads it before its next turn`);
  });
  await top.steer('Only a little larger.', { id: 'm1', to: path });
  await until('it is passed on', async () => (await top.receipt('m1'))?.state === 'forwarded');
  await until('it arrived', async () => (await top.other(fixerId).receipt('m1'))?.state === 'queued');
  await expect(
    top.approve('lead-repair-1/call_1_1', { actor: 'kim', argsDigest: 'x' }),
  ).rejects.toMatchObject({ reason: 'NotPending' });
  await top.approve(id, { actor: 'kim', argsDigest: snapshot.approvals[0]?.argsDigest ?? '' });
  expect(await handle.result()).toMatchObject({ answer: 'Both are done.' });
  expect(made).toEqual(['the pool']);

  expect([await whole.ended, await own.ended]).toEqual([undefined, undefined]);
  expect(alone.every(({ sessionId }) => sessionId === undefined)).toBe(true);
  // what children:false gives is what the whole has of the session itself, in the same order
  const ownOnes = heard.filter(({ sessionId }) => sessionId === undefined);
  expect(ownOnes.map(({ type }) => type)).toEqual(alone.map(({ type }) => type));
  const at = (one: string, type: string) =>
    heard.findIndex((event) => event.path === one && event.type === type);
  const ofFixer = heard.flatMap((event, index) => (event.sessionId === fixerId ? [index] : []));
  expect(at('lead-repair-1', 'subagent_start')).toBeLessThan(at(path, 'subagent_start'));
  expect(at(path, 'subagent_start')).toBeLessThan(ofFixer[0] ?? -1);
  expect(at(path, 'subagent_end')).toBeGreaterThan(ofFixer.at(-1) ?? Infinity);
  expect(at('lead-repair-1', 'subagent_end')).toBeGreaterThan(at(path, 'subagent_end'));
  expect(heard.find((event) => event.type === 'approval_resolved')).toMatchObject({
    agent: 'fixer',
    name: 'fixer-make-1',
    prefix: '🤖',
    parent: 'lead-repair-1',
    depth: 2,
    childId: fixerId,
    path,
    actor: 'kim',
    approved: true,
  });
  const said = heard.flatMap((event) =>
    event.type === 'message_end' && event.role === 'assistant' && event.text !== '' ? [event] : [],
  );
  expect(said.map((event) => [event.path, event.text])).toEqual(
    expect.arrayContaining([
      ['reader-read-1', 'Nothing in the log.'],
      [path, 'Heard: Only a little larger.'],
      ['lead-repair-1', 'Repaired.'],
    ]),
  );

  const watched = (await cli('watch')).stdout;
  expect(watched).toMatch(
    /fixer-make-1 │ approved by kim\n[^]*fixer-make-1 │ Heard: Only a little larger\.\n/,
  );
  const { lines } = await cli('watch', '--json');
  expect(
    lines.some(({ event }) => (event as { sessionId?: string } | undefined)?.sessionId === fixerId),
  ).toBe(true);
  // of what has ended the server knows the levels that the top does not
  await expect
    .poll(async () => (await top.tree()).children[0]?.children, { timeout: 20_000 })
    .toMatchObject([{ name: 'fixer-make-1', state: 'ended' }]);
  expect((await top.tree()).children).toMatchObject([
    { name: 'lead-repair-1', state: 'ended', status: 'completed' },
    { name: 'reader-read-1', state: 'ended', status: 'completed', usage: { main: { input: 10 } } },
  ]);
  const listed = async (...more: string[]) => {
    const args = ['list', '--json', '--limit', '500', ...more];
    const list = await callCli(args, { cwd: bench.artifactsDir, environment: place });
    return list.lines.filter(({ sessionId }) => String(sessionId).startsWith(handle.workflowId));
  };
  await expect.poll(async () => (await listed('--children')).length, { timeout: 20_000 }).toBe(4);
  expect((await listed()).map(({ sessionId }) => sessionId)).toEqual([handle.workflowId]);
  expect((await listed('--children')).find(({ sessionId }) => sessionId === fixerId)).toMatchObject({
    parentId: `${handle.workflowId}/lead-repair-1`,
  });
});
