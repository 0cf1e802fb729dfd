// Databases, brokers and nginx as real installations have them: a user with few rights, TLS with a CA of one's own, a pooler in
// front. Against real servers of Debian's packages.
import { execFile, spawn } from 'node:child_process';
import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listeningPort } from '@holdfast/base/listening-port';
import { freePort } from '@holdfast/processes/free-port';
import { expect, onTestFinished, test } from 'vitest';
import type { ToolReturn } from '../../../src/activities/tools/define-tool.ts';
import type { ToolsetSettings } from '@holdfast/sources/toolset.schema';
import type { Json } from '@holdfast/base/json';
import { selfSigned } from '../../support/certificate.ts';
import { rabbitmqMissing, startRabbitmq } from '../../support/rabbitmq-server.ts';
import { mariadbMissing, startMariadb } from '../../support/mariadb-server.ts';
import {
  missingPrograms,
  postgresFolder,
  programPath,
  startPostgres,
  startRedis,
} from '../../support/real-servers.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { plantedPassword as password, starterToolset } from '../../support/toolset-bench.ts';
import { until } from '../../support/until.ts';

const run = promisify(execFile);
const secret = 'secret://password';

async function opened(
  name: string,
  settings: Record<string, string>,
  path?: string,
  more: ToolsetSettings = {},
) {
  const { open, returnOf } = starterToolset(name, settings, path === undefined ? {} : { path });
  const toolset = await open({ changes: true, ...more });
  const outcome = (tool: string, args: Json = {}): Promise<ToolReturn> => returnOf(toolset, tool, args);
  const call = async (tool: string, args: Json = {}): Promise<string> => (await outcome(tool, args)).text;
  return { reason: toolset.status === 'failed' ? toolset.reason : undefined, call, outcome };
}

const titled = (missing: string | undefined): string => (missing ? ` (skipped: ${missing})` : '');
const noRedis = missingPrograms('redis-server', 'redis-cli');

test.skipIf(noRedis !== undefined)(
  `[SRC-52b] redis: a refusal on standard output is a failure, also of a change${titled(noRedis)}`,
  async () => {
    const { port } = await startRedis(password, undefined, ['--cluster-enabled', 'yes']);
    const admin = ['-p', `${port}`, '--no-auth-warning', '-a', password];
    const acl = ['limited', 'on', `>${password}`, '~*', '+ping', '+info', '+type'];
    await run('redis-cli', [...admin, 'ACL', 'SETUSER', ...acl]);
    const settings = { port: `${port}`, user: 'limited', password: secret };
    const { reason, outcome } = await opened('redis', settings);
    expect(reason).toBeUndefined();
    for (const [tool, args] of [
      ['redis_slowlog', {}],
      ['redis_clients', {}],
      ['redis_scan', {}],
      ['redis_config', { setting: 'maxmemory' }],
      ['redis_config_set', { setting: 'maxmemory', value: '0' }],
    ] as const)
      expect([tool, await outcome(tool, args)]).toEqual([
        tool,
        expect.objectContaining({
          isError: true,
          text: expect.stringMatching(/^No access: .*ACL SETUSER[^]*NOPERM/),
        }),
      ]);
    expect(await outcome('redis_key', { key: 'a' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Not reachable: .*CLUSTERDOWN/),
    });
  },
);

test.skipIf(noRedis !== undefined)(
  `[SRC-52d] redis: slow commands a line each, and a page of keys says whether there are more${titled(noRedis)}`,
  async () => {
    const { port } = await startRedis(password, undefined, ['--slowlog-log-slower-than', '0']);
    const admin = ['-p', `${port}`, '--no-auth-warning', '-a', password];
    const { call } = await opened('redis', { port: `${port}`, password: secret });
    await run('redis-cli', [
      ...admin,
      'EVAL',
      "for i = 1, 100 do redis.call('set', 'key ' .. i, i) end",
      '0',
    ]);
    await run('redis-cli', [...admin, 'GET', 'a b']);
    // the newest is the login of the tool itself
    expect(await call('redis_slowlog', { limit: 2 })).toMatch(
      /^2 of at least 2: the limit is reached.*\n.* AUTH .*\n\d{4}-\S+Z \d+ µs: GET a b from 127\.0\.0\.1:\d+$/,
    );
    expect(await call('redis_scan', { count: 10 })).toMatch(
      /^\d+ of at least \d+: the limit is reached.*\nkey \d+\n/,
    );
    expect(await call('redis_scan', { match: 'none*', count: 10 })).toMatch(
      /^Not whole: nothing came, and there is more/,
    );
    expect(await call('redis_scan', { match: 'none*', count: 10_000 })).toMatch(/^Nothing found/);
    expect((await call('redis_scan', { match: 'key 1', count: 10_000 })).trim()).toBe('key 1');
  },
);

test.skipIf(noRedis !== undefined)(
  `[SRC-56a] redis: by TLS, with a CA and a certificate of its own${titled(noRedis)}`,
  async () => {
    const [folder, tls] = [await temporaryFolder(), await freePort()];
    const { cert, key } = selfSigned(folder, 'localhost', 'rsa:2048');
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert];
    await startRedis(password, undefined, ['--tls-port', `${tls}`, ...files]);
    const settings = { port: `${tls}`, password: secret, ca: cert, cert, key };
    const { reason, call } = await opened('redis', settings);
    expect(reason).toBeUndefined();
    expect(await call('redis_info', { section: 'server' })).toContain(`tcp_port:`);
    const plain = await opened('redis', { port: `${tls}`, password: secret });
    expect(await plain.call('redis_info')).toMatch(/^Not reachable: /);
    const stranger = await opened('redis', { port: `${tls}`, password: secret, tls: 'true' });
    expect(await stranger.call('redis_info')).toMatch(/^Not reachable: [^]*certificate/);
  },
);

const noPostgres = postgresFolder() === undefined ? 'postgresql not installed' : missingPrograms('psql');

test.skipIf(noPostgres !== undefined)(
  `[SRC-54c] [SRC-55a] postgresql: sessions that the role may not see are said to be hidden${titled(noPostgres)}`,
  async () => {
    const { port, sql } = await startPostgres(password);
    await sql(`create role plain login password '${password}'`);
    const place = ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'postgres', '-d', 'postgres'];
    const env = { PATH: process.env['PATH'] ?? '', PGPASSWORD: password };
    const child = spawn('psql', ['-X', ...place, '-c', 'select pg_sleep(60)'], { env, stdio: 'ignore' });
    onTestFinished(() => void child.kill());
    const settings = { port: `${port}`, password: secret };
    const { call } = await opened('postgresql', settings);
    await until('it sleeps', async () => (await call('postgresql_activity')).includes('pg_sleep'));
    expect(await call('postgresql_activity')).not.toContain('Not whole');
    const plain = await opened('postgresql', { ...settings, user: 'plain' });
    for (const tool of ['postgresql_activity', 'postgresql_connections'])
      expect(await plain.outcome(tool)).toMatchObject({
        text: expect.stringMatching(/^Not whole: .*<insufficient privilege>.*pg_monitor[^]*\| postgres/),
        details: { answer: 'partial' },
      });
    await sql('alter system set track_counts = off');
    await sql('select pg_reload_conf()');
    await sql('create table shop (id int)');
    expect(
      await until('nothing is counted', async () => {
        const found = await call('postgresql_tables');
        return /public\.shop *\| 0 bytes \| +\| +\| /.test(found) && found;
      }),
    ).not.toMatch(/\| +0 \|/);
  },
);

/** As PgBouncer with its defaults: a startup message with `options` is refused. `dropping` takes it out. */
async function startPooler(port: number): Promise<number> {
  const server = createServer((client: Socket) => {
    client.once('data', (first: Buffer) => {
      if (first.includes('options\0')) {
        const said = 'SFATAL\0C08P01\0Munsupported startup parameter: options\0\0';
        const head = Buffer.from('E\0\0\0\0');
        head.writeInt32BE(said.length + 4, 1);
        return client.end(Buffer.concat([head, Buffer.from(said)]));
      }
      const back = connect(port, '127.0.0.1');
      back.on('error', () => client.destroy());
      client.on('error', () => back.destroy());
      back.write(first);
      client.pipe(back).pipe(client);
    });
    client.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return listeningPort(server);
}

test.skipIf(noPostgres !== undefined)(
  `[SRC-56b] postgresql: limits hold through a pooler that takes no options${titled(noPostgres)}`,
  async () => {
    const { port } = await startPostgres(password);
    // a request for TLS comes first, which a pooler answers itself
    const settings = { port: `${await startPooler(port)}`, password: secret, sslmode: 'disable' };
    const { reason, call } = await opened('postgresql', settings);
    expect(reason).toBeUndefined();
    const shown = (name: string) => call('postgresql_query', { query: `show ${name}` });
    expect(await shown('statement_timeout')).toContain(' 15s\n');
    expect(await shown('lock_timeout')).toContain(' 2s\n');
    expect(await shown('default_transaction_read_only')).toContain(' on\n');
    expect(await shown('transaction_read_only')).toContain(' on\n');
    const endless = await opened('postgresql', { ...settings, statement_timeout_ms: '0' });
    expect(endless.reason).toContain('limited false');
  },
);

test.skipIf(noPostgres !== undefined)(
  `[SRC-56c] postgresql: by TLS, with a CA of its own${titled(noPostgres)}`,
  async () => {
    const { port, sql, folder } = await startPostgres(password);
    const { cert, key } = selfSigned(folder, 'localhost', 'rsa:2048');
    const { uid, gid } = await stat(join(folder, 'data'));
    await chown(key, uid, gid);
    await sql(`alter system set ssl_cert_file = '${cert}'`);
    await sql(`alter system set ssl_key_file = '${key}'`);
    await sql('alter system set ssl = on');
    await sql('select pg_reload_conf()');
    const settings = { host: 'localhost', port: `${port}`, password: secret, sslmode: 'verify-full' };
    const query = { query: 'select ssl from pg_stat_ssl where pid = pg_backend_pid()' };
    await until('it speaks TLS', async () => {
      const { call } = await opened('postgresql', { ...settings, sslrootcert: cert });
      return / t\n/.test(await call('postgresql_query', query));
    });
    const stranger = await opened('postgresql', { ...settings, sslrootcert: '/nowhere' });
    expect(await stranger.call('postgresql_activity')).toMatch(/^Not reachable: [^]*root certificate/);
  },
);

const noMariadb = mariadbMissing;

test.skipIf(noMariadb !== undefined)(
  `[SRC-55b] mysql: without the right PROCESS the sessions of others are said to be hidden${titled(noMariadb)}`,
  async () => {
    const { port, session, sql } = await startMariadb(password);
    const settings = { port: `${port}`, password: secret };
    await session("select 'open';");
    await until('it is there', async () =>
      (await sql('select count(*) from information_schema.processlist')).startsWith('2'),
    );
    const replication = { what: 'replication' };
    const { call } = await opened('mysql', settings);
    expect(await call('mysql_show', replication)).toMatch(/^\*+ 1\. row \*+\nserver_id: 1\n/);
    await sql("grant replica monitor on *.* to stranger@'%'");
    const stranger = await opened('mysql', { ...settings, user: 'stranger' });
    expect(await stranger.outcome('mysql_show', replication)).toMatchObject({
      text: expect.stringMatching(/^Not whole: .*sessions of other users are hidden.*grant process/),
      details: { answer: 'partial' },
    });
    for (const tool of ['mysql_activity', 'mysql_locks'])
      expect(await stranger.call(tool)).toMatch(/^No access: .*grant process[^]*ERROR 1227/);
    // a right by a role is in no list
    await sql('create role watcher');
    await sql("grant process on *.* to watcher; grant watcher to stranger@'%'");
    await sql("set default role watcher for stranger@'%'");
    expect(await stranger.call('mysql_show', replication)).toMatch(/^\*+ 1\. row \*+\nserver_id: 1\n/);
  },
);

test.skipIf(noMariadb !== undefined)(
  `[SRC-57b] mysql: replication of every connection, by the words of the version${titled(noMariadb)}`,
  async () => {
    const { port, sql } = await startMariadb(password);
    await sql("change master 'east' to master_host = '10.0.0.9', master_user = 'x', master_password = 'y'");
    const { call } = await opened('mysql', { port: `${port}`, password: secret });
    expect(await call('mysql_show', { what: 'replication' })).toMatch(
      /Connection_name: east\n[^]*Master_Host: 10\.0\.0\.9\n[^]*Slave_IO_Running: No\n[^]*\nserver_id: 1\n/,
    );
  },
);

test.skipIf(noMariadb !== undefined)(
  `[SRC-54d] [SRC-56d] mysql: by TLS, with a CA of its own; without performance_schema no statements are known${titled(noMariadb)}`,
  async () => {
    const { cert, key } = selfSigned(await temporaryFolder(), 'localhost', 'rsa:2048');
    const words = [`--ssl-cert=${cert}`, `--ssl-key=${key}`, '--performance-schema=off'];
    const { port } = await startMariadb(password, words);
    const settings = { port: `${port}`, password: secret, ssl_ca: cert };
    const { call } = await opened('mysql', settings);
    const cipher = await call('mysql_query', { query: "show session status like 'Ssl_cipher'" });
    expect(cipher).toMatch(/Ssl_cipher\t\w+/);
    expect(await call('mysql_show', { what: 'statements' })).toMatch(
      /^Not whole: this server keeps no statements: performance_schema/,
    );
    const stranger = await opened('mysql', { ...settings, ssl_ca: '/nowhere' });
    expect(await stranger.call('mysql_activity')).toMatch(/^Not reachable: [^]*ERROR 2026/);
  },
);

const noRabbitmq = rabbitmqMissing;

test.skipIf(noRabbitmq !== undefined)(
  `[SRC-54a] [SRC-56g] rabbitmq: a broker without statistics, by TLS with a CA of its own${titled(noRabbitmq)}`,
  { timeout: 300_000 },
  async () => {
    const off = 'management_agent.disable_metrics_collector = true\nmanagement.disable_stats = true';
    const { cert, key } = selfSigned(await temporaryFolder(), 'localhost', 'rsa:2048');
    const port = await freePort();
    const files = `management.ssl.certfile = ${cert}\nmanagement.ssl.keyfile = ${key}`;
    const { api } = await startRabbitmq(password, `${off}\nmanagement.ssl.port = ${port}\n${files}`);
    await api('PUT', '/queues/%2F/orders', { durable: true });
    const authorization = `Basic ${btoa(`holdfast:${password}`)}`;
    const settings = { url: `https://localhost:${port}`, authorization };
    const { outcome } = await opened('rabbitmq', settings, undefined, { tls: { ca: cert } });
    const stranger = await opened('rabbitmq', settings);
    expect(await stranger.call('rabbitmq_nodes')).toMatch(/^Not reachable: .*certificate/);
    for (const [tool, args] of [
      ['rabbitmq_queues', {}],
      ['rabbitmq_queue', { queue: 'orders' }],
      ['rabbitmq_overview', {}],
      ['rabbitmq_nodes', {}],
    ] as const) {
      const { text, details } = await outcome(tool, args);
      expect([tool, details]).toMatchObject([tool, { answer: 'partial' }]);
      expect(text).toMatch(/^Not whole: .*statistics are off/);
      expect(text).toContain('unknown');
      expect(text).not.toMatch(/undefined|NaN|null/);
    }
  },
);

const noNginx = missingPrograms('nginx', 'setpriv') ?? (process.getuid?.() === 0 ? undefined : 'not root');

test.skipIf(noNginx !== undefined)(
  `[SRC-55e] nginx: what a user may not test is no fault of the configuration${titled(noNginx)}`,
  async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o755);
    await mkdir(join(folder, 'run'));
    const nobody = `exec setpriv --reuid=65534 --regid=65534 --clear-groups ${programPath('nginx')} "$@"`;
    await writeFile(join(folder, 'nginx'), `#!/bin/sh\n${nobody}\n`, { mode: 0o755 });
    const config = join(folder, 'nginx.conf');
    const write = (http: string): Promise<void> =>
      writeFile(config, `pid ${folder}/run/nginx.pid; error_log stderr; events {} http { ${http} }`);
    const path = `${folder}:${process.env['PATH']}`;
    const { call, outcome } = await opened('nginx', { config }, path);
    await write('access_log off;');
    expect(await outcome('nginx_test')).toMatchObject({
      text: expect.stringMatching(
        /^Not whole: .*the syntax is right.*nginx\.pid" failed \(13: Permission denied\)/,
      ),
      details: { answer: 'partial' },
    });
    expect(await call('nginx_config')).toMatch(/^No access: .*reads the files[^]*Permission denied/);
    await write('nonsense;');
    expect(await call('nginx_test')).toMatch(/^(?!Not whole)[^]*unknown directive "nonsense"/);
    await chmod(config, 0o600);
    expect(await call('nginx_test')).toMatch(/^Not whole: .*is not known: .*nginx\.conf" failed \(13/);
    await chmod(config, 0o644);
    await write(`access_log off; server { listen 127.0.0.1:80; }`);
    expect(await call('nginx_version')).toMatch(/^nginx version/);
  },
);
