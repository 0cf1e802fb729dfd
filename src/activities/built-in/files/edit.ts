// The tool edit: replaces exact pieces of one text file. Runs in Node.
import { z } from 'zod';
import type { RegisteredTool } from '../../tools/define-tool.ts';
import { applyEdits } from './edit-text.ts';
import { FileRefusal } from './file-access.ts';
import { defineChangeTool } from './file-change.ts';
import type { FileAccess } from './file-roots.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('The file. It must exist.'),
  edits: z
    .array(
      z.strictObject({
        old: z
          .string()
          .min(1)
          .describe('The text to replace, exactly as it is in the file, with its indentation.'),
        new: z.string().describe('The text in its place; empty removes it.'),
        all: z
          .boolean()
          .optional()
          .describe('Replace every place where the old text is. Default: it must be there once.'),
      }),
    )
    .min(1)
    .max(100),
});

export function createEditTool(access: FileAccess): RegisteredTool {
  return defineChangeTool(access, {
    name: 'edit',
    label: 'Edit file',
    description:
      'Replaces exact pieces of one UTF-8 text file. Read the file first and copy the old text from it; each must be ' +
      'in the file exactly once, or nothing is changed. All edits of one call are made together or not at all, so put ' +
      'all changes of a file in one call. Line ends, owner and mode stay. A file that somebody changes meanwhile is a ' +
      'conflict: read it again. The result is a diff.',
    input,
    makerOf:
      ({ path, edits }) =>
      ({ text }) => {
        if (text === undefined) throw new FileRefusal(`There is no file ${path}: write makes new ones.`);
        return applyEdits(text, edits);
      },
  });
}
