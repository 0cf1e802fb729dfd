// Alerts over HTTP: a request of a sender to a gateway, the fates on a real server, and every refusal.
import { expect, test } from 'vitest';
import { signPagerduty } from '@holdfast/alert-intake/pagerduty-signature';
import { functionModel } from '../support/function-model.ts';
import { bearer, startTestGateway, tokens, withTokens } from '../support/gateway.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { until } from '../support/until.ts';

const start = { agent: 'tester' };

async function open({ workerless = false, requestsPerMinute = 1_000 } = {}) {
  const bench = await createSessionBench({
    model: functionModel(() => ({ text: 'the disk is full' })),
    workerless,
  });
  // names of receivers are in ids of the shared server
  const name = `r${bench.name.slice(-12)}`;
  const gateway = await startTestGateway({
    client: bench.holdfast,
    gateway: { ...withTokens, limits: { bodyBytes: 20_000, requestsPerMinute } },
    receivers: {
      [name]: { format: 'alertmanager', start, debounceMs: 0 },
      [`${name}-sns`]: { format: 'cloudwatch', topics: ['arn:aws:sns:eu-west-1:1:t'], start },
      [`${name}-cake`]: { format: 'generic', mapping: { name: '/Name', status: '/Status' }, start },
      [`${name}-pager`]: { format: 'pagerduty', signingSecret: 'secret://alertmanager', start },
    },
  });
  const send = (body: unknown, headers: Record<string, string> = bearer('alertmanager'), receiver = name) =>
    gateway.ask(`/alerts/${receiver}`, {
      method: 'POST',
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return { bench, name, gateway, send };
}

function bodyOf(fingerprints: string[], status = 'firing'): object {
  const groupLabels = { alertname: 'HighErrorRate', instance: 'payments-1' };
  const alerts = fingerprints.map((fingerprint) => ({
    status,
    fingerprint,
    labels: { ...groupLabels, severity: 'warning', path: `/${fingerprint}` },
    annotations: { summary: 'errors' },
    startsAt: '2026-11-28T03:00:00Z',
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: '',
  }));
  const common = { commonLabels: groupLabels, commonAnnotations: {}, externalURL: '', truncatedAlerts: 0 };
  return { version: '4', groupKey: '{}', status, receiver: 'holdfast', groupLabels, ...common, alerts };
}

test('[ALERT-16c] a form is taken with the content type that its sender gives', async () => {
  const { name, send } = await open({ workerless: true });
  const headers = { ...bearer('alertmanager'), 'content-type': 'application/x-www-form-urlencoded' };
  expect(await send('Name=Shop+front&Status=Up', headers, `${name}-cake`)).toMatchObject({
    status: 202,
    body: { alerts: 1 },
  });
});

test('[ALERT-10a] 202 says that Temporal has the alerts, though no worker runs; a repeat changes nothing', async () => {
  const { bench, name, send, gateway } = await open({ workerless: true });
  const first = await send(bodyOf(['a', 'b']));
  expect(first).toMatchObject({
    status: 202,
    body: { alerts: 2, groups: [expect.stringContaining(`alertGroup:${name}:`)] },
  });
  expect(await send(bodyOf(['a', 'b']))).toMatchObject({ status: 202 });
  // people see that it is there
  const unread = await until('it is listed', async () => {
    const list = await bench.holdfast.alerts.list({ receiver: name });
    return list.length > 0 && list;
  });
  expect(unread).toMatchObject([
    {
      group: `${(first.body['groups'] as string[])[0]}`,
      fate: { kind: 'waiting', because: expect.stringContaining('no worker runs') },
    },
  ]);
  // no session of its own
  const foreign = `/v1/sessions/${encodeURIComponent(unread[0]?.group ?? '')}`;
  for (const path of ['', '/abort', '/steer'])
    expect(
      await gateway.ask(`${foreign}${path}`, {
        method: path === '' ? 'GET' : 'POST',
        headers: bearer('starter'),
        ...(path === '/steer' && { json: { message: 'Look.' } }),
      }),
    ).toMatchObject({ status: 404 });
  await bench.addWorker();
  const alerts = await until('both have a session', async () => {
    const { body } = await gateway.ask(`/v1/alerts?receiver=${name}`, { headers: bearer('reader') });
    const list = body['alerts'] as { times: number; fate: { kind: string; session?: string } }[];
    return list.length === 2 && list.every(({ fate }) => fate.kind === 'investigating') && list;
  });
  expect(alerts.map(({ times }) => times)).toEqual([2, 2]);
  expect(new Set(alerts.map(({ fate }) => fate.session)).size).toBe(1);
});

test('[ALERT-10b] every refusal says what was expected, what came, and what to do; what cannot be read has a fate', async () => {
  const { bench, name, send } = await open();
  const detail = async (answer: Promise<{ status: number; body: Record<string, unknown> }>) => {
    const { status, body } = await answer;
    return [status, body['code'], body['detail']];
  };
  expect(await detail(send(bodyOf(['a']), {}))).toEqual([
    401,
    'Unauthenticated',
    expect.stringContaining('Expected "Authorization: Bearer <token>"'),
  ]);
  expect(await detail(send(bodyOf(['a']), bearer('reader')))).toEqual([
    403,
    'RightMissing',
    expect.stringContaining('expected the right "alerts", found read'),
  ]);
  expect(await detail(send(bodyOf(['a']), bearer('alertmanager'), 'none'))).toEqual([
    404,
    'UnknownReceiver',
    expect.stringContaining(`There is no receiver "none": expected one of ${name}`),
  ]);
  expect(await detail(send('x'.repeat(20_001)))).toEqual([
    413,
    'TooLarge',
    expect.stringContaining('expected at most 20000 bytes'),
  ]);
  expect(await detail(send('{"version":"4","al'))).toEqual([
    422,
    'Alerts.Shape',
    expect.stringContaining('JSON'),
  ]);
  const { refused } = await until('it is kept', () => bench.holdfast.alerts.receiver(name));
  expect(refused).toMatchObject([{ reason: expect.stringContaining('JSON') }]);
});

test('[ALERT-10c] a receiver with a signature needs no token, and takes no other signature', async () => {
  const { name, send } = await open();
  const body = JSON.stringify({
    event: {
      id: 'e1',
      event_type: 'incident.triggered',
      resource_type: 'incident',
      occurred_at: '2026-11-28T03:00:00Z',
      data: {
        id: 'P1',
        type: 'incident',
        title: 'errors',
        status: 'triggered',
        urgency: 'high',
        service: { summary: 'payments' },
      },
    },
  });
  const signed = (secret: string) => ({ 'x-pagerduty-signature': signPagerduty(Buffer.from(body), secret) });
  expect(await send(body, signed(tokens.alertmanager), `${name}-pager`)).toMatchObject({
    status: 202,
    body: { alerts: 1 },
  });
  expect(await send(body, signed('another-secret-of-length'), `${name}-pager`)).toMatchObject({
    status: 401,
    body: { code: 'Alerts.BadSignature' },
  });
});

test('[ALERT-10c] a stranger without a signature leaves nothing in Temporal', async () => {
  const { bench, name, send } = await open();
  expect(await send({ hello: 'stranger' }, {}, `${name}-sns`)).toMatchObject({ status: 422 });
  expect(await bench.holdfast.alerts.receiver(`${name}-sns`)).toBeUndefined();
});

test('[ALERT-10d] too many requests are told when to come again, and a dead server is no loss: the sender keeps the alerts', async () => {
  const { send } = await open({ requestsPerMinute: 1 });
  expect(await send(bodyOf(['a']))).toMatchObject({ status: 202 });
  const late = await send(bodyOf(['b']));
  expect(late).toMatchObject({
    status: 429,
    body: { detail: expect.stringContaining('expected at most 1') },
  });
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
  const dead = await startTestGateway({ receivers: { prod: { format: 'alertmanager' } } });
  const answer = await dead.ask('/alerts/prod', { json: bodyOf(['a']) });
  expect(answer).toMatchObject({ status: 503, body: { code: 'ServerUnreachable' } });
  expect(answer.headers.get('retry-after')).toBe('5');
  // its refusal could not be kept
  expect(await dead.ask('/alerts/prod', { method: 'POST', body: '{' })).toMatchObject({ status: 503 });
});

test('[ALERT-10e] investigate names the caller, and needs the right to start', async () => {
  const { name, gateway, bench, send } = await open();
  const [group] = (await send(bodyOf(['a'], 'resolved'))).body['groups'] as string[];
  const wish = { group, ids: ['a'] };
  const ask = (who: 'reader' | 'starter') =>
    gateway.ask('/v1/alerts/investigate', { json: wish, headers: bearer(who) });
  expect(await ask('reader')).toMatchObject({ status: 403 });
  const unknown = { json: { group: 'alertGroup:none' }, headers: bearer('starter') };
  expect(await gateway.ask('/v1/alerts/investigate', unknown)).toMatchObject({
    status: 404,
    body: { code: 'UnknownGroup' },
  });
  await until('it is there', async () => (await bench.holdfast.alerts.list({ receiver: name })).length > 0);
  expect(await ask('starter')).toMatchObject({ status: 200, body: { alerts: 1 } });
  const [alert] = await until('it has a session', async () => {
    const list = await bench.holdfast.alerts.list({ receiver: name });
    return list[0]?.fate.kind === 'investigating' && list;
  });
  expect(alert?.fate.because).toBe('starter asked for it');
});
