// The tool write: creates a text file, or replaces a whole one that the model has read. Runs in Node.
import { z } from 'zod';
import type { RegisteredTool } from '../../tools/define-tool.ts';
import { toLineEndsOf } from './edit-text.ts';
import { FileRefusal } from './file-access.ts';
import { defineChangeTool, type MakeText } from './file-change.ts';
import type { FileAccess } from './file-roots.ts';
import { versionOf } from './text-file.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('The file. Its folder must exist.'),
  content: z.string().describe('The whole text.'),
  version: z
    .string()
    .min(1)
    .optional()
    .describe('Only to replace a file: the version that read, write or edit showed for it.'),
});

/** Writes files under the writable folders only. */
export function createWriteTool(access: FileAccess): RegisteredTool {
  return defineChangeTool(access, {
    name: 'write',
    label: 'Write file',
    description:
      'Makes a UTF-8 text file with the given content. A file that exists is replaced as a whole only with the ' +
      'version that read shows at its end, so that nothing unseen is lost; to change a part of it use edit. Line ends, ' +
      'owner and mode of a replaced file stay. Folders are not made. The result is a diff.',
    input,
    makerOf,
  });
}

const byteOrderMark = '\uFEFF';

function makerOf({ path, content, version }: z.output<typeof input>): MakeText {
  return ({ id, text }) => {
    if (text === undefined) {
      if (version === undefined) return content;
      throw new FileRefusal(`There is no file ${path} any more. Without a version, write makes it.`);
    }
    if (version === undefined)
      throw new FileRefusal(`${path} exists. Read it, and pass the version that read shows; or use edit.`);
    if (version !== versionOf(id))
      throw new FileRefusal(`Conflict: ${path} is not of version ${version} any more. Read it again.`);
    const written = toLineEndsOf(text, content);
    return text.startsWith(byteOrderMark) && !written.startsWith(byteOrderMark)
      ? byteOrderMark + written
      : written;
  };
}
