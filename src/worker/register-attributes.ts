// Registers the search attributes that a server lacks, if the worker may. Sessions run without them; only the UI cannot
// filter by them.
import { innermost } from '../common/server-trouble.ts';
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import { present } from '@holdfast/base/present';
import type { Connection } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import {
  type AttributeName,
  allAttributeTypes,
  attributeNames,
  attributeWireTypes,
  attributesIn,
} from '@holdfast/vocabulary/outer-names';

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
  return unlessRefused(async () => {
    const reasons = new Set<string>();
    // one each: of several in one request, one that has no room takes all others with it
    for (const name of (await listAttributes(connection, namespace)).missing) {
      const searchAttributes = { [name]: attributeWireTypes[allAttributeTypes[name]] };
      await within(connection, () =>
        connection.operatorService.addSearchAttributes({ namespace, searchAttributes }),
      ).catch((error: unknown) => reasons.add(reasonOf(error)));
    }
    const { reason: taken, ...after } = await listAttributes(connection, namespace);
    const reason = present([...reasons, taken]).join(' ');
    return after.missing.length === 0 ? after : { ...after, reason };
  });
}

/** Like `registerSearchAttributes`, but changes nothing. */
export async function findSearchAttributes(
  connection: AnyConnection,
  namespace: string,
): Promise<AttributeReport> {
  return unlessRefused(() => listAttributes(connection, namespace));
}

async function unlessRefused(work: () => Promise<AttributeReport>): Promise<AttributeReport> {
  return work().catch((error: unknown) => ({
    registered: [],
    missing: attributeNames,
    reason: reasonOf(error),
  }));
}

const reasonOf = (error: unknown): string => innermost(error) ?? messageOf(error);

/** The reason is that of names which another program has: the server adds none, and says nothing. */
async function listAttributes(connection: AnyConnection, namespace: string): Promise<AttributeReport> {
  const { customAttributes } = await within(connection, () =>
    connection.operatorService.listSearchAttributes({ namespace }),
  );
  const found = customAttributes ?? {};
  const registered = attributesIn(found);
  const missing = attributeNames.filter((name) => !registered.includes(name));
  const taken = missing.filter((name) => name in found);
  const reason = `Another program has ${taken.join(', ')} with another type.`;
  return defined({ registered, missing, reason: taken.length > 0 ? reason : undefined });
}

/** A worker's connection, or a client's. */
type AnyConnection = Pick<NativeConnection | Connection, 'operatorService' | 'withDeadline'>;

function within<T>(connection: AnyConnection, work: () => Promise<T>): Promise<T> {
  return connection.withDeadline(Date.now() + deadlineMs, work);
}
