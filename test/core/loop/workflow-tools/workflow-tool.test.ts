// Tools that run in the workflow: found in a table, prepared and answered like any other.
import { expect, test } from 'vitest';
import { textOf } from '@holdfast/vocabulary/messages';
import type { WorkflowTool } from '../../../../src/core/loop/effects.ts';
import { calls, inTurn, says } from '../../../support/memory-model.ts';
import { MemorySession } from '../../../support/memory-session.ts';

const inWorkflow = { runsIn: 'workflow' } as const;
const resultsOf = (session: MemorySession) =>
  session.state.log.records.flatMap((record) =>
    record.role === 'tool_result' ? [{ text: textOf(record), isError: record.isError }] : [],
  );

test('[TOOL-17] a further tool of the table runs beside the others: no activity, an answer and an event like any', async () => {
  const shout: WorkflowTool = {
    name: 'shout',
    run: (args, { callId }) => ({ text: `${JSON.stringify(args)} ${callId}`, details: { loud: true } }),
  };
  const session = new MemorySession({
    model: inTurn(calls('a:shout:{"word":"hey"}', 'b'), says('ok')),
    tools: { echo: () => 'echoed' },
    specs: { shout: inWorkflow },
    workflowTools: [shout],
  });
  expect(await session.ask('go')).toMatchObject({ status: 'completed', answer: 'ok', toolCalls: 2 });
  expect(session.ran).toEqual(['b']);
  expect(resultsOf(session)).toEqual([
    { text: '{"word":"hey"} a', isError: false },
    { text: 'echoed', isError: false },
  ]);
  expect(session.events('tool_execution_end')[0]).toMatchObject({ tool: 'shout', details: { loud: true } });
});

test('[TOOL-17] it may wait, end the run, and ask for approval like any other tool', async () => {
  const finish: WorkflowTool = {
    name: 'finish',
    run: async () => Promise.resolve({ text: 'bye', terminate: true }),
  };
  const session = new MemorySession({
    model: inTurn(calls('a:finish')),
    specs: { finish: inWorkflow },
    workflowTools: [finish],
    policy: { finish: 'ask' },
  });
  session.prompt('go');
  const running = session.run();
  await session.until(() => session.approvals.includes('a'));
  expect(session.send('resolveApproval', { id: 'a', approve: true, actor: 'ann' }).ok).toBe(true);
  await running;
  expect(session.state.lastResult).toMatchObject({ status: 'completed', cause: 'terminate', turns: 1 });
});

test('[TOOL-07ab] one that throws is a failed tool, and the run goes on', async () => {
  const broken: WorkflowTool = {
    name: 'broken',
    run: () => {
      throw new Error('no such plan');
    },
  };
  const session = new MemorySession({
    model: inTurn(calls('a:broken', 'b'), says('ok')),
    tools: { echo: () => 'echoed' },
    specs: { broken: inWorkflow },
    workflowTools: [broken],
  });
  expect(await session.ask('go')).toMatchObject({ status: 'completed', answer: 'ok' });
  expect(resultsOf(session)).toEqual([
    { text: 'no such plan', isError: true },
    { text: 'echoed', isError: false },
  ]);
});

test('[TOOL-06bc] a spec that says "workflow" without an entry in the table is an unknown tool', async () => {
  const session = new MemorySession({
    model: inTurn(calls('a:gone'), says('ok')),
    specs: { gone: inWorkflow },
    tools: {
      gone: () => {
        throw new Error('no worker has a body for it');
      },
    },
  });
  expect(await session.ask('go')).toMatchObject({ status: 'completed', answer: 'ok' });
  expect(session.ran).toEqual([]);
  expect(resultsOf(session)).toEqual([{ text: 'Unknown tool gone', isError: true }]);
});

test('[MODE-02abc] in a dry run one that changes something is not executed, and one that reads is', async () => {
  const ran: string[] = [];
  const tool = (name: string): WorkflowTool => ({
    name,
    run: () => {
      ran.push(name);
      return { text: `${name} ran` };
    },
  });
  const session = new MemorySession({
    model: inTurn(calls('a:pay:{"usd":3}', 'b:count'), says('ok')),
    specs: { pay: { ...inWorkflow, effect: 'once' }, count: inWorkflow },
    workflowTools: [tool('pay'), tool('count')],
    policy: { pay: 'ask' },
    settings: { dryRun: true },
  });
  expect(await session.ask('go')).toMatchObject({ status: 'completed', answer: 'ok' });
  expect(resultsOf(session)).toEqual([
    {
      text: 'Dry run: pay was not executed, and nothing was changed. It would have run with {"usd":3}.',
      isError: false,
    },
    { text: 'count ran', isError: false },
  ]);
  expect(ran).toEqual(['count']);
  expect(session.approvals).toEqual([]);
});

test.each(['delegate', 'list_agents', 'task_complete', 'update_plan', 'load_skill', 'load_skills'])(
  '[TOOL-17] an own tool %s of a session that is older than the built-in one stays an activity: its history replays',
  async (name) => {
    const session = new MemorySession({
      model: inTurn(calls(`a:${name}:{}`), says('ok')),
      tools: { [name]: () => 'mine' },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'completed', cause: 'answer' });
    expect(session.ran).toEqual(['a']);
    expect(resultsOf(session)).toEqual([{ text: 'mine', isError: false }]);
  },
);
