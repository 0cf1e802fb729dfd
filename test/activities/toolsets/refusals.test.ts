// Queries of a model that would show passwords, and limits of time that the server itself keeps.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { inputOf } from '@holdfast/sources/parameters';
import { toolsetSchema } from '@holdfast/sources/toolset.schema';
import type { Json } from '@holdfast/base/json';
import { startHttpServer } from '../../support/http-server.ts';
import { starterToolset } from '../../support/toolset-bench.ts';

function takes(toolset: string, tool: string): (query: string) => boolean {
  const file = resolve(import.meta.dirname, `../../../catalog/toolsets/${toolset}.yaml`);
  const { tools } = toolsetSchema.parse(parse(readFileSync(file, 'utf8')));
  const input = inputOf(tools.find(({ name }) => name === tool)?.parameters ?? {});
  return (query) => input.safeParse({ query }).success;
}

const secrets: Record<string, string[]> = {
  postgresql: [
    'select * from pg_authid',
    'select rolpassword from pg_catalog.pg_authid',
    'select * from "pg_authid"',
    'SELECT * FROM PG_SHADOW',
    'select\n*\nfrom\npg_shadow',
    'table pg_shadow',
    'with a as (select * from pg_authid) select * from a',
    'select * from pg_user_mapping',
    'select umoptions from pg_user_mappings',
    'select * from information_schema.user_mapping_options',
    'select * from information_schema.foreign_server_options',
    'select srvoptions from pg_foreign_server',
    'select subconninfo from pg_subscription',
    'select * from pg_subscription',
    'select * from pg_hba_file_rules',
    'select * from pg_ident_file_mappings',
    'select * from pg_file_settings',
    'select * from pg_db_role_setting',
    'select * from pg_largeobject',
    'select lo_get(1)',
    'select * from pg_statistic',
    `select histogram_bounds from pg_stats where attname like 'rol%'`,
    `select table_to_xml('pg_auth' || 'id', true, true, '')`,
    'select table_to_xml(1260, true, true, $$$$)',
    `select schema_to_xml('pg_catalog', true, true, '')`,
    'select database_to_xml(true, true, $$$$)',
    `select pg_read_file('/etc/passwd')`,
    `select lo_export(1, '/tmp/x')`,
    `select * from dblink('host=x', 'select 1') as t(a int)`,
    'show all',
    'show "all"',
    'select * from pg_settings',
    'select * from pg_show_all_settings()',
    'show ssl_passphrase_command',
    'show archive_command',
    'show app.jwt_secret',
    `select current_setting('primary_conninfo')`,
    `select current_setting('primary_con' || 'ninfo')`,
    `select current_setting ( lower('PRIMARY_CONNINFO') )`,
    `select current_setting('app.api_key')`,
  ],
  mysql: [
    'select * from mysql.user',
    'select * from `mysql`.`user`',
    'select * from "mysql"."user"',
    'select*from(mysql.user)',
    'table mysql.user',
    'select\nauthentication_string\nfrom\nmysql . user',
    'select * from mysql.global_priv',
    'select * from mysql.slave_master_info',
    'select * from mysql.proxies_priv',
    'select * from performance_schema.user_variables_by_thread',
    'select * from performance_schema.variables_by_thread',
    'select * from information_schema.user_variables',
    'select * from information_schema.user_attributes',
    `select load_file('/etc/passwd')`,
    `select 1 into outfile '/tmp/x'`,
    'show create user root',
    'show grants',
  ],
};

const plain: Record<string, string[]> = {
  postgresql: [
    'select count(*) from orders',
    'select * from pg_stat_activity',
    'select * from pg_stat_statements order by total_exec_time desc limit 5',
    'select * from pg_stat_user_tables',
    'select * from pg_locks',
    'select relname from pg_class',
    `select current_setting('work_mem')`,
    `select current_setting('max_connections', true)`,
    'show work_mem',
    'show max_wal_size',
    'explain select 1',
    'select password_changed_at from users',
  ],
  mysql: [
    'select count(*) from shop.orders',
    'show processlist',
    `show variables like 'max_connections'`,
    'select * from information_schema.processlist',
    'select * from performance_schema.events_statements_summary_by_digest limit 5',
    'select user_id from shop.mysql_jobs',
    'show engine innodb status',
  ],
};

describe('postgresql', () => {
  const isTaken = takes('postgresql', 'postgresql_query');
  test.each(secrets['postgresql'] ?? [])('[FAULT-113a] takes no query that shows passwords: %s', (query) => {
    expect(isTaken(query)).toBe(false);
  });
  test.each(plain['postgresql'] ?? [])('[FAULT-113a] takes what an incident needs: %s', (query) => {
    expect(isTaken(query)).toBe(true);
  });
});

describe('mysql', () => {
  const isTaken = takes('mysql', 'mysql_query');
  test.each(secrets['mysql'] ?? [])('[FAULT-113b] takes no query that shows passwords: %s', (query) => {
    expect(isTaken(query)).toBe(false);
  });
  test.each(plain['mysql'] ?? [])('[FAULT-113b] takes what an incident needs: %s', (query) => {
    expect(isTaken(query)).toBe(true);
  });
});

const timed: [toolset: string, tool: string, args: Json, limit: RegExp][] = [
  ['prometheus', 'prometheus_query', { query: 'up' }, /[?&]timeout=25s/],
  ['prometheus', 'prometheus_range', { query: 'up' }, /[?&]timeout=25s/],
  ['grafana', 'grafana_metrics', { source: 'p', query: 'up' }, /[?&]timeout=25s/],
  ['grafana', 'grafana_logs', { source: 'l', query: '{a="b"}' }, /"maxQueryTime":"25s"/],
  ['loki', 'loki_logs', { query: '{a="b"}' }, /"maxQueryTime":"25s"/],
  ['loki', 'loki_volume', {}, /"maxQueryTime":"25s"/],
  ['elasticsearch', 'elasticsearch_search', { index: 'logs-*' }, /"timeout":"25s"/],
  ['elasticsearch', 'elasticsearch_counts', { index: 'logs-*', field: 'level' }, /"timeout":"25s"/],
  ['victorialogs', 'victorialogs_query', { query: '*' }, /[?&]timeout=25s/],
  ['splunk', 'splunk_search', { query: 'search error' }, /max_time=55/],
];

test.each(timed)(
  '[FAULT-114] %s: the server ends a heavy query itself: %s',
  async (name, tool, args, limit) => {
    const asked: string[] = [];
    const server = await startHttpServer((request, response) => {
      const limits = request.headers['x-loki-query-limits'];
      void text(request).then((body) => {
        asked.push(`${request.url} ${typeof limits === 'string' ? limits : ''} ${body}`);
        response.end('{}');
      });
    });
    const settings = {
      url: server.url,
      ...(name === 'prometheus' || name === 'loki' ? {} : { authorization: 'x' }),
    };
    const { open, returnOf } = starterToolset(name, settings);
    const toolset = await open();
    asked.length = 0;
    await returnOf(toolset, tool, args);
    expect(asked).toEqual([expect.stringMatching(limit)]);
  },
);
