// Task boards on a real server: one claim of two, over continue-as-new, and through the activity that sessions use.
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { createBoardCall } from '../../src/activities/tools/board-call.ts';
import type { BoardAnswer, BoardCallInput } from '@holdfast/vocabulary/board';
import { boardWorkflowId, taskBoardType } from '@holdfast/vocabulary/workflow-ids';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { SessionBench } from '../support/session-bench.ts';

const open = () => createSessionBench({ model: functionModel(() => ({ text: 'done' })) });

/** As a session's worker calls it. */
function call({ client }: SessionBench, input: BoardCallInput): Promise<BoardAnswer> {
  const environment = new MockActivityEnvironment(undefined, { client });
  return environment.run(createBoardCall(), input);
}

test('[SUB-13c] of two that claim a task at once exactly one gets it, and that one again; people list, release and close', async () => {
  const bench = await open();
  const { name } = bench;
  const board = bench.holdfast.board(name);
  expect(await board.add({ text: 'Read the logs.', id: 'logs' })).toMatchObject({ status: 'open' });
  const claims = ['a', 'b', 'c'].map((by) =>
    call(bench, { board: name, name: 'claim', args: { id: 'logs', by } }),
  );
  const answers = await Promise.all(claims);
  const [won, ...more] = answers.filter((answer) => answer.ok);
  expect(more).toEqual([]);
  const { assignee = '' } = won?.ok ? (won.task ?? {}) : {};
  const reason = `Task logs is claimed by ${assignee}.`;
  expect(answers.filter((answer) => !answer.ok)).toEqual(
    [1, 2].map(() => ({ ok: false, code: 'Board.Claimed', reason })),
  );
  expect(await call(bench, { board: name, name: 'claim', args: { id: 'logs', by: assignee } })).toMatchObject(
    { ok: true },
  );
  expect(await board.list()).toEqual([{ id: 'logs', text: 'Read the logs.', status: 'claimed', assignee }]);
  await expect(board.claim('logs', 'd')).rejects.toMatchObject({
    code: 'Refused',
    reason: 'Board.Claimed',
    message: reason,
  });
  expect(await board.release('logs')).toEqual({ id: 'logs', text: 'Read the logs.', status: 'open' });
  await board.close();
  expect(await bench.client.workflow.getHandle(boardWorkflowId(name)).result()).toHaveLength(1);
  await expect(board.claim('logs', 'a')).rejects.toMatchObject({ code: 'UnknownSession' });
  expect(await call(bench, { board: name, name: 'claim', args: { id: 'logs', by: 'a' } })).toMatchObject({
    ok: false,
    code: 'Board.Unknown',
    reason: `There is no open task board "${name}".`,
  });
});

test('[SUB-13d] a board continues as new with all of its tasks, and what was claimed stays claimed', async () => {
  const bench = await open();
  const { name } = bench;
  const workflowId = boardWorkflowId(name);
  const { taskQueue, client } = bench;
  await client.workflow.start(taskBoardType, { workflowId, taskQueue, args: [{ maxEvents: 15 }] });
  const first = await client.workflow.getHandle(workflowId).describe();
  const board = bench.holdfast.board(name);
  for (const text of ['one', 'two', 'three', 'four', 'five']) {
    const { id } = await board.add({ text });
    await board.claim(id, `agent-${id}`);
  }
  expect((await client.workflow.getHandle(workflowId).describe()).runId).not.toBe(first.runId);
  expect(await board.list()).toEqual(
    ['one', 'two', 'three', 'four', 'five'].map((text, at) => ({
      id: `t${at + 1}`,
      text,
      status: 'claimed',
      assignee: `agent-t${at + 1}`,
    })),
  );
  await expect(board.claim('t1', 'other')).rejects.toMatchObject({ reason: 'Board.Claimed' });
  await board.close();
});
