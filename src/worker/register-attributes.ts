// Registers the search attributes that a server lacks, if the worker may. Sessions run without them; only the UI cannot
// filter by them.
import { messageOf } from '../core/base/message-of.ts';
import type { Connection } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { allAttributeTypes } from '../core/model/outer-names.ts';

/** Temporal's IndexedValueType on the wire. */
const wireTypes = { Keyword: 2, Int: 3, Double: 4, KeywordList: 7 } as const;
const deadlineMs = 5_000;

export type AttributeReport = {
  /** Names in the namespace now. */
  registered: Name[];
  missing: Name[];
  /** The reason why the missing ones could not be registered. */
  reason?: string;
};

export async function registerSearchAttributes(
  connection: AnyConnection,
  namespace: string,
): Promise<AttributeReport> {
  return report(async () => {
    const before = await missingAttributes(connection, namespace);
    if (before.length === 0) return [];
    const wanted = before.map((name) => [name, wireTypes[allAttributeTypes[name]]]);
    await within(connection, () =>
      connection.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(wanted),
      }),
    );
    return missingAttributes(connection, namespace);
  });
}

/** Like `registerSearchAttributes`, but changes nothing. */
export async function findSearchAttributes(
  connection: AnyConnection,
  namespace: string,
): Promise<AttributeReport> {
  return report(() => missingAttributes(connection, namespace));
}

async function report(find: () => Promise<Name[]>): Promise<AttributeReport> {
  try {
    const missing = await find();
    return { registered: names.filter((name) => !missing.includes(name)), missing };
  } catch (error) {
    return { registered: [], missing: names, reason: messageOf(error) };
  }
}

async function missingAttributes(connection: AnyConnection, namespace: string): Promise<Name[]> {
  const answer = await within(connection, () =>
    connection.operatorService.listSearchAttributes({ namespace }),
  );
  return names.filter((name) => !(name in (answer.customAttributes ?? {})));
}

/** A worker's connection, or a client's. */
type AnyConnection = Pick<NativeConnection | Connection, 'operatorService' | 'withDeadline'>;

type Name = keyof typeof allAttributeTypes;

const names = Object.keys(allAttributeTypes) as Name[];

function within<T>(connection: AnyConnection, work: () => Promise<T>): Promise<T> {
  return connection.withDeadline(Date.now() + deadlineMs, work);
}
