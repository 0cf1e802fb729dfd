// A YAML file that people write, read and checked. Runs in Node.
import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { messageOf } from '@holdfast/base/message-of';
import { describeIssues } from '@holdfast/base/schema-issues';
import { parseYaml } from './parse-yaml.ts';

/** `what` names a value of the schema. `refuse` makes the error; its words follow the name of the file. */
export async function readYaml<Value>(
  file: string,
  { what, schema }: { what: string; schema: z.ZodType<Value> },
  refuse: (words: string) => Error,
): Promise<Value> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw refuse(`cannot be read: ${messageOf(error)}.`);
  });
  const read = parseYaml(text);
  if ('fault' in read) throw refuse(`is no YAML: line ${read.fault.line}: ${read.fault.reason}.`);
  const parsed = schema.safeParse(read.value);
  if (parsed.success) return parsed.data;
  throw refuse(`is not valid:\n  ${describeIssues(parsed.error, what, schema).join('\n  ')}`);
}
