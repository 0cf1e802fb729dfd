// Sessions that share a task board, on a real server: one of two gets a task, and a run that is stopped gives it back.
import { expect, test } from 'vitest';
import { textOf } from '../../src/core/model/messages.ts';
import { functionModel } from '../support/function-model.ts';
import type { Saying, Turn } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { SessionBench } from '../support/session-bench.ts';
import { delegating } from '../support/team.ts';
import { until } from '../support/until.ts';

const complete: Saying = {
  calls: [{ tool: 'task_complete', args: { status: 'completed', summary: 'fine' } }],
};

/** `tester` delegates the task of the board to `analyst`, once. */
function open(analyst: (turn: Turn) => Saying | Promise<Saying>): Promise<SessionBench> {
  return createSessionBench({
    model: functionModel((turn) => {
      if (turn.request.metadata.agent === 'analyst') return analyst(turn);
      return turn.number === 1 ? delegating({ agent: 'analyst', task_id: 'one' }) : { text: 'Answered.' };
    }),
    agent: { delegation: { agents: ['analyst'] } },
    agents: { analyst: { tools: [] } },
  });
}

async function resultOf(bench: SessionBench, sessionId: string): Promise<string> {
  const log = await bench.readLog(sessionId);
  return log.flatMap((record) => (record.role === 'tool_result' ? [textOf(record)] : [])).join('\n');
}

test('[SUB-13b] [SUB-14a] of two sessions that delegate one task at once exactly one has a child, and the board says which', async () => {
  const bench = await open(() => complete);
  const board = bench.holdfast.board(bench.name);
  await board.add({ id: 'one', text: 'Read the logs.' });
  const input = { prompt: 'Go.', delegation: { taskBoard: bench.name } };
  const sessions = await Promise.all([bench.start(input), bench.start(input)]);
  for (const session of sessions) expect(await session.result()).toMatchObject({ status: 'completed' });
  const [task] = await board.list();
  expect(task).toMatchObject({ status: 'completed' });
  const ids = sessions.map(({ workflowId }) => workflowId);
  const winner = ids.find((id) => task?.assignee === `${id}/analyst-pool-1`) ?? '';
  const loser = ids.find((id) => id !== winner) ?? '';
  expect(await resultOf(bench, winner)).toContain('"result":"fine"');
  expect(await resultOf(bench, loser)).toMatch(/Task one .*(claimed|completed) by \S+\/analyst-pool-1\./);
  expect((await bench.holdfast.session(loser).snapshot()).children).toEqual([]);
  await board.close();
});

test.each<[string, (bench: SessionBench, id: string) => Promise<unknown>, string]>([
  ['[SUB-15bcd] an abort', ({ client }, id) => client.workflow.getHandle(id).signal('abort'), 'aborted'],
  ['[STATE-11] a cancelled workflow', ({ client }, id) => client.workflow.getHandle(id).cancel(), 'aborted'],
])('%s opens the task again, and the child has ended before', async (_how, stop, status) => {
  const bench = await open(async ({ options }) => {
    await new Promise((resolve) => options.signal.addEventListener('abort', resolve, { once: true }));
    throw options.signal.reason;
  });
  const board = bench.holdfast.board(bench.name);
  await board.add({ id: 'one', text: 'Read the logs.' });
  const session = await bench.start({ prompt: 'Go.', delegation: { taskBoard: bench.name } });
  const child = `${session.workflowId}/analyst-pool-1`;
  await until('the child asks its model', async () => {
    const [task] = await board.list();
    if (task?.status !== 'claimed') return false;
    const { pendingActivities } = await bench.client.workflow
      .getHandle(child)
      .describe()
      .then(
        ({ raw }) => raw,
        () => ({ pendingActivities: [] }),
      );
    return pendingActivities?.some(({ activityType }) => activityType?.name === 'callModel');
  });
  await stop(bench, session.workflowId);
  expect(await session.result()).toMatchObject({ status });
  expect(await board.list()).toEqual([{ id: 'one', text: 'Read the logs.', status: 'open' }]);
  expect(await resultOf(bench, session.workflowId)).toBe('[{"agent":"analyst","error":"canceled"}]');
  expect((await bench.client.workflow.getHandle(child).describe()).status.name).not.toBe('RUNNING');
  await board.close();
});
