// What really happened in an incident, as its truth.yaml says it: what a report is judged by. Node.
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';

/** A regular expression; case does not count. */
const pattern = z
  .string()
  .min(1)
  .transform((source) => new RegExp(source, 'i'));

/** Alternatives, of which one is enough. */
const words = z.union([pattern.transform((one) => [one]), z.array(pattern).min(1)]);

const truthSchema = z.strictObject({
  /** In `rootCause.component`. */
  component: words,
  /** In `rootCause.kind` or `rootCause.text`. */
  kind: words,
  /** By name: what the report must say somewhere. */
  facts: z.record(z.string(), words).default({}),
  /** By name: what is there to be seen, and is not the cause. */
  decoys: z.record(z.string(), words).default({}),
});

export type Truth = z.output<typeof truthSchema>;

export function toTruth(value: unknown): Truth {
  return truthSchema.parse(value);
}

export async function readTruth(path: string): Promise<Truth> {
  return toTruth(parse(await readFile(path, 'utf8')));
}
