// The truth of an incident, from its truth.yaml, by which a report is judged. Node.
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';

/** A regular expression that ignores case. */
const pattern = z
  .string()
  .min(1)
  .transform((source) => new RegExp(source, 'i'));

/** Alternatives, one of which is enough. */
const words = z.union([pattern.transform((one) => [one]), z.array(pattern).min(1)]);

const truthSchema = z.strictObject({
  /** In `rootCause.component`. */
  component: words,
  /** In `rootCause.kind` or `rootCause.text`. */
  kind: words,
  /** By name: facts that the report must contain somewhere. */
  facts: z.record(z.string(), words).default({}),
  /** By name: visible things that are not the cause. */
  decoys: z.record(z.string(), words).default({}),
  /** By name: sources that it takes, as tool and arguments of a call of which a found quote is. */
  sources: z.record(z.string(), words).default({}),
});

export type Truth = z.output<typeof truthSchema>;

export function toTruth(value: unknown): Truth {
  return truthSchema.parse(value);
}

export async function readTruth(path: string): Promise<Truth> {
  return toTruth(parse(await readFile(path, 'utf8')));
}
