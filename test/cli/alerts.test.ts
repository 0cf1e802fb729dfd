// holdfast alerts test and send: what a payload would lead to, without a server; and one payload to a gateway.
import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@holdfast/processes/free-port';
import { expect, test } from 'vitest';
import { callCli, type CliSetting } from '../support/cli.ts';
import { payload } from '../support/alert-payloads.ts';
import { startHttpServer } from '../support/http-server.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const config = {
  files: { roots: ['.'] },
  agents: { night: { instructions: 'x', tools: ['read', 'grep'], budget: { turns: 9 } } },
  maxMode: 'observe',
  receivers: {
    prod: {
      format: 'alertmanager',
      start: { agent: 'night', deliver: [{ to: 'ops', on: ['end'] }] },
      routes: [
        { name: 'api-2', match: { instance: '/^api-2/' }, suppress: 'It is being rebuilt.' },
        { match: { team: 'lost' }, start: { agent: 'nigth' } },
      ],
    },
    pager: { format: 'pagerduty', signingSecret: 'secret://pd' },
  },
  secrets: { pd: { env: 'PD_SECRET' } },
  destinations: { ops: { file: { folder: 'reports' } } },
};

const pdSecret = 'correct horse';

/** No server listens at the address: neither command needs one. */
async function folder(gateway: object = {}): Promise<CliSetting & { environment: Record<string, string> }> {
  const cwd = await temporaryFolder();
  const alerts = payload('alertmanager-recorded')['alerts'] as { labels: object }[];
  const lost = { ...alerts[1], labels: { alertname: 'Lost', team: 'lost' } };
  const healthy = { ...alerts[1], labels: { alertname: 'HighErrorRate', instance: 'api-3:8080' } };
  const files = {
    'holdfast.config.json': { ...config, gateway },
    'alert.json': { ...payload('alertmanager-recorded'), alerts: [...alerts, healthy] },
    'lost.json': { status: 'firing', alerts: [lost] },
    'incident.json': payload('pagerduty'),
  };
  for (const [name, value] of Object.entries(files)) await writeFile(join(cwd, name), JSON.stringify(value));
  return { cwd, environment: { TEMPORAL_ADDRESS: '127.0.0.1:1', PD_SECRET: pdSecret } };
}

test('[ALERT-07ab] test says what each group would lead to', async () => {
  const { code, stdout, stderr } = await callCli(
    ['alerts', 'test', 'alert.json', '--receiver', 'prod'],
    await folder(),
  );
  expect([code, stderr]).toEqual([0, '']);
  const [over = '', quiet = '', started = ''] = stdout.split(/^(?=HighErrorRate)/m);
  expect(over).toMatch(/^HighErrorRate api-1:8080\n {2}key {6}HighErrorRate-api-1:8080-[0-9a-f]{12}\n/);
  expect(over).toContain(
    'HighErrorRate: resolved, severity critical, since 2026-11-28T00:26:36.772Z, ffcf0de44522df0d',
  );
  expect(over).toMatch(/outcome {2}a recovery: it starts nothing/);
  expect(quiet).toMatch(/route {4}route "api-2" of receiver prod \(instance=\/\^api-2\/\)/);
  expect(quiet).toMatch(/outcome {2}suppressed because It is being rebuilt\./);
  expect(quiet).not.toContain('agent');
  expect(started).toMatch(/route {4}receiver prod, no route matches/);
  expect(started).toMatch(/outcome {2}an investigation after 30 s, then none for 30 min\n/);
  expect(started).toMatch(
    /agent {4}night, .*, mode observe\n {2}limits {3}at most 9 turns\n {2}tools {4}read, grep\n/,
  );
  expect(started).toMatch(/goes to {2}ops \(end\)\n$/);
});

test('[ALERT-07a] test with --json gives the whole entry', async () => {
  const setting = await folder();
  const { lines } = await callCli(['alerts', 'test', 'alert.json', '--receiver', 'prod', '--json'], setting);
  expect(lines).toMatchObject([
    { type: 'group', outcome: 'resolved', alerts: [{ fingerprint: 'ffcf0de44522df0d' }] },
    { type: 'group', outcome: 'suppressed', route: { suppress: 'It is being rebuilt.' } },
    { type: 'group', outcome: 'investigate', agent: 'night', tools: ['read', 'grep'], problems: [] },
  ]);
});

test('[ALERT-07c] a payload that would be refused, a start that would fail, and a file that is not there', async () => {
  const setting = await folder();
  const refused = await callCli(['alerts', 'test', 'alert.json', '--receiver', 'pager'], setting);
  expect(refused.code).toBe(7);
  expect(refused.stderr).toMatch(
    /It would be refused \(422\): The body is no webhook of PagerDuty .*Its keys: receiver,/,
  );
  const failing = await callCli(['alerts', 'test', 'lost.json', '--receiver', 'prod'], setting);
  expect([failing.code, failing.stdout]).toEqual([
    2,
    expect.stringMatching(/fault {4}There is no agent "nigth"/),
  ]);
  const several = await callCli(['alerts', 'test', 'alert.json'], setting);
  expect(several.stderr).toContain(
    'The config has several receivers: expected --receiver with one of pager, prod.',
  );
  const unknown = await callCli(['alerts', 'test', 'alert.json', '--receiver', 'dev'], setting);
  expect(unknown.stderr).toContain(
    'There is no receiver "dev": expected --receiver with one of pager, prod.',
  );
  const absent = await callCli(['alerts', 'test', 'absent.json', '--receiver', 'prod'], setting);
  expect([absent.code, absent.stderr]).toEqual([2, expect.stringContaining('Cannot read absent.json')]);
});

test('[ALERT-14d] a status that is in no list is refused, and shown to the person who has the file', async () => {
  const cwd = await temporaryFolder();
  const mapping = { name: '/monitor/name', status: '/heartbeat/status', resolvedWhen: ['1'] };
  const receivers = { kuma: { format: 'generic', mapping } };
  await writeFile(join(cwd, 'holdfast.config.json'), JSON.stringify({ receivers }));
  const body = { heartbeat: { status: 0 }, monitor: { name: 'shop front' } };
  await writeFile(join(cwd, 'down.json'), JSON.stringify(body));
  const { code, stderr } = await callCli(['alerts', 'test', 'down.json'], { cwd });
  expect(code).toBe(7);
  expect(stderr).toMatch(
    /It would be refused \(422\): .*\/heartbeat\/status: expected a value of firingWhen.* It has "0" there\./,
  );
});

test('[ALERT-07c] a signature that is given is checked; without one the command says that it was not', async () => {
  const setting = await folder();
  const tested = (...header: string[]) =>
    callCli(['alerts', 'test', 'incident.json', '--receiver', 'pager', ...header], setting);
  const body = JSON.stringify(payload('pagerduty'));
  const signature = `v1=${createHmac('sha256', pdSecret).update(body).digest('hex')}`;
  expect(await tested('--header', `X-PagerDuty-Signature=${signature}`)).toMatchObject({
    code: 0,
    stderr: '',
  });
  const wrong = await tested('--header', 'X-PagerDuty-Signature=v1=00');
  expect([wrong.code, wrong.stderr]).toEqual([7, expect.stringContaining('It would be refused (401)')]);
  const without = await tested();
  expect([without.code, without.stderr]).toEqual([0, expect.stringContaining('is not checked here')]);
});

test('[ALERT-07d] config check finds what a route names and is not there', async () => {
  const { code, stdout } = await callCli(['config', 'check'], await folder());
  expect([code, stdout]).toEqual([
    2,
    expect.stringContaining('Receiver prod, route 2: There is no agent "nigth"'),
  ]);
});

test('[ALERT-08a] send posts the file as it is, with the token, or signed', async () => {
  const got: { url: string | undefined; headers: Record<string, unknown>; body: string }[] = [];
  const server = await startHttpServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      got.push({ url: request.url, headers: request.headers, body });
      response.writeHead(202, { 'content-type': 'application/json' }).end('{"note":"Two groups."}');
    });
  });
  const setting = await folder({ port: server.port });
  const environment = { ...setting.environment, HOLDFAST_GATEWAY_TOKEN: 'token-of-the-test' };
  const sent = await callCli(['alerts', 'send', 'alert.json', '--receiver', 'prod'], {
    ...setting,
    environment,
  });
  expect(sent).toMatchObject({ code: 0, stderr: '' });
  expect(sent.stdout).toBe(`The gateway has it: ${server.url}/alerts/prod answered 202.\nTwo groups.\n`);
  await writeFile(join(setting.cwd, 'token'), 'token-of-a-file\n');
  const place = ['--gateway', `${server.url}/`, '--token-file', 'token', '--header', 'x-one=two'];
  await callCli(['alerts', 'send', 'incident.json', '--receiver', 'pager', ...place], {
    ...setting,
    environment,
  });
  const body = JSON.stringify(payload('pagerduty'));
  expect(got).toMatchObject([
    {
      url: '/alerts/prod',
      headers: { authorization: 'Bearer token-of-the-test', 'content-type': 'application/json' },
    },
    {
      url: '/alerts/pager',
      body,
      headers: {
        authorization: 'Bearer token-of-a-file',
        'x-one': 'two',
        'x-pagerduty-signature': `v1=${createHmac('sha256', pdSecret).update(body).digest('hex')}`,
      },
    },
  ]);
});

test.each([
  [401, {}, 'The gateway does not know the sender (401). Expected a token with the right "alerts"'],
  [403, {}, 'The gateway does not let this sender send alerts (403).'],
  [404, {}, 'The gateway has no receiver "prod" (404). Expected one of "receivers" in its config.'],
  [413, {}, 'The payload is too large (413). Expected less than gateway.limits.bodyBytes'],
  [422, {}, 'The payload has another form than the receiver expects (422).'],
  [429, { 'retry-after': '7' }, 'The gateway has had too many requests (429). Send it again in 7 s.'],
  [503, {}, 'The gateway cannot take it (503). Send it again later.'],
])('[ALERT-08b] an answer of %i in words, with what the gateway says', async (status, headers, words) => {
  const server = await startHttpServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, { ...headers, 'content-type': 'application/problem+json' });
      response.end(JSON.stringify({ status, detail: `Why it is ${status}.` }));
    });
  });
  const setting = await folder();
  const environment = { ...setting.environment, HOLDFAST_GATEWAY_TOKEN: 'token-of-the-test' };
  const place = ['--receiver', 'prod', '--gateway', server.url];
  const { code, stderr } = await callCli(['alerts', 'send', 'alert.json', ...place], {
    ...setting,
    environment,
  });
  expect(code).toBe(7);
  expect(stderr).toContain(words);
  expect(stderr).toContain(`It says: Why it is ${status}.`);
  expect(stderr).not.toContain('token-of-the-test');
});

test('[ALERT-08c] no gateway at the address of the config', async () => {
  const port = await freePort();
  const setting = await folder({ port });
  const { code, stderr } = await callCli(['alerts', 'send', 'alert.json', '--receiver', 'prod'], setting);
  expect(code).toBe(3);
  expect(stderr).toMatch(
    new RegExp(`No gateway at http://127.0.0.1:${port}: .*\\. Expected one there; ".*gateway" starts it\\.`),
  );
  const named = ['--gateway', 'holdfast.example.org'];
  const wrong = await callCli(['alerts', 'send', 'alert.json', '--receiver', 'prod', ...named], setting);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('expected an address such as https://'),
  ]);
});
