// A read as any client may ask a worker for it. Not for the workflow bundle.
import { z } from 'zod';
import type { StoredRead } from './stored-reads.ts';

const id = z.string().min(1).max(1_000);
const count = z.int().min(0);

const storedReadSchema = z.discriminatedUnion('what', [
  z.strictObject({
    ...{ what: z.literal('output'), sessionId: id, call: id },
    ...{ line: count.exactOptional(), around: count.exactOptional(), fromLine: count.exactOptional() },
  }),
  z.strictObject({ what: z.literal('report'), sessionId: id, runId: id.exactOptional() }),
]);

/** Throws a ZodError where it is none. */
export function parseStoredRead(value: unknown): StoredRead {
  return storedReadSchema.parse(value);
}
