// Readers of MongoDB's answers as relaxed extended JSON: https://www.mongodb.com/docs/manual/reference/command/. Pure.
import { cutText } from '@holdfast/base/cut-text';
import { z } from 'zod';
import { list, number, readJson, record, shortText, text, valueAt } from '@holdfast/sources/json-reader';
import { answer, type Maybe, words } from '@holdfast/sources/source-answer';
import { parts } from './parts.ts';

function json(value: unknown, length: number): string {
  return cutText(JSON.stringify(value) ?? '', length);
}

const operation = z.looseObject({
  opid: z.union([z.string(), z.number()]),
  op: text,
  ns: text,
  secs_running: number,
  client: text,
  desc: text,
  appName: text,
  planSummary: text,
  msg: text,
  numYields: number,
  waitingForLock: z.boolean().nullish(),
});

/** The longest first. */
export const operations = readJson(
  z.object({ operations: z.object({ inprog: list(operation) }) }),
  ({ operations: { inprog } }) => {
    const sorted = inprog.toSorted(({ secs_running: one = 0 }, { secs_running: other = 0 }) => other - one);
    return answer(
      sorted.map(
        ({
          secs_running: seconds,
          op,
          ns,
          opid,
          waitingForLock,
          numYields = 0,
          planSummary,
          msg,
          client,
          desc,
          appName,
          command,
        }) =>
          parts(
            words(seconds === undefined ? 'for an unknown time' : `${seconds} s`, op, ns, `opid ${opid}`),
            waitingForLock === true && 'waits for a lock',
            numYields > 0 && `${numYields} yields`,
            planSummary,
            msg,
            `client ${words(client ?? desc ?? 'unknown', appName && `(${appName})`)}: ${json(command, 300)}`,
          ),
      ),
    );
  },
);

const member = z.looseObject({ name: z.string(), stateStr: text, health: number, uptime: number });
const status = z.object({ server: record, replicas: z.looseObject({ members: list(member).optional() }) });
const refusal = /not authorized|unauthorized|requires authentication|not_allowed/i;

/** A command that failed is `{ error }`: no replica set, a right that is missing. */
export const serverStatus = readJson(status, ({ server, replicas }) => {
  const { members = [] } = replicas;
  const [lost, failed] = [shortText(replicas['error']), shortText(server['error'])];
  const times = members.flatMap((each) => (each.stateStr === 'PRIMARY' ? (timeIn(each) ?? []) : []));
  const primary = times.length === 0 ? undefined : Math.max(...times);
  return answer(
    [
      lost !== undefined && !refusal.test(lost) && `no replica set: ${lost}`,
      replicas['set'] !== undefined && primary === undefined && 'The replica set has no primary',
      ...members.map((each) => memberLine(each, primary)),
      ...serverLines(server),
    ],
    {
      gaps: [
        lost !== undefined && refusal.test(lost) && `the replica set is not known: ${lost}`,
        failed !== undefined && `serverStatus: ${failed}`,
      ],
    },
  );
});

function timeIn(item: Record<string, unknown>): number | undefined {
  const at = Date.parse(String(valueAt(item, 'optimeDate.$date')));
  return Number.isNaN(at) ? undefined : at;
}

function memberLine(each: z.output<typeof member>, primary: number | undefined): string {
  const at = timeIn(each);
  const source = shortText(valueAt(each, 'syncSourceHost', 'syncingTo'));
  const lost = shortText(each['lastHeartbeatMessage']);
  return parts(
    words(each.name, each.stateStr, each.health === 0 && words('NOT REACHABLE:', lost ?? 'no word from it')),
    primary !== undefined &&
      at !== undefined &&
      each.stateStr !== 'PRIMARY' &&
      `lag ${Math.round((primary - at) / 1_000)} s`,
    source && `syncs from ${source}`,
    each.uptime !== undefined && `up ${Math.round(each.uptime)} s`,
  );
}

function serverLines(server: Record<string, unknown>): Maybe<string>[] {
  const at = (path: string): string => shortText(valueAt(server, path)) ?? 'unknown';
  const has = (path: string): boolean => valueAt(server, path) !== undefined;
  const uptime = valueAt(server, 'uptime');
  return [
    has('host') &&
      `${at('host')} ${at('process')} ${at('version')}, up ${typeof uptime === 'number' ? Math.round(uptime) : 'unknown'} s`,
    has('connections') &&
      `connections ${at('connections.current')}, active ${at('connections.active')}, available ${at('connections.available')}`,
    has('globalLock.currentQueue') &&
      `queued: ${at('globalLock.currentQueue.readers')} readers, ${at('globalLock.currentQueue.writers')} writers; active: ` +
        `${at('globalLock.activeClients.readers')} readers, ${at('globalLock.activeClients.writers')} writers`,
    has('opcounters') && `operations since its start: ${at('opcounters')}`,
    has('wiredTiger.cache') &&
      `cache: ${at('wiredTiger.cache.bytes currently in the cache')} bytes of ${at('wiredTiger.cache.maximum bytes configured')}` +
        `, dirty ${at('wiredTiger.cache.tracked dirty bytes in the cache')}`,
    has('mem') && `memory: resident ${at('mem.resident')} MiB, virtual ${at('mem.virtual')} MiB`,
    has('asserts') && `asserts: ${at('asserts')}`,
  ];
}

const database = z.object({ name: z.string(), sizeOnDisk: number });
const databases = z.object({ all: record, own: z.object({ databases: list(database) }) });
const index = z.looseObject({ name: text, key: z.unknown(), unique: z.boolean().nullish() });
const collection = z.object({
  name: z.string(),
  type: text,
  stats: record.optional(),
  indexes: list(index).optional(),
  error: text,
});
const collections = z.object({ collections: list(collection), left: number });

/** Databases, or the collections of one, the largest on disk first. */
export const sizes = readJson(z.union([databases, collections]), (found) => {
  if ('own' in found) {
    const why = shortText(found.all['error']);
    return answer(
      bySize(found.own.databases, ({ sizeOnDisk }) => sizeOnDisk).map(
        ({ name, sizeOnDisk }) => `${name} ${sizeOnDisk ?? 'unknown'} bytes`,
      ),
      { gaps: [why && refusal.test(why) && `only databases that the user may read are shown: ${why}`] },
    );
  }
  const failed = found.collections.flatMap(({ error }) => error ?? []);
  const sorted = bySize(found.collections, ({ stats }) => Number(valueAt(stats, 'storageSize') ?? 0));
  return answer(sorted.map(collectionLine), {
    left: found.left,
    gaps: [failed[0] && `of ${failed.length} collections the sizes are not known: ${failed[0]}`],
  });
});

function bySize<Item>(items: readonly Item[], sizeOf: (item: Item) => number | undefined): Item[] {
  return items.toSorted((one, other) => (sizeOf(other) ?? Infinity) - (sizeOf(one) ?? Infinity));
}

function collectionLine({ name, type, stats, indexes = [], error }: z.output<typeof collection>): string {
  if (error !== undefined || stats === undefined)
    return words(name, type === 'collection' ? undefined : type);
  const at = (path: string): string => shortText(valueAt(stats, path)) ?? 'unknown';
  const made = indexes.map(({ name: own, key, unique }) => {
    const size = own && shortText(valueAt(stats, `indexSizes.${own}`));
    return words(json(key, 300), unique === true && 'unique', size && `${size} bytes`);
  });
  return `${name} ${at('count')} documents, ${at('size')} bytes, on disk ${at('storageSize')}; indexes: ${made.join(', ')}`;
}

const plan = z.object({ queryPlanner: record, executionStats: record.optional() });

/** Documents; of a query to explain its plan. */
export const documents = readJson(z.union([z.array(z.unknown()), plan]), (found) => {
  if (Array.isArray(found)) return answer(found.map((document) => json(document, 600)));
  const { queryPlanner, executionStats } = found;
  const at = (name: string): string => shortText(valueAt(executionStats, name)) ?? 'unknown';
  return answer(
    [
      executionStats &&
        `returned ${at('nReturned')} in ${at('executionTimeMillis')} ms: looked at ${at('totalDocsExamined')} documents, ${at('totalKeysExamined')} keys`,
      stages(valueAt(queryPlanner, 'winningPlan.queryPlan', 'winningPlan')),
      json(queryPlanner, 1_000),
    ],
    { came: 0 },
  );
});

function stages(step: unknown): string {
  const [stage, own] = ['stage', 'indexName'].map((name) => shortText(valueAt(step, name)));
  const below = valueAt(step, 'inputStage');
  if (stage === undefined) return '';
  return `${stage}${own === undefined ? '' : `(${own})`}${below === undefined ? '' : ` < ${stages(below)}`}`;
}
