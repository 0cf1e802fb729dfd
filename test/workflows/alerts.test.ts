// Groups of alerts on a real server: from a message of the gateway to a session, its end, and the fates.
import { expect, test } from 'vitest';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { aRoute, anAlert, sent } from '../support/alerts.ts';
import { until } from '../support/until.ts';

test('an alert leads to a session with a task by code, and its fate names it', async () => {
  const requests: string[] = [];
  const bench = await createSessionBench({
    model: functionModel((request) => {
      requests.push(JSON.stringify(request));
      return { text: 'the disk is full' };
    }),
  });
  const { alerts } = bench.holdfast;
  const receiver = bench.taskQueue;
  const group = await alerts.send(sent([anAlert()], { receiver }));
  const [fate] = await until('it is done', async () => {
    const list = await alerts.list({ receiver });
    return list[0]?.outcome !== undefined && list;
  });
  expect(fate).toMatchObject({
    name: 'HighErrorRate',
    times: 1,
    group,
    outcome: 'completed',
    fate: { kind: 'investigating', because: 'receiver prod' },
  });
  expect(requests.join()).toContain('<alert>');
});
