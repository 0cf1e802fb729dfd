// Sources by stand-ins of their programs: versions and states that this machine does not have.
import { describe, expect, test } from 'vitest';
import { createChangesTool } from '../../../src/activities/toolsets/changes-tool.ts';
import type { Json } from '@holdfast/base/json';
import { type StandIn, standIns } from '../../support/stand-in.ts';
import { starterToolset } from '../../support/toolset-bench.ts';

const now = Date.parse('2026-11-28T05:30:00Z');

async function opened(name: string, program: Record<string, StandIn>, settings: Record<string, string> = {}) {
  const bench = starterToolset(name, settings, { now, path: await standIns(program) });
  const toolset = await bench.open();
  expect(toolset).toMatchObject({ status: 'ready' });
  const call = (tool: string, args: Json = {}) => bench.returnOf(toolset, tool, args);
  const changes = createChangesTool(
    [{ toolset: name, ...toolset.changes, instances: [undefined] }],
    () => now,
  );
  const listed = async () => (await changes.run(changes.parse({}), bench.context)).text.split('\n');
  return { call, listed };
}

const table = (...lines: string[]): string => `${lines.join('\n')}\n`;
const server = { if: 'version -o json', out: '{"serverVersion":{}}' };

describe('kubectl', () => {
  test('[SRC-59a] [SRC-61d] events without a time are the newest; a message of several lines stays with its event', async () => {
    const out = table(
      'LAST SEEN               TYPE      REASON      OBJECT       MESSAGE',
      '3h2m                    Normal    Pulled      pod/cart-0   pulled',
      '<unknown>               Warning   Evicted     pod/cart-1   first line',
      'second line',
      '2m5s (x12 over 3h)      Warning   BackOff     pod/cart-2   back-off',
      '90s                     Normal    Scheduled   pod/cart-3   scheduled',
    );
    const { call } = await opened('kubernetes', { kubectl: [server, { out }] });
    const { text } = await call('kubernetes_events', { namespace: 'web', limit: 3 });
    expect(text.split('\n').map((line) => line.split('  ')[0])).toEqual([
      '3 of 4: the rest is left out',
      'LAST SEEN',
      '<unknown>',
      'second line',
      '90s',
      '2m5s (x12 over 3h)',
    ]);
    const none = await opened('kubernetes', { kubectl: [server, { err: 'No resources found\n' }] });
    expect((await none.call('kubernetes_events')).text).toMatch(
      /^Nothing found: .*\n\[On standard error:\]\nNo resources found$/,
    );
    const other = await opened('kubernetes', { kubectl: [server, { out: 'SEEN  TYPE\n1m  Normal\n' }] });
    expect((await other.call('kubernetes_events')).details).toMatchObject({ answer: 'unknown' });
  });

  test('[SRC-05a] nothing in a namespace that is not there is a failure, in an empty one it is not', async () => {
    const asked = 'get namespace typo --output=name$';
    const gone = { err: 'Error from server (NotFound): namespaces "typo" not found\n', exit: 1 };
    const hidden = { err: 'Error from server (Forbidden): namespaces "typo" is forbidden\n', exit: 1 };
    const none = { err: 'No resources found in typo namespace.\n' };
    const warned = { err: `E1130 memcache.go:265] the server is unable to handle the request\n${none.err}` };
    const said = async (answers: object, tool: string, args: Json = {}, nothing = none) => {
      const { call } = await opened('kubernetes', { kubectl: [server, { if: asked, ...answers }, nothing] });
      return call(tool, { namespace: 'typo', ...Object(args) });
    };
    for (const [tool, args] of [
      ['kubernetes_get', { kind: 'pods' }],
      ['kubernetes_events', {}],
      ['kubernetes_top', {}],
    ] as const) {
      for (const nothing of [none, warned])
        expect(await said(gone, tool, args, nothing)).toMatchObject({
          isError: true,
          text: expect.stringContaining('namespaces "typo" not found'),
        });
      for (const answers of [{ out: 'namespace/typo\n' }, hidden])
        expect((await said(answers, tool, args)).text).toMatch(
          /^Nothing found: [^\n]*\n\[On standard error:\]\nNo resources found in typo namespace\.$/,
        );
    }
  });

  test('[SRC-59b] cells of two tables, and YAML as it came', async () => {
    const out = table(
      'NAME           CLASS   HOSTS          ADDRESS      PORTS     AGE',
      'shop           nginx   shop.example   10.0.0.1     80, 443   2d',
      'blog                   blog.example                80        2d',
      '',
      'NAME       TYPE        CLUSTER-IP',
      'web        ClusterIP   10.1.0.1',
    );
    const yaml = 'metadata:\n  name: shop\n\n  annotations:\n    a:  two blanks\n';
    const { call } = await opened('kubernetes', {
      kubectl: [server, { if: 'output=yaml', out: yaml }, { out }],
    });
    expect((await call('kubernetes_get', { kind: 'ingresses,services' })).text).toBe(
      table(
        'NAME  CLASS  HOSTS  ADDRESS  PORTS  AGE',
        'shop  nginx  shop.example  10.0.0.1  80, 443  2d',
        'blog  -  blog.example  -  80  2d',
        'NAME  TYPE  CLUSTER-IP',
        'web  ClusterIP  10.1.0.1',
      ).trimEnd(),
    );
    expect((await call('kubernetes_get', { kind: 'pods', output: 'yaml' })).text).toBe(yaml);
  });

  test('[SRC-58c] the words of clients for no access and no server', async () => {
    const said = async (err: string) => {
      const { call } = await opened('kubernetes', { kubectl: [server, { err, exit: 1 }] });
      return (await call('kubernetes_get', { kind: 'pods' })).details;
    };
    expect(await said('error: the server has asked for the client to provide credentials\n')).toMatchObject({
      answer: 'no_access',
    });
    for (const words of [
      'Unable to connect to the server: net/http: TLS handshake timeout',
      'Error from server (ServiceUnavailable): the server is currently unable to handle the request',
      'error: Get "https://10.0.0.1:6443/api": dial tcp 10.0.0.1:6443: connect: no route to host',
      'error: Get "https://10.0.0.1:6443/api": context deadline exceeded',
    ])
      expect(await said(words), words).toMatchObject({ answer: 'not_reachable' });
  });

  test('[SRC-48b] an entry in another form is a gap of the list, a manager may have blanks', async () => {
    const writes = table(
      'web/Deployment/shop\t2026-11-28T05:10:00Z my own tool Update \t2026-11-28T05:11:00Z',
      'web/ConfigMap/pool',
    );
    const { listed } = await opened('kubernetes', {
      kubectl: [server, { if: 'jsonpath', out: writes }, { out: '{"items":[]}' }],
    });
    expect(await listed()).toEqual([
      '1 change: kubernetes_changes 0, kubernetes_writes 1',
      'Not whole: kubernetes_writes: a write in another form: 2026-11-28T05:11:00Z',
      expect.stringMatching(/^Before/),
      '2026-11-28T05:10:00Z kubernetes_writes my own tool: update (web/Deployment/shop)',
    ]);
  });
});

test('[SRC-61b] what a container wrote to standard error is its log', async () => {
  const line = '2026-11-28T05:10:00Z permission denied: /data';
  const { call } = await opened('docker', {
    docker: [
      { if: '^version', out: 'x' },
      { if: '^logs', err: `${line}\n` },
    ],
  });
  expect(await call('docker_logs', { container: 'shop' })).toMatchObject({
    text: expect.stringContaining(line),
    details: expect.not.objectContaining({ answer: expect.anything() }),
  });
});

test('[SRC-59a] events of an engine: the newest first', async () => {
  const out = table('2026-11-28T05:10:00Z container start', '2026-11-28T05:11:00Z container die');
  const { call } = await opened('docker', { docker: [{ if: '^events', out }, { out: 'x' }] });
  expect((await call('docker_events')).text).toMatch(/^2026-11-28T05:11.*\n2026-11-28T05:10[^\n]*$/);
});

test('[SRC-61c] what a program measured counts beside its failure, which comes first', async () => {
  const host = await opened('host', {
    du: [{ out: '12\t/var/log\n', err: "du: cannot read directory '/var/log/private'\n", exit: 1 }],
  });
  expect(await host.call('host_folder_sizes', { path: '/var/log' })).toMatchObject({
    text: "Not whole: du: cannot read directory '/var/log/private'\n12\t/var/log\n",
    details: { answer: 'partial' },
  });
  const forbidden = 'Error from server (Forbidden): foos.example.org is forbidden\n';
  const kubectl = [server, { out: table('NAME    READY', 'shop    1/1'), err: forbidden, exit: 1 }];
  const cluster = await opened('kubernetes', { kubectl });
  expect(await cluster.call('kubernetes_get', { kind: 'pods,foos' })).toMatchObject({
    text: expect.stringMatching(/^Not whole: .*is forbidden It needs: .*\nNAME  READY\nshop  1\/1$/),
    details: { answer: 'partial' },
  });
  const gone = await opened('host', { df: [{ err: 'df: /gone: No such file or directory\n', exit: 1 }] });
  expect(await gone.call('host_disk')).toMatchObject({ isError: true });
  const network = await opened('network', {
    curl: [{ out: 'status 000\nresolved 0.01\n', err: 'curl: (7) Failed to connect\n', exit: 7 }],
  });
  expect(await network.call('http_timing', { url: 'http://shop.example/' })).toMatchObject({
    text: 'Not whole: curl: (7) Failed to connect\nstatus 000\nresolved 0.01\n',
  });
});

describe('journalctl', () => {
  const systemctl: StandIn = [{ if: 'property=Version', out: 'Version=219\n' }, { out: 'x\n' }];
  const job = (more: object) =>
    `${JSON.stringify({ __REALTIME_TIMESTAMP: `${now - 60_000}000`, JOB_TYPE: 'restart', JOB_RESULT: 'done', ...more })}\n`;

  test('[SRC-58d] one without --output-fields or short-iso-precise is asked without', async () => {
    const journalctl: StandIn = [
      { if: 'output-fields', err: "journalctl: unrecognized option '--output-fields=x'\n", exit: 1 },
      { if: 'short-iso-precise', err: "Unknown output 'short-iso-precise'.\n", exit: 1 },
      { if: '--field=', out: 'sudo\n' },
      { if: '_PID=1', out: job({ UNIT: 'shop.service' }) },
      { if: 'output=json', out: '' },
      { if: 'output=short-iso ', out: '2026-11-28T05:10:00+0000 h shop[7]: pool exhausted\n' },
    ];
    const { call, listed } = await opened('systemd', { systemctl, journalctl });
    for (const tool of ['journal', 'kernel_log']) expect((await call(tool)).text).toContain('pool exhausted');
    expect((await listed())[0]).toBe('1 change: systemd_changes 1, system_administration 0');
    const refused: StandIn = [
      { if: '--grep', err: "journalctl: unrecognized option '--grep=x'\n", exit: 1 },
      {},
    ];
    const old = await opened('systemd', { systemctl, journalctl: refused });
    expect(await old.call('journal', { match: 'x' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('unrecognized option'),
    });
  });

  test('[SRC-60b] the services of a user are in another field than those of the system', async () => {
    const journalctl: StandIn = [
      { if: '_PID=1', out: job({ UNIT: 'shop.service' }) },
      { if: 'SYSLOG_IDENTIFIER=systemd', out: job({ USER_UNIT: 'own.service' }) },
      {},
    ];
    const user = await opened('systemd', { systemctl, journalctl }, { scope: 'user' });
    expect((await user.listed()).at(-1)).toMatch(/restart done \(own\.service\)$/);
    const system = await opened('systemd', { systemctl, journalctl });
    expect((await system.listed()).at(-1)).toMatch(/restart done \(shop\.service\)$/);
  });

  test('[SRC-05a] nothing of a unit that the journal does not know at all says so', async () => {
    const journalctl: StandIn = [
      { if: '--quiet.*unit=shop', out: 'Nov 28 05:10:00 h shop[7]: started\n' },
      { if: '--quiet', out: '' },
      { out: '-- No entries --\n' },
    ];
    for (const scope of ['system', 'user']) {
      const { call } = await opened('systemd', { systemctl, journalctl }, { scope });
      expect((await call('journal', { unit: 'shop' })).text).toMatch(/^Nothing found: [^\n]*$/);
      // a pattern may look like the option of a unit
      expect((await call('journal', { unit: 'shop', match: 'cpu-unit=3' })).text).toMatch(
        /^Nothing found: [^\n]*$/,
      );
      expect((await call('journal', { unit: 'shpo' })).text).toMatch(
        /^Nothing found: [^]*\nThe journal has no entry of shpo, of any time: is that its name\?$/,
      );
    }
  });

  test('[SRC-05a] no entries are nothing found, and no journal is not', async () => {
    const said = async (says: object) =>
      (await (await opened('systemd', { systemctl, journalctl: [says] })).call('journal')).text;
    expect(await said({ out: '-- No entries --\n' })).toMatch(/^Nothing found/);
    expect(await said({ out: '-- Logs begin at Mon 2026-11-01, end at X. --\n-- No entries --\n' })).toMatch(
      /^Nothing found/,
    );
    expect(await said({ out: '-- No entries --\n', err: 'No journal files were found.\n' })).toMatch(
      /^Not whole: No journal files were found\. It needs: The group systemd-journal/,
    );
  });
});
