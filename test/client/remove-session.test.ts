// Which histories are deleted on the server, and when none is. The client is one that notes what it is asked for.
import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { removeHistories } from '../../src/client/remove-session.ts';

type Listed = { workflowId: string; runId: string; status: { name: string } };

function clientWith(listed: Listed[], deliveries: object[] = []) {
  const asked: { queries: string[]; deleted: unknown[] } = { queries: [], deleted: [] };
  const client = {
    options: { namespace: 'ops' },
    workflow: {
      async *list({ query }: { query: string }) {
        asked.queries.push(query);
        yield* query.includes(`'delivery'`) ? deliveries : listed;
      },
    },
    workflowService: {
      deleteWorkflowExecution: (request: unknown) => Promise.resolve(asked.deleted.push(request)),
    },
  };
  return { client: client as unknown as Client, asked };
}

const run = (workflowId: string, runId: string, name = 'COMPLETED'): Listed => ({
  workflowId,
  runId,
  status: { name },
});

test('[STATE-19d] every run of the session and of its subagents is deleted', async () => {
  const { client, asked } = clientWith([
    run("it's", 'r2'),
    run("it's", 'r1', 'CONTINUED_AS_NEW'),
    run("it's/log-1", 'r3'),
    run("it's~0a1b2c3d/log-1", 'r4'),
    // of others
    run("it's~new/log-1", 'r5'),
    run("it's~new", 'r6', 'RUNNING'),
  ]);
  expect(await removeHistories(client, "it's")).toEqual({
    sessionIds: ["it's", "it's/log-1", "it's~0a1b2c3d/log-1"],
    executions: 4,
  });
  expect(asked.queries).toEqual([
    String.raw`WorkflowType = 'agentSession' AND (WorkflowId = 'it\'s' OR WorkflowId STARTS_WITH 'it\'s/' OR WorkflowId STARTS_WITH 'it\'s~')`,
    String.raw`WorkflowType = 'delivery' AND WorkflowId STARTS_WITH 'delivery:it\'s:'`,
  ]);
  expect(asked.deleted).toEqual(
    [
      ["it's", 'r2'],
      ["it's", 'r1'],
      ["it's/log-1", 'r3'],
      ["it's~0a1b2c3d/log-1", 'r4'],
    ].map(([workflowId, runId]) => ({ namespace: 'ops', workflowExecution: { workflowId, runId } })),
  );
});

test('[DELIV-03d] the deliveries of the session are deleted too, also those that are still tried; no others', async () => {
  const delivery = (sessionId: string, runId: string, name: string) => ({
    ...run(`delivery:${sessionId}:run-1:end`, runId, name),
    taskQueue: 'q',
    startTime: new Date(0),
    memo: { message: 'm', sessionId, run: 'run-1', point: 'end', to: ['team'] },
  });
  const { client, asked } = clientWith(
    [run('s', 'r1')],
    // the id of the last session begins with that of the first one
    [
      delivery('s', 'd1', 'COMPLETED'),
      delivery('s', 'd2', 'RUNNING'),
      delivery('s:run-1', 'd3', 'COMPLETED'),
    ],
  );
  expect(await removeHistories(client, 's')).toEqual({ sessionIds: ['s'], executions: 1 });
  expect(asked.deleted).toMatchObject(
    [
      ['s', 'r1'],
      ['delivery:s:run-1:end', 'd1'],
      ['delivery:s:run-1:end', 'd2'],
    ].map(([workflowId, runId]) => ({ workflowExecution: { workflowId, runId } })),
  );
});

test('none is deleted while a subagent runs', async () => {
  const { client, asked } = clientWith([run('s', 'r1'), run('s/log-1', 'r2', 'RUNNING')]);
  await expect(removeHistories(client, 's')).rejects.toMatchObject({
    code: 'Refused',
    message: expect.stringContaining('Subagent s/log-1 is running, and nothing was removed'),
  });
  expect(asked.deleted).toEqual([]);
});
