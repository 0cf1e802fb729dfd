// Registers the search attributes that a server lacks, if the worker may. Sessions run without them; only the UI cannot
// filter by them.
import { innermost } from '../client/server-trouble.ts';
import { messageOf } from '../core/base/message-of.ts';
import type { Connection } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import {
  type AttributeName,
  allAttributeTypes,
  attributeWireTypes,
  attributesIn,
} from '../core/model/outer-names.ts';

const deadlineMs = 5_000;

export type AttributeReport = {
  /** Names in the namespace now. */
  registered: AttributeName[];
  missing: AttributeName[];
  /** The reason why the missing ones could not be registered. */
  reason?: string;
};

/** Adds what is missing, as far as the server has room and this client the right. */
export async function registerSearchAttributes(
  connection: AnyConnection,
  namespace: string,
): Promise<AttributeReport> {
  const before = await findSearchAttributes(connection, namespace);
  if (before.reason !== undefined || before.missing.length === 0) return before;
  const reasons = new Set<string>();
  // one each: of several in one request, one that has no room takes all others with it
  for (const name of before.missing) {
    const searchAttributes = { [name]: attributeWireTypes[allAttributeTypes[name]] };
    await within(connection, () =>
      connection.operatorService.addSearchAttributes({ namespace, searchAttributes }),
    ).catch((error: unknown) => reasons.add(innermost(error) ?? messageOf(error)));
  }
  const after = await findSearchAttributes(connection, namespace);
  return after.missing.length === 0 ? after : { reason: [...reasons].join('; '), ...after };
}

/** Like `registerSearchAttributes`, but changes nothing. */
export async function findSearchAttributes(
  connection: AnyConnection,
  namespace: string,
): Promise<AttributeReport> {
  try {
    const { customAttributes } = await within(connection, () =>
      connection.operatorService.listSearchAttributes({ namespace }),
    );
    const registered = attributesIn(customAttributes ?? {});
    return { registered, missing: names.filter((name) => !registered.includes(name)) };
  } catch (error) {
    return { registered: [], missing: names, reason: innermost(error) ?? messageOf(error) };
  }
}

/** A worker's connection, or a client's. */
type AnyConnection = Pick<NativeConnection | Connection, 'operatorService' | 'withDeadline'>;

const names = Object.keys(allAttributeTypes) as AttributeName[];

function within<T>(connection: AnyConnection, work: () => Promise<T>): Promise<T> {
  return connection.withDeadline(Date.now() + deadlineMs, work);
}
