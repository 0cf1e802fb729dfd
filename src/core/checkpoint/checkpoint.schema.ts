// Checks a checkpoint where it enters: a file, a start input, the artifact store. Not for the workflow bundle.
import { messageOf } from '@holdfast/base/message-of';
import { z } from 'zod';
import { type Checkpoint, checkpointVersion } from '@holdfast/vocabulary/session-input';
import { messageSchema } from '@holdfast/vocabulary/messages.schema';
import type { RecordHead } from '@holdfast/vocabulary/messages';
import { type Parsed, isRecord, refuse } from '@holdfast/base/json';
import { describeIssues } from '@holdfast/base/schema-issues';
import { runResultSchema } from '@holdfast/vocabulary/run-result.schema';
import { parseState } from './parse-state.ts';

const count = z.int().min(0);
/** Complete: the type makes the compiler report a missing field. */
// oxfmt-ignore
const headFields: Record<keyof RecordHead, true> = {
  seq: true, id: true, runId: true, turn: true, at: true,
  digest: true, effect: true, decided: true, outcome: true, ran: true,
};
const maxShown = 5;

const segmentSchema = z.strictObject({
  artifactId: z.string().min(1),
  fromSeq: count,
  toSeq: count,
  sha256: z.string(),
  isList: z.literal(true).exactOptional(),
});

/** A log record: its place in the log, and a message of the message schema. */
const recordSchema = z
  .looseObject({ seq: z.int().min(1), id: z.string(), runId: z.string(), turn: count, at: z.number() })
  .superRefine((record, context) => {
    const message = Object.fromEntries(Object.entries(record).filter(([field]) => !(field in headFields)));
    const parsed = messageSchema.safeParse(message);
    if (parsed.success) return;
    for (const line of describeIssues(parsed.error, 'message')) context.addIssue(line);
  });

const stateSchema = z.looseObject({ version: z.int() }).superRefine((state, context) => {
  const parsed = parseState(state);
  if (!parsed.ok) context.addIssue(parsed.reason);
});

const messagesSchema = z.strictObject({
  segments: z.array(segmentSchema),
  fromSeq: z.int().min(1),
  toSeq: count,
  records: z.array(recordSchema).exactOptional(),
});

const documentSchema = z.strictObject({
  version: z.literal(checkpointVersion),
  id: z.string(),
  created_at: z.iso.datetime(),
  iteration: z.int().min(1),
  messages: messagesSchema.superRefine((messages, context) => {
    const problem = gapIn(messages);
    if (problem !== undefined) context.addIssue(problem);
  }),
  task_id: z.string(),
  status: z.enum(['in_progress', 'completed', 'failed']),
  session: z
    .strictObject({ state: stateSchema, input: z.record(z.string(), z.json()) })
    .describe('the session continues from it; made by "holdfast checkpoint export"'),
  result: runResultSchema.exactOptional(),
});

/** Checks the document's outline, which leaves messages and state open; its refinements check them. */
export const checkpointSchema = documentSchema as z.ZodType as z.ZodType<Checkpoint>;

/** Refuses with Checkpoint.Unreadable, Checkpoint.UnknownVersion or Checkpoint.Invalid. */
export function parseCheckpoint(value: unknown): Parsed<Checkpoint> {
  const version = isRecord(value) ? value['version'] : undefined;
  if (typeof version === 'number' && version !== checkpointVersion) {
    return refuse('Checkpoint.UnknownVersion', `it has version ${version}: expected ${checkpointVersion}`);
  }
  const parsed = checkpointSchema.safeParse(value);
  if (parsed.success) return { ok: true, value: value as Checkpoint };
  const lines = describeIssues(parsed.error, 'the checkpoint');
  const more = lines.length > maxShown ? [`and ${lines.length - maxShown} more`] : [];
  const unknown = lines.some((line) => line.includes('the state has version'));
  return refuse(
    unknown ? 'Checkpoint.UnknownVersion' : 'Checkpoint.Invalid',
    [...lines.slice(0, maxShown), ...more].join('; '),
  );
}

/** Like `parseCheckpoint`, for the text of a file. */
export function parseCheckpointText(text: string): Parsed<Checkpoint> {
  try {
    return parseCheckpoint(JSON.parse(text));
  } catch (error) {
    const reason = messageOf(error);
    return refuse('Checkpoint.Unreadable', `it is no JSON: ${reason}`);
  }
}

/** The first missing message; undefined if segments and records follow each other without a gap from 1. */
function gapIn({ segments, fromSeq, toSeq, records }: z.output<typeof messagesSchema>): string | undefined {
  let next = 1;
  for (const segment of segments) {
    if (segment.fromSeq !== next) return `message ${next} is in no segment`;
    next = segment.toSeq + 1;
  }
  if (fromSeq !== next)
    return `message ${next} is missing: the segments end at ${next - 1}, fromSeq is ${fromSeq}`;
  for (const record of records ?? []) {
    if (record.seq !== next) return `record ${record.seq} is where ${next} was expected`;
    next += 1;
  }
  const complete = records === undefined ? toSeq >= next - 1 : toSeq === next - 1;
  return complete ? undefined : `toSeq is ${toSeq}, the last message is ${next - 1}`;
}
