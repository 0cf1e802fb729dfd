// Search attributes on a real server: which are missing in a namespace, and that doctor --fix registers them.
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client.ts';
import { listMayWait } from '../../src/client/session-list.ts';
import { allAttributeTypes, attributeWireTypes } from '@holdfast/vocabulary/outer-names';
import { findSearchAttributes, registerSearchAttributes } from '../../src/worker/register-attributes.ts';
import { callCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';

async function newNamespace(connection: Connection): Promise<string> {
  const namespace = `attributes-${randomUUID()}`;
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 } as never,
  });
  await until('the namespace is known', async () => {
    const { reason } = await findSearchAttributes(connection, namespace);
    return reason === undefined;
  });
  return namespace;
}

test('[CORE-13ab] of attributes that other programs leave no room for, or have with another type, the others are registered, and the rest is named', async () => {
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  onTestFinished(() => connection.close());
  const namespace = await newNamespace(connection);
  const others = Array.from({ length: 6 }, (_, index) => [`Other${index}`, attributeWireTypes.Keyword]);
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries([...others, ['Turns', 1]]),
  });
  const report = await registerSearchAttributes(connection, namespace);
  expect(report).toEqual({
    registered: ['WaitingFor', 'Outcome', 'AgentStatus', 'AgentName', 'CostUsd', 'AlertFates'],
    missing: ['Model', 'Turns', 'AlertReceiver'],
    reason: expect.stringMatching(
      /more than 10 search attribute of type Keyword\. Another program has Turns with another type\./,
    ),
  });
  expect(report.reason).not.toMatch(/Status \{|b"/);
  expect(await findSearchAttributes(connection, namespace)).toMatchObject({ missing: report.missing });
  const client = createClient({ connection, namespace, taskQueue: 'nobody' });
  expect(await client.alerts.list()).toEqual([]);
  const environment = { TEMPORAL_ADDRESS: inject('temporalAddress'), TEMPORAL_NAMESPACE: namespace };
  const fixed = await callCli(['doctor', '--fix', '--json'], { cwd: await temporaryFolder(), environment });
  expect(fixed.lines.find(({ name }) => name === 'attributes')).toMatchObject({
    state: 'note',
    finding: expect.stringMatching(/^not registered: Model, Turns, AlertReceiver; .*more than 10/),
    advice: expect.stringMatching(
      /--name Model --type Keyword; temporal operator .*--name Turns --type Int; /,
    ),
  });
});

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
