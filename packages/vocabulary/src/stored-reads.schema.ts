// A request to read stored texts, which any client may send to a worker. Not for the workflow bundle.
import { z } from 'zod';
import type { Infer } from '@holdfast/base/schema-output';

const id = z.string().min(1).max(1_000);
const count = z.int().min(0);

const outputRequestSchema = z.strictObject({
  sessionId: id,
  call: id,
  /** The marked line, with `around` lines on both sides; lines count from 1. */
  line: count.exactOptional(),
  /** Default: 5 on each side. */
  around: count.exactOptional(),
  /** First line of the page, used without `line`. Default 1. */
  fromLine: count.exactOptional(),
});
/** `call` is the id of a tool call; a delegated call is written `<instance>/<call>`. */
export type OutputRequest = Infer<typeof outputRequestSchema>;

const reportRequestSchema = z.strictObject({ sessionId: id, runId: id.exactOptional() });
/** The report of the newest run that has one, or of `runId`. */
export type ReportRequest = Infer<typeof reportRequestSchema>;

export const storedReadSchema = z.discriminatedUnion('what', [
  outputRequestSchema.extend({ what: z.literal('output') }),
  reportRequestSchema.extend({ what: z.literal('report') }),
]);
export type StoredRead = z.output<typeof storedReadSchema>;
