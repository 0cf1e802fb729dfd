// Databases. SQL and scripts are not parsed, so clients ask; commands of redis-cli are listed.
import { each, splitWords, type Call, type CommandSpec, type Finding } from '../command-spec.ts';
import { toHosts } from '../programs/hosts.ts';

const redisReads = new Set(
  splitWords(`ping info dbsize lastsave time role ttl pttl type exists strlen llen scard zcard hlen xlen get mget getrange hget
    hmget hgetall hkeys hvals lrange lindex smembers sismember zrange zscore zcount zrangebyscore scan sscan hscan zscan
    keys randomkey xrange xrevrange pfcount bitcount getbit`),
);
const redisPairs = new Set(
  splitWords(`client:list client:info client:getname slowlog:get slowlog:len memory:usage memory:stats memory:doctor
    latency:latest latency:history latency:doctor cluster:info cluster:nodes cluster:slots object:encoding object:idletime
    object:freq object:refcount xinfo:stream xinfo:groups xinfo:consumers acl:whoami command:count module:list
    pubsub:channels pubsub:numsub`),
);

/** Settings without credentials. A pattern would also print requirepass and masterauth. */
const redisSettings = new Set(
  splitWords(`maxmemory maxmemory-policy maxmemory-samples maxmemory-clients maxclients timeout tcp-keepalive tcp-backlog
    databases save appendonly appendfsync no-appendfsync-on-rewrite auto-aof-rewrite-percentage
    auto-aof-rewrite-min-size dir dbfilename stop-writes-on-bgsave-error hz loglevel slowlog-log-slower-than
    slowlog-max-len latency-monitor-threshold client-output-buffer-limit repl-backlog-size repl-timeout
    replica-read-only replica-serve-stale-data min-replicas-to-write min-replicas-max-lag lazyfree-lazy-eviction
    activedefrag io-threads cluster-enabled cluster-node-timeout`),
);

// without a command redis-cli reads commands from its input
function judgeRedis({ flags, operands: [command, argument, ...more] }: Call): Finding {
  const to = flags.flatMap(({ name, value }) => (name === '-h' && value ? [value] : []));
  const found = toHosts(to, 'redis-cli');
  if (found.reason !== undefined) return found;
  if (flags.some(({ name }) => /^--(?:bigkeys|memkeys|hotkeys|stat|latency)$/.test(name))) return found;
  const verb = command?.value?.toLowerCase();
  const pair = `${verb}:${argument?.value?.toLowerCase()}`;
  if (verb !== undefined && (redisReads.has(verb) || redisPairs.has(pair))) return found;
  if (pair === 'config:get') {
    const isPlain =
      more.length > 0 && more.every(({ value }) => redisSettings.has(value?.toLowerCase() ?? ''));
    return isPlain ? found : { reason: 'redis-cli: config get may print passwords' };
  }
  return { reason: 'redis-cli: the command is not known to only read' };
}

export const databases: Record<string, CommandSpec> = {
  'redis-cli': {
    flags:
      '-h: -p: -n: -i: -r: -s: -2 -3 --raw --no-raw --csv --json --tls --cacert= --bigkeys --memkeys --hotkeys --stat --latency',
    optionsFirst: true,
    check: judgeRedis,
  },
  pg_isready: {
    flags: '-h: -p: -d: -U: -t: -q',
    // the name of a database may be a whole connection string
    check: ({ flags }) =>
      flags.some(({ name, value }) => name === '-d' && !/^[\w.-]+$/.test(value?.value ?? ''))
        ? { reason: 'pg_isready -d may name another host' }
        : hostOf(flags, 'pg_isready'),
  },
  pg_lsclusters: { flags: '-h -j -s' },
  mysqladmin: {
    flags: '-h: -P: -u: -s -v',
    check: ({ flags, operands }) =>
      operands.every(({ value }) =>
        /^(?:status|ping|processlist|variables|extended-status|version)$/.test(value ?? ''),
      )
        ? hostOf(flags, 'mysqladmin')
        : { reason: 'mysqladmin: the command is not known to only read' },
  },
  ...each('psql mysql mariadb mongosh mongo sqlite3 clickhouse-client cqlsh influx duckdb sqlcmd', {
    changes: 'runs statements that are not parsed',
    usage: true,
  }),
  ...each('pg_dump pg_dumpall pg_restore mysqldump mongodump pg_ctl pg_ctlcluster createdb dropdb', {
    changes: 'copies or changes a database',
    usage: true,
  }),
};

function hostOf(flags: Call['flags'], program: string): Finding {
  return toHosts(
    flags.flatMap(({ name, value }) => (name === '-h' && value ? [value] : [])),
    program,
  );
}
