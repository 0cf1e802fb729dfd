// The common form of write and edit, which differ in their input and in the text that they make of it. Runs in Node.
import type { z } from 'zod';
import { defineTool, type RegisteredTool, type ToolDeclaration } from '../../define-tool.ts';
import { inspectChange, makeChange, type MakeText } from './file-change.ts';
import type { FileAccess } from './file-roots.ts';
import { WritableFiles } from './writable-files.ts';

type ChangeDeclaration<Schema extends z.ZodType<{ path: string }>> = Pick<
  ToolDeclaration<Schema>,
  'name' | 'label' | 'description' | 'input'
> & { makerOf: (call: z.output<Schema>) => MakeText };

/** Changes files under the writable folders only, one after the other. */
export function defineChangeTool<Schema extends z.ZodType<{ path: string }>>(
  access: FileAccess,
  { makerOf, ...declaration }: ChangeDeclaration<Schema>,
): RegisteredTool {
  const files = new WritableFiles(access);
  return defineTool({
    ...declaration,
    effect: 'idempotent',
    executionMode: 'sequential',
    timeoutMs: 30_000,
    summaryArguments: ['path'],
    inspect: (call: z.output<Schema>) => inspectChange(files, call.path, makerOf(call)),
    run: (call, context) => makeChange(files, call.path, makerOf(call), context),
  });
}
