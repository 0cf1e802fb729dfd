// A planned run on a real server: what its plan costs in history, and where people see it.
import { expect, test } from 'vitest';
import { updatePlanTool } from '../../src/activities/assembly/built-in-tools.ts';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { activityInputs, eventsOf, readChain } from '../support/session-history.ts';

const steps = [
  { text: 'Look at the pool', criterion: 'its size is known' },
  { text: 'Check again', criterion: 'it explains the errors', verify: true },
];
const mark = (id: string, status: string) => ({ tool: 'update_plan', args: { id, status } });

test('[PLAN-02ab] [PLAN-09f] [STATE-03a] [STATE-14b] [CKPT-07b] a plan crosses a hand-over after every turn; query, snapshot, details and result have it', async () => {
  const model = functionModel(({ number, request }) => {
    if (request.metadata.purpose === 'planner') return { text: JSON.stringify({ steps }) };
    if (number === 1) return { calls: [mark('1', 'done')] };
    return number === 2 ? { calls: [mark('2', 'in_progress')] } : { text: 'It is 2.' };
  });
  const bench = await createSessionBench({ model, tools: [updatePlanTool] });
  const handle = await bench.start({
    prompt: 'Why?',
    tools: [],
    plan: { strategy: 'plan_and_solve' },
    continueAsNewAfterTurns: 1,
  });
  const open = { id: '2', status: 'in_progress', text: 'Check again' };
  expect(await handle.result()).toMatchObject({
    status: 'completed',
    planComplete: false,
    usage: { planner: { input: 10 } },
    plan: { steps: [{ id: '1', status: 'done' }, open] },
  });
  const chain = await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId);
  expect(chain.length).toBeGreaterThanOrEqual(3);
  expect(activityInputs(eventsOf(chain), 'askModel')).toMatchObject([{ purpose: 'planner', tools: true }]);
  const session = bench.holdfast.session(handle.workflowId);
  expect(await session.plan()).toMatchObject({ steps: [{ status: 'done' }, open] });
  expect((await session.snapshot()).plan).toEqual(await session.plan());
  const ended = bench.client.workflow.getHandle(handle.workflowId);
  const { currentDetails } = await ended.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(currentDetails).toContain('- plan 1/2, in hand 2: Check again');
});
