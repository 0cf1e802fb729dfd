// Which of the listed sessions of one id is the newest, which the id means, and how the others are named.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { expect, test } from 'vitest';
import { type ListOptions, listSessions } from '../../src/client/session-list.ts';
import { markedName } from '@holdfast/stored/session-names';

type Run = { workflowId: string; runId: string; status: string };

/** Newest first, as the server lists them; its query language is left out but for what ends sessions. */
function clientWith(runs: Run[], removed: string[] = []): Client {
  const infos = runs.map(({ status, ...run }) => ({
    ...run,
    status: { name: status },
    startTime: new Date(0),
    taskQueue: 'holdfast',
    searchAttributes: {},
    typedSearchAttributes: { getAll: () => [] },
  }));
  const list = async function* ({ query }: { query: string }) {
    const isMeant = ({ workflowId, status }: (typeof infos)[number]) =>
      query.includes(` IN (`)
        ? query.includes(`'${workflowId}'`)
        : !query.includes(`ExecutionStatus != 'Running'`) || status.name !== 'RUNNING';
    yield* infos.filter(isMeant);
  };
  const getHandle = (workflowId: string, runId: string) => ({
    async describe() {
      if (removed.includes(runId)) throw new WorkflowNotFoundError('gone', workflowId, runId);
      return { raw: { workflowExecutionInfo: { firstRunId: `first of ${runId}` } } };
    },
  });
  return { workflow: { list, getHandle } } as unknown as Client;
}

const named = async (client: Client, options: ListOptions = {}) =>
  (await listSessions(client, options)).map(({ sessionId, storedAs }) => storedAs ?? sessionId);

const runs: Run[] = [
  { workflowId: 'nightly', runId: 'r3', status: 'RUNNING' },
  { workflowId: 'once', runId: 'r0', status: 'COMPLETED' },
  { workflowId: 'nightly', runId: 'r2', status: 'COMPLETED' },
  { workflowId: 'nightly', runId: 'r1', status: 'FAILED' },
];

test('[STATE-19f] a list names the earlier sessions of an id, also where a filter leaves out the newest', async () => {
  const client = clientWith(runs);
  const earlier = [markedName('nightly', 'first of r2'), markedName('nightly', 'first of r1')];
  expect(await named(client)).toEqual(['nightly', 'once', ...earlier]);
  expect(await named(client, { status: 'ended' })).toEqual(['once', ...earlier]);
});

test('[STATE-19f] one that was removed meanwhile is no reason to list nothing', async () => {
  expect(await named(clientWith(runs, ['r2']))).toEqual([
    'nightly',
    'once',
    markedName('nightly', 'r2'),
    markedName('nightly', 'first of r1'),
  ]);
});
