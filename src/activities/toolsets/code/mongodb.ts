// Reads of MongoDB with its driver, which is loaded by the first call. The model's queries are data in extended JSON: operators
// that run JavaScript or write are refused. Runs in Node.
import type * as Driver from 'mongodb';
import { fieldsOf, isRecord, type Json } from '@holdfast/base/json';
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import type { CodeContext } from './code-handler.ts';

const connectTimeoutMs = 5_000;
/** Kept by the server, below the time limit of a tool. */
const maxTimeMS = 15_000;
const maxCollections = 200;

/** Commands of the toolset by name: `{ database?, commands }`. One that fails is `{ error }`; a failure of all is thrown. */
export function mongodbCommands(request: Json, context: CodeContext): Promise<string> {
  const { database = 'admin', commands = {} } = fieldsOf(request);
  return connected(context, async (client) => {
    const db = client.db(textOf(database));
    const asked = Object.entries(fieldsOf(commands));
    // by place: a connection that fails closes, and the others fail sooner, for that
    const errors: { [place: number]: unknown } = {};
    const answers = asked.map(async ([name, command], place) => {
      const answer = db.command({ ...fieldsOf(command), maxTimeMS }, { readPreference: 'primaryPreferred' });
      return [name, await answer.catch((error) => toError((errors[place] = error)))] as const;
    });
    const made = Object.fromEntries(await Promise.all(answers));
    if (Object.keys(errors).length === asked.length) throw errors[0];
    return made;
  });
}

/** A user without the right to list all of them is told of its own alone, without a word. */
const listed = { all: { listDatabases: 1, authorizedDatabases: false }, own: { listDatabases: 1 } };

/** Without a `database` all databases; of one its collections with sizes and indexes, those of views without. */
export function mongodbCollections(request: Json, context: CodeContext): Promise<string> {
  const { database } = fieldsOf(request);
  if (database === undefined) return mongodbCommands({ commands: listed }, context);
  return connected(context, async (client) => {
    const db = client.db(textOf(database));
    const named = await db.listCollections({}, { nameOnly: true, maxTimeMS }).toArray();
    // a role that reads has no right to the figures of these
    const found = named.filter(({ name }) => !name.startsWith('system.'));
    const collections = await Promise.all(
      found.slice(0, maxCollections).map(async ({ name, type }) => {
        if (type === 'view') return { name, type };
        const sized = Promise.all([
          db.command({ collStats: name, maxTimeMS }),
          db.collection(name).listIndexes({ maxTimeMS }).toArray(),
        ]);
        const told = await sized.then(([stats, indexes]) => ({ stats, indexes }), toError);
        return { name, type, ...told };
      }),
    );
    return { collections, left: found.length - collections.length };
  });
}

/** Documents, or with `explain` how the server finds them. */
export function mongodbFind(request: Json, context: CodeContext): Promise<string> {
  const { database, filter = '{}', projection, sort, limit, explain } = fieldsOf(request);
  return connected(context, async (client, driver) => {
    const [where, shown, order] = [filter, projection, sort].map((text) => readQuery(text, database, driver));
    const options = { limit: Number(limit), maxTimeMS, ...defined({ projection: shown, sort: order }) };
    const found = collectionOf(client, request).find(where ?? {}, options);
    return explain === true ? found.explain('executionStats') : found.toArray();
  });
}

export function mongodbAggregate(request: Json, context: CodeContext): Promise<string> {
  const { database, pipeline, limit } = fieldsOf(request);
  return connected(context, async (client, driver) => {
    const stages: unknown = readQuery(pipeline, database, driver);
    if (!Array.isArray(stages)) throw new Error('pipeline: expected a JSON array of stages');
    const limited = [...stages, { $limit: Number(limit) }];
    return collectionOf(client, request).aggregate(limited, { maxTimeMS }).toArray();
  });
}

function collectionOf(client: Driver.MongoClient, request: Json): Driver.Collection {
  const { database, collection } = fieldsOf(request);
  return client.db(textOf(database)).collection(textOf(collection));
}

/** One connection a call; the answer as relaxed extended JSON. */
async function connected(
  { settings, signal }: CodeContext,
  read: (client: Driver.MongoClient, driver: typeof Driver) => Promise<unknown>,
): Promise<string> {
  const driver = await import('mongodb');
  const { url = '', user, password } = settings;
  const client = new driver.MongoClient(url, {
    appName: 'holdfast',
    readPreference: 'secondaryPreferred',
    retryReads: false,
    maxPoolSize: 4,
    serverSelectionTimeoutMS: connectTimeoutMs,
    connectTimeoutMS: connectTimeoutMs,
    ...defined({ auth: user === undefined ? undefined : defined({ username: user, password }) }),
  });
  const close = (): void => void client.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    return driver.BSON.EJSON.stringify(await read(client, driver));
  } finally {
    signal.removeEventListener('abort', close);
    await client.close();
  }
}

const refused: Readonly<Record<string, string>> = {
  $where: 'runs JavaScript',
  $function: 'runs JavaScript',
  $accumulator: 'runs JavaScript',
  $code: 'is JavaScript',
  $out: 'writes',
  $merge: 'writes',
  $listSessions: 'reads accounts',
  $listLocalSessions: 'reads accounts',
  $changeStream: 'waits for changes',
};

/** They read another collection: its name, or `from` or `coll`, which may name a database beside it. */
const joining = new Set(['$lookup', '$graphLookup', '$unionWith']);

/** Looked through before it becomes BSON: the keys are those that the server would read. */
function readQuery(
  text: Json | undefined,
  database: Json | undefined,
  { BSON }: typeof Driver,
): Driver.Document | undefined {
  if (text === undefined) return undefined;
  for (const [operator, value] of fieldsWithin(parsed(textOf(text)))) {
    if (Object.hasOwn(refused, operator))
      throw new Error(`${operator} ${refused[operator]}; this tool reads`);
    if (joining.has(operator) && !staysWithin(value, database))
      throw new Error(
        `${operator} leads to a system collection or another database; this tool reads data of one database`,
      );
  }
  return BSON.EJSON.parse(textOf(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const wanted = 'expected extended JSON, e.g. {"at": {"$gt": {"$date": "2026-11-28T05:00:00Z"}}}';
    throw new Error(`${text} is no JSON (${messageOf(error)}): ${wanted}`, { cause: error });
  }
}

function staysWithin(target: unknown, database: Json | undefined): boolean {
  if (typeof target === 'string') return !target.startsWith('system.');
  if (!isRecord(target)) return false;
  const { from, coll, db = database } = target;
  // without a collection a pipeline has documents of its own
  const named = [from, coll].filter((each) => each !== undefined);
  return db === database && named.every((each) => isPlace(each) && staysWithin(each, database));
}

/** A value of extended JSON would be another one at the server. */
function isPlace(value: unknown): boolean {
  return !isRecord(value) || Object.keys(value).every((key) => key === 'db' || key === 'coll');
}

function fieldsWithin(value: unknown): [key: string, part: unknown][] {
  if (Array.isArray(value)) return value.flatMap(fieldsWithin);
  return isRecord(value) ? Object.entries(value).flatMap((field) => [field, ...fieldsWithin(field[1])]) : [];
}

function toError(error: unknown): { error: string } {
  return { error: messageOf(error) };
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
