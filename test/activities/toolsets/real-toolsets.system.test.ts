// The starter toolsets against real servers of Debian's packages.
import { join, resolve } from 'node:path';
import { execFile, spawn } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { ToolsetSettings } from '@holdfast/sources/toolset.schema';
import type { OpenedToolset } from '../../../src/activities/toolsets/toolsets.ts';
import {
  missingPrograms,
  postgresFolder,
  startNginx,
  startPostgres,
  startPrometheus,
  startRedis,
} from '../../support/real-servers.ts';
import type { Json } from '@holdfast/base/json';
import { startHttpServer } from '../../support/http-server.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { plantedPassword as password, starterToolset } from '../../support/toolset-bench.ts';
import { until } from '../../support/until.ts';

const folder = resolve(import.meta.dirname, '../../../catalog/toolsets');
const run = promisify(execFile);

async function opened(
  name: string,
  settings: Record<string, string>,
  more: ToolsetSettings = {},
  openHosts: string[] = [],
) {
  const { open, callerOf } = starterToolset(name, settings, { openHosts });
  const toolset = await open(more);
  return { toolset, call: callerOf(toolset) };
}

function reasonOf(toolset: OpenedToolset): string | undefined {
  return toolset.status === 'failed' ? toolset.reason : undefined;
}

const noRedis = missingPrograms('redis-server', 'redis-cli');
test.skipIf(noRedis !== undefined)(`redis${noRedis ? ` (skipped: ${noRedis})` : ''}`, async () => {
  const { port } = await startRedis(password);
  const { toolset, call } = await opened('redis', { port: `${port}`, password: 'secret://password' });
  expect(reasonOf(toolset)).toBeUndefined();
  expect(await call('redis_info', { section: 'memory' })).toMatch(/used_memory:\d+/);
  expect(await call('redis_config', { setting: 'maxmemory-policy' })).toContain('noeviction');
  expect(await call('redis_clients', {})).toContain('addr=127.0.0.1');
  expect(await call('redis_key', { key: 'none', show: 'type' })).toContain('none');
  expect(await call('redis_slowlog', {})).not.toContain('NOAUTH');
  // options, commands and passwords do not get through the parameters
  await expect(call('redis_key', { key: '--eval' })).rejects.toThrow('does not begin with "-"');
  for (const setting of ['requirepass', '*', 'require*', 'masterau?h', 'REQUIREPASS'])
    await expect(call('redis_config', { setting })).rejects.toThrow('expected one of');
  const { toolset: refused } = await opened('redis', { port: `${port}` });
  expect(reasonOf(refused)).toContain('NOAUTH');
});

test.skipIf(noRedis !== undefined)(
  `[SRC-04ab] a redis that is down when the worker starts is not reachable, and answers when it is back${noRedis ? ` (skipped: ${noRedis})` : ''}`,
  async () => {
    const { port, stop } = await startRedis(password);
    await stop();
    const { toolset, call } = await opened('redis', { port: `${port}`, password: 'secret://password' });
    expect(toolset.instances?.[0]?.absent[0]?.reason).toContain('Connection refused');
    expect(await call('redis_clients', {})).toMatch(/^Not reachable: .*Connection refused/s);
    await startRedis(password, port);
    expect(await call('redis_clients', {})).toContain('addr=127.0.0.1');
  },
);

const noPostgres = postgresFolder() === undefined ? 'postgresql not installed' : missingPrograms('psql');
test.skipIf(noPostgres !== undefined)(
  `[TOOL-22b] postgresql${noPostgres ? ` (skipped: ${noPostgres})` : ''}`,
  async () => {
    const { port, sql } = await startPostgres(password);
    await sql('create table shop (id int); insert into shop values (7); grant select on shop to holdfast');
    const settings = { port: `${port}`, password: 'secret://password' };
    const { toolset, call } = await opened('postgresql', settings);
    expect(reasonOf(toolset)).toBeUndefined();
    expect(await call('postgresql_query', { query: 'select id + 1 as next from shop' })).toContain('8');
    expect(await call('postgresql_connections', {})).toContain('max_connections');
    expect(await call('postgresql_activity', {})).toContain('blocked_by');
    expect(await call('postgresql_tables', {})).toContain('public.shop');
    expect(await call('postgresql_locks', {})).toContain('(0 rows)');
    expect(await call('postgresql_replication', {})).toContain('slot_name');
    for (const query of [
      'delete from shop',
      'select 1; drop table shop',
      '\\! id',
      "copy shop to program 'id'",
      "select pg_logical_emit_message(false, 'a', 'b')",
      'SELECT PG_TERMINATE_BACKEND(1)',
      "select current_setting('primary_conninfo')",
      "select set_config('transaction_read_only', 'off', true), 1 from shop",
      "select nextval('nothing')",
      "select pg_read_file('/etc/passwd')",
      // the name of a function in escapes, and put together in a text that is run
      `select U&"pg!005fterminate_backend" uescape '!' (1)`,
      "select query_to_xml('select pg_term' || 'inate_backend(1)', true, true, '')",
      "select * from ts_stat('select pg_' || 'cancel_backend(1)::text::tsvector')",
    ]) {
      await expect(call('postgresql_query', { query })).rejects.toThrow(
        /this tool reads|expected one statement/,
      );
    }
    expect(await call('postgresql_query', { query: 'select 1 as tests_status' })).toContain('tests_status');
    const ended = call('postgresql_query', { query: 'select pg_terminate_backend(1)' });
    await expect(ended).rejects.toThrow('pg_terminate_backend changes the server; this tool reads');
    for (const query of [
      'with gone as (delete from shop returning id) select * from gone',
      'explain analyze delete from shop',
      'select pg_reload_conf()',
    ]) {
      expect(await call('postgresql_query', { query })).toMatch(/ERROR|read-only/);
    }
    expect(await sql('select count(*) from shop')).toBe('1');
    // a superuser could do more than read in a read-only transaction
    const { toolset: superuser } = await opened('postgresql', { ...settings, user: 'postgres' });
    expect(reasonOf(superuser)).toMatch(/superuser on.*create role holdfast/);
  },
);

test.skipIf(noPostgres !== undefined)(
  `postgresql_replication: a standby says what it receives${noPostgres ? ` (skipped: ${noPostgres})` : ''}`,
  async () => {
    const { port, sql, becomeStandby } = await startPostgres(password);
    const { call } = await opened('postgresql', { port: `${port}`, password: 'secret://password' });
    const standby = / this_standby_receives \| all_replayed \| [^]*\n nothing +\|/;
    expect(await call('postgresql_replication', {})).not.toMatch(standby);
    await sql('checkpoint');
    await becomeStandby();
    expect(await call('postgresql_replication', {})).toMatch(standby);
  },
);

test.skipIf(noPostgres !== undefined)(
  `[SRC-50b] postgresql_locks says who holds a lock, and what they ran last${noPostgres ? ` (skipped: ${noPostgres})` : ''}`,
  async () => {
    const { port, sql } = await startPostgres(password);
    await sql('create table shop (id int); insert into shop values (7)');
    const session = (application: string, text: string): void => {
      const place = ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'postgres', '-d', 'postgres'];
      const env = { PATH: process.env['PATH'] ?? '', PGPASSWORD: password, PGAPPNAME: application };
      const child = spawn('psql', ['-X', ...place], { env, stdio: ['pipe', 'ignore', 'ignore'] });
      onTestFinished(() => void child.kill());
      child.stdin.write(text);
    };
    session('nightly-job', 'begin; update shop set id = 8; select 4711 as last;\n');
    const { call } = await opened('postgresql', { port: `${port}`, password: 'secret://password' });
    await until('it holds the lock', async () =>
      (await sql("select query from pg_stat_activity where application_name = 'nightly-job'")).includes(
        '4711',
      ),
    );
    session('checkout', 'update shop set id = 9;\n');
    const locks = await until('a session waits', async () => {
      const found = await call('postgresql_locks', {});
      return found.includes('(1 row)') && found;
    });
    expect(locks).toMatch(/holder_user *\| *holder_application *\|[^]*holder_last_query/);
    expect(locks).toMatch(
      /update shop set id = 9;.*postgres.*nightly-job.*idle in transaction.*select 4711 as last;/,
    );
  },
);

const noNginx = missingPrograms('nginx');
test.skipIf(noNginx !== undefined)(`nginx${noNginx ? ` (skipped: ${noNginx})` : ''}`, async () => {
  const { port, config } = await startNginx();
  const { toolset, call } = await opened('nginx', {
    config,
    status_url: `http://127.0.0.1:${port}/nginx_status`,
  });
  expect(reasonOf(toolset)).toBeUndefined();
  expect(await call('nginx_status', {})).toContain('Active connections: 1');
  expect(await call('nginx_version', {})).toContain('nginx version');
  expect(await call('nginx_config', {})).toContain('stub_status');
  await writeFile(config, 'events {} http { nonsense; }');
  // a configuration that is wrong is what was asked for, and can be quoted: no failed call
  expect(await call('nginx_test', {})).toMatch(/^(?!\[exit code).*unknown directive "nonsense"/);
});

const noPrometheus = missingPrograms('prometheus');
test.skipIf(noPrometheus !== undefined)(
  `prometheus${noPrometheus ? ` (skipped: ${noPrometheus})` : ''}`,
  async () => {
    const { port } = await startPrometheus();
    const url = `http://127.0.0.1:${port}`;
    await until('Prometheus is ready', () =>
      fetch(`${url}/-/ready`).then(
        (reply) => reply.ok,
        () => false,
      ),
    );
    const { toolset, call } = await opened('prometheus', { url });
    expect(reasonOf(toolset)).toBeUndefined();
    const up = await until('a scrape', async () => {
      const found = await call('prometheus_query', { query: 'up{job="self"}' });
      return found.includes('} 1 @ ') && found;
    });
    expect(up).toMatch(/^up\{.*job="self"\} 1 @ \d{4}-/);
    const alert = await until('the alert', async () => {
      const found = await call('prometheus_alerts', {});
      return found.includes('firing') && found;
    });
    expect(alert).toMatch(/^firing AlwaysOn.* since .*: it is on$/);
    const range = await until('a range', async () => {
      const end = Math.ceil(Date.now() / 1_000);
      const times = { start: `${end - 60}`, end: `${end}`, step: '1s' };
      const found = await call('prometheus_range', { query: 'scrape_samples_scraped{job="self"}', ...times });
      return found.includes('min ') && found;
    });
    expect(range).toMatch(/min \d+ @ .*, max \d+ @ .*, mean [\d.]+, last \d+/);
    expect(range).toMatch(/[▁▂▃▄▅▆▇█]/);
    expect(range.split('\n')).toHaveLength(3);
    const targets = await until('the dead target is known to be down', async () => {
      const found = await call('prometheus_targets', {});
      return found.includes('down ') && found;
    });
    expect(targets).toMatch(/down .*127\.0\.0\.1:1\/metrics.* error: /);
    expect(await call('prometheus_series', { match: 'up' })).toContain('up{');
    expect(await call('prometheus_label_values', {})).toContain('scrape_samples_scraped');
    // the server's own words over a wrong query, and the negation of a query is no option
    expect(await call('prometheus_query', { query: 'sum(' })).toContain('parse error');
    expect(await call('prometheus_query', { query: '-vector(1)' })).toContain('-1');
    const gone = await opened('prometheus', { url: 'http://127.0.0.1:1' });
    expect(await gone.call('prometheus_query', { query: 'up' })).toMatch(/^Not reachable: /);
  },
);

const noHost = missingPrograms('ps', 'df', 'ss', 'vmstat');
test.skipIf(noHost !== undefined)(`host${noHost ? ` (skipped: ${noHost})` : ''}`, async () => {
  const { toolset, call } = await opened('host', {});
  expect(reasonOf(toolset)).toBeUndefined();
  const processes = await call('host_processes', { limit: 3 });
  expect(processes.split('\n')).toHaveLength(4);
  expect(processes).toMatch(/more lines/);
  expect(await call('host_disk', { show: 'inodes' })).toMatch(/IUse%/);
  expect(await call('host_memory', {})).toContain('MemAvailable');
  expect(await call('host_folder_sizes', { path: folder })).toContain(folder);
  expect(await call('host_sockets', { show: 'listening' })).toContain('Local Address');
});

const noGit = missingPrograms('git');
test.skipIf(noGit !== undefined)(`git${noGit ? ` (skipped: ${noGit})` : ''}`, async () => {
  const { toolset, call } = await opened('git', { repository: resolve(folder, '..') });
  expect(reasonOf(toolset)).toBeUndefined();
  expect(await call('git_log', { limit: 1 })).toMatch(/^1 of at least 1: .*\ncommit [0-9a-f]{40}/);
  await expect(call('git_show', { revision: '--output=/tmp/x' })).rejects.toThrow(
    /expected a branch|begin with/i,
  );
  await expect(call('git_log', { revision: '-p' })).rejects.toThrow(/expected a branch|begin with/i);
});

test.skipIf(noGit !== undefined)(
  `[SRC-51ab] git_diff shows edits that are not committed, and starts no program for them${noGit ? ` (skipped: ${noGit})` : ''}`,
  async () => {
    const repository = await temporaryFolder();
    const git = (...words: string[]) => run('git', ['-C', repository, ...words]);
    await git('init', '-q');
    await writeFile(join(repository, '.gitattributes'), '*.conf filter=own filter\n*.yaml filter=long\n');
    for (const file of ['a.conf', 'b.yaml']) await writeFile(join(repository, file), 'pool: 20\n');
    await git('add', '.');
    await git('-c', 'user.name=a', '-c', 'user.email=a@b.example', 'commit', '-qm', 'first');
    await git('config', 'filter.own.clean', `touch ${repository}/clean; cat`);
    await git('config', 'filter.own.required', 'true');
    await git('config', 'filter.long.process', `touch ${repository}/process; cat`);
    await git('config', 'core.fsmonitor', `touch ${repository}/monitor`);
    for (const file of ['a.conf', 'b.yaml']) await writeFile(join(repository, file), 'pool: 2\n');
    const { call } = await opened('git', { repository });
    expect(await call('git_diff', {})).toMatch(/^diff .*a\.conf[^]*-pool: 20\n\+pool: 2\n[^]*b\.yaml/);
    expect(await call('git_diff', { path: 'b.yaml' })).not.toContain('a.conf');
    expect(await call('git_diff', { from: 'HEAD', to: 'HEAD' })).toMatch(/^Nothing found/);
    expect((await readdir(repository)).toSorted()).toEqual(['.git', '.gitattributes', 'a.conf', 'b.yaml']);
  },
);

test.skipIf(noGit !== undefined)(
  `git: no filter of the repository runs${noGit ? ` (skipped: ${noGit})` : ''}`,
  async () => {
    const repository = await temporaryFolder();
    const git = (...words: string[]) => run('git', ['-C', repository, ...words]);
    await git('init', '-q');
    await git('config', 'diff.shown.textconv', `touch ${repository}/ran; cat`);
    await writeFile(join(repository, '.gitattributes'), '*.txt diff=shown\n');
    await writeFile(join(repository, 'a.txt'), 'one\n');
    await git('add', '.');
    await git('-c', 'user.name=a', '-c', 'user.email=a@b.example', 'commit', '-qm', 'first');
    const { call } = await opened('git', { repository });
    expect(await call('git_blame', { path: 'a.txt', to: 1 })).toContain('one');
    expect(await call('git_show', { revision: 'HEAD' })).toContain('+one');
    expect(await readdir(repository)).not.toContain('ran');
  },
);

const noNetwork = missingPrograms('dig', 'curl', 'openssl');
test.skipIf(noNetwork !== undefined)(
  `[SRC-60a] a certificate needs no ending, and a key is not shown${noNetwork ? ` (skipped: ${noNetwork})` : ''}`,
  async () => {
    const folder = await temporaryFolder();
    const files = ['-keyout', join(folder, 'key'), '-out', join(folder, 'localhost')];
    await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=shop', ...files]);
    const { call } = await opened('network', {});
    expect(await call('certificate_file', { path: join(folder, 'localhost') })).toMatch(
      /subject=CN ?= ?shop/,
    );
    expect(await call('certificate_file', { path: join(folder, 'key') })).not.toContain('PRIVATE KEY');
  },
);

test.skipIf(noNetwork !== undefined)(
  `network${noNetwork ? ` (skipped: ${noNetwork})` : ''}: the host that is judged is the one that is reached`,
  async () => {
    const server = await startHttpServer((_, response) => response.end('ok'));
    const { toolset, call } = await opened('network', {}, {}, ['allowed.test', '127.0.0.1']);
    expect(await call('http_timing', { url: `${server.url}/x?y=[1]` })).toContain('status 200');
    const port = new URL(server.url).port;
    for (const url of [
      `http://allowed.test\\@127.0.0.1:${port}/`,
      `http://allowed.test@127.0.0.1:${port}/`,
      `http://127.0.0.1:${port}/a b`,
      `http://127.0.0.1:${port}/a\tb`,
      'http://allowed.test#@127.0.0.1/',
    ])
      await expect(call('http_timing', { url })).rejects.toThrow('expected http or https');
    const facts = (name: string, args: Json) =>
      toolset.made.find(({ spec }) => spec.name === name)?.inspect?.(args);
    const dns = { name: 'allowed.test', type: 'A' };
    expect(await facts('dns_lookup', dns)).toMatchObject({
      actions: [{ effect: 'read', hosts: ['allowed.test'] }],
    });
    expect(await facts('dns_lookup', { ...dns, server: 'evil.test' })).toMatchObject({
      actions: [{ effect: 'idempotent', hosts: ['allowed.test', 'evil.test'] }],
    });
    expect(await facts('tls_certificate', { host: 'evil.test', port: 443 })).toMatchObject({
      actions: [{ effect: 'idempotent', hosts: ['evil.test'] }],
    });
  },
);
