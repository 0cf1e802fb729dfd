// Search attributes on a real server: which are missing in a namespace, and that doctor --fix registers them.
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { expect, inject, onTestFinished, test } from 'vitest';
import { listMayWait } from '../../src/client/session-list.ts';
import { allAttributeTypes } from '../../src/core/model/outer-names.ts';
import { findSearchAttributes } from '../../src/worker/register-attributes.ts';
import { callCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';

test('[STATE-15a] doctor --fix registers the search attributes that a namespace lacks', async () => {
  const address = inject('temporalAddress');
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  const namespace = `attributes-${randomUUID()}`;
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 } as never,
  });
  const names = Object.keys(allAttributeTypes);
  const cwd = await temporaryFolder();
  const environment = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
  const lacking = await until('the namespace is known', async () => {
    const { missing, reason } = await findSearchAttributes(connection, namespace);
    return reason === undefined && missing;
  });
  expect(lacking).toEqual(names);
  // what waits is in the memo of the session, whatever the server can search
  const client = new Client({ connection, namespace });
  await client.workflow.start('agentSession', {
    workflowId: 'bare',
    taskQueue: 'nobody',
    args: [{}],
    memo: { waiting: { approvals: [], questions: [] } },
  });
  const listed = await until('the session is listed', async () => {
    const found = await listMayWait(client);
    return found.length > 0 && found;
  });
  expect(listed).toMatchObject([{ sessionId: 'bare' }]);
  const fixed = await callCli(['doctor', '--fix', '--json'], { cwd, environment });
  expect(fixed.lines.find(({ name }) => name === 'attributes')).toMatchObject({ state: 'good' });
  expect(await findSearchAttributes(connection, namespace)).toEqual({ registered: names, missing: [] });
});
