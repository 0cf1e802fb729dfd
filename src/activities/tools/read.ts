// The tool read: lines of a file as they stand in it. Runs in Node.
import { readTool } from '../../core/tools/read.ts';
import { binaryNotice, looksBinary } from '../sanitise.ts';
import { collectLines, countableBytes, countLines, readAt, startOfLastLines } from './file-lines.ts';
import type { FoundLines } from './file-lines.ts';
import { createFileRoots } from './file-roots.ts';
import type { FileAccess } from './file-roots.ts';
import type { OpenedFile } from './open-place.ts';
import { registerTool } from './tool-handler.ts';
import type { RegisteredTool, ToolReturn } from './tool-handler.ts';

type Range = { offset: number; limit: number };

/** Reads under these folders only. The text comes without line numbers, so that it can be quoted as it is. */
export function createReadTool(access: FileAccess): RegisteredTool {
  const roots = createFileRoots(access);
  return registerTool(readTool, async ({ path, offset, limit }, { signal }) => {
    const file = await roots.open(path);
    try {
      return await readFile(file, { offset, limit }, signal);
    } finally {
      await file.handle.close();
    }
  });
}

async function readFile(file: OpenedFile, range: Range, signal: AbortSignal): Promise<ToolReturn> {
  if (looksBinary(await readAt(file, 0, 8_192))) {
    return { text: binaryNotice(file.sizeBytes), isError: true };
  }
  if (range.offset < 0 && file.sizeBytes > countableBytes) return readFromEnd(file, range, signal);
  const first =
    range.offset > 0 ? range.offset : Math.max(1, (await countLines(file, signal)) + 1 + range.offset);
  const found = await collectLines(file, { offset: first, limit: range.limit }, signal);
  return toReturn(file, found, describe(found, first, file.sizeBytes));
}

// Too large to count: the lines are found from the end, and have no numbers.
async function readFromEnd(file: OpenedFile, range: Range, signal: AbortSignal): Promise<ToolReturn> {
  const fromByte = await startOfLastLines(file, -range.offset, signal);
  const found = await collectLines(file, { offset: 1, limit: range.limit, fromByte }, signal);
  const next = range.offset + found.count;
  const more = next < 0 ? `; go on with offset ${next}` : '';
  return toReturn(
    file,
    found,
    `\n[${found.count} lines, beginning ${-range.offset} before the end of ${file.sizeBytes} bytes${more}]`,
  );
}

function toReturn(file: OpenedFile, found: FoundLines, notice: string): ToolReturn {
  const text = new TextDecoder('utf-8').decode(found.bytes);
  return {
    text: (text.endsWith('\n') ? text.slice(0, -1) : text) + notice,
    details: {
      sizeBytes: file.sizeBytes,
      changed: file.changed.toISOString(),
      lines: found.count,
      ...(found.total === undefined ? {} : { totalLines: found.total }),
    },
  };
}

/** What the model must know beside the lines; nothing where it has the whole file. */
function describe(found: FoundLines, first: number, sizeBytes: number): string {
  if (found.total === 0) return '[the file is empty]';
  const total = found.total === undefined ? `a file of ${sizeBytes} bytes` : `${found.total}`;
  if (found.count === 0) return `[no line ${first}: the file has ${total} lines]`;
  const last = first + found.count - 1;
  const atEnd = last === found.total && !found.cut;
  if (first === 1 && atEnd) return '';
  const cut = found.cut ? ', the last one cut at 1 MiB' : '';
  return `\n[lines ${first} to ${last} of ${total}${cut}${atEnd ? '' : `; go on with offset ${last + 1}`}]`;
}
