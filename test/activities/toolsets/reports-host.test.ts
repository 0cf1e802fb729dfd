// Small inputs after public bug reports about programs of a host, a cluster and a code host (data/reports): each is made with
// a stand-in of the program or the server, and has to give its right value.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:tls';
import { listeningPort } from '@holdfast/base/listening-port';
import { expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../../support/certificate.ts';
import { missingPrograms, startSystemd } from '../../support/real-servers.ts';
import { madeReport, reportMissing } from '../../support/stand-in.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { starterToolset } from '../../support/toolset-bench.ts';
import { until } from '../../support/until.ts';

const rights: [file: string, what: string, right: object][] = [
  [
    's01-helm4-all.json',
    '[SRC-58a] Helm 4 has no --all',
    { text: '2026-11-29T04:10:00Z deployed web/shop revision 8 shop-1.2.3 app 4.2' },
  ],
  [
    's04-df-exit1.json',
    '[SRC-61c] df ends with 1 for one mount, and its answer counts',
    {
      isError: undefined,
      text: expect.stringMatching(
        /^Not whole: df: \/mnt\/reports: Transport endpoint[^\n]*\n[^]* 100% {1,2}\/$/,
      ),
      details: { answer: 'partial' },
    },
  ],
  [
    's05-events-oldest.json',
    '[SRC-59a] events of a cluster: the newest 200, and how many there are',
    {
      text: expect.stringMatching(
        /^200 of 261: [^\n]*\nNAMESPACE  LAST SEEN [^\n]*\nweb  5s  Warning  OOMKilling  node\/node-3\nweb  1m [^]*web  199m [^\n]*$/,
      ),
    },
  ],
  [
    's06-empty-cells.json',
    '[SRC-59b] an empty cell stays one',
    { text: expect.stringContaining('data-db-1  Pending  -  -  -  fast  12m') },
  ],
  ['s07-escaped-unit.json', '[SRC-60a] an escaped unit', { isError: undefined, text: 'state of the unit\n' }],
  [
    's08-podman.json',
    '[SRC-58b] Podman under the name of docker',
    { isError: undefined, text: 'CONTAINER ID' },
  ],
  [
    's09-journal-exit1.json',
    '[SRC-58d] a journal that does not know a form of times is asked in another',
    { isError: undefined, text: expect.not.stringContaining('Unknown output') },
  ],
  [
    's29-signs.json',
    '[SRC-58c] the words of a newer client',
    { text: expect.stringMatching(/^Not reachable: /), details: { answer: 'not_reachable' } },
  ],
  [
    's33-boot-since.json',
    '[SRC-62a] a boot has no default of a start beside it',
    { text: expect.stringContaining('Out of memory') },
  ],
  ['s55-user-scope.json', '[SRC-60b] units of a user', { text: expect.stringContaining('pool exhausted') }],
  [
    's56-rate-limit-403.json',
    '[SRC-63a] a limit of requests is no lack of rights',
    {
      isError: true,
      text: expect.stringMatching(/^Asked too often: [^\n]* Again in 60 s, at \d{4}-/),
      details: { answer: 'failed' },
    },
  ],
];

for (const [file, what, right] of rights) {
  const missing = reportMissing(file);
  const title = `${what}: ${file}${missing ? ` (${missing})` : ''}`;
  test.skipIf(missing !== undefined)(title, { timeout: 60_000 }, async () => {
    expect({ isError: undefined, ...(await madeReport(file)) }).toMatchObject(right);
  });
}

const noOpenssl = missingPrograms('openssl', 'dig', 'curl');
test.skipIf(noOpenssl !== undefined)(
  `network: a certificate for other names than the one asked for is no right one${noOpenssl ? ` (skipped: ${noOpenssl})` : ''}`,
  async () => {
    const folder = await temporaryFolder();
    const kind = [
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-addext',
      'subjectAltName=DNS:*.a.example',
    ];
    const files = selfSigned(folder, 'shop', ...kind);
    const [cert, key] = await Promise.all([readFile(files.cert), readFile(files.key)]);
    const server = createServer({ cert, key }, (socket) => void socket.on('error', () => socket.destroy()));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const port = listeningPort(server);
    const { open, returnOf } = starterToolset('network', {}, { environment: { SSL_CERT_FILE: files.cert } });
    const toolset = await open();
    const seen = (name: Record<string, string>) =>
      returnOf(toolset, 'tls_certificate', { host: '127.0.0.1', port, ...name });
    const right = await seen({ server_name: 'shop.a.example' });
    expect(right.isError).toBeUndefined();
    expect((await seen({ server_name: 'shop.a.example.' })).text).toContain('Verification: OK');
    expect(right.text).toMatch(/DNS:\*\.a\.example[^]*NotAfter: [^]*Verification: OK/);
    // tickets and keys of the session are no answer
    expect(right.text).not.toMatch(/PSK: [0-9A-F]|Master-Key/);
    for (const [name, what] of [
      [{ server_name: 'shop.b.example' }, 'hostname'],
      [{}, 'IP address'],
    ] as const)
      expect((await seen(name)).text).toContain(`Verification error: ${what} mismatch`);
  },
);

const noSystemd =
  missingPrograms('systemctl', 'journalctl', 'unshare') ??
  (process.getuid?.() === 0 ? undefined : 'not root');
test.skipIf(noSystemd !== undefined)(
  `systemd: a unit that is restarted again and again has failed, and is not a running one${noSystemd ? ` (skipped: ${noSystemd})` : ''}`,
  { timeout: 60_000 },
  async () => {
    const app =
      '[Unit]\nStartLimitIntervalSec=0\n[Service]\nExecStart=/bin/false\nRestart=always\nRestartSec=1\n';
    const { runtimeFolder, systemctl } = await startSystemd({ 'app.service': app });
    await systemctl('start', 'app.service');
    const restarts = () => systemctl('show', '--property=NRestarts', 'app.service');
    await until('systemd restarts it', async () => !(await restarts()).includes('=0'));
    const environment = { XDG_RUNTIME_DIR: runtimeFolder };
    const { open, callerOf } = starterToolset('systemd', { scope: 'user' }, { environment });
    const call = callerOf(await open());
    expect(await call('systemd_units', {})).toMatch(/^app\.service +loaded +activating +auto-restart/m);
    expect(await call('systemd_unit', { unit: 'app.service' })).toMatch(/\nNRestarts=[1-9]/);
    expect(await call('systemd_unit', { unit: 'gone.service' })).not.toContain('NRestarts');
  },
);
