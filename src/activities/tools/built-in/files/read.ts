// The tool read: lines of a file, unchanged. Runs in Node.
import { sha256Hex } from '../../../../stored/sha256.ts';
import { defined } from '../../../../core/base/defined.ts';
import { z } from 'zod';
import { binaryNotice, looksBinary } from '../../../redaction/sanitise.ts';
import {
  collectLines,
  countableBytes,
  countLines,
  type FoundLines,
  readAt,
  startOfLastLines,
} from './file-lines.ts';
import { FileRoots, type FileAccess } from './file-roots.ts';
import type { OpenedFile } from './file-access.ts';
import { maxTextBytes, versionOf } from './text-file.ts';
import { WritableFiles } from './writable-files.ts';
import { defineTool, type RegisteredTool, type ToolContext, type ToolReturn } from '../../define-tool.ts';

type Range = { offset: number; limit: number };
type Context = Pick<ToolContext, 'signal' | 'redact'>;

// from its second line on a key looks like any base64
const privateKeyBegins = /^\s{0,20}-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY/;

const input = z.strictObject({
  path: z.string().min(1),
  offset: z
    .int()
    .refine((offset) => offset !== 0, 'lines are counted from 1')
    .default(1)
    .describe('First line, from 1; -100: the last 100.'),
  limit: z.int().min(1).max(2_000).default(500),
});

/** Reads under these folders only. The text has no line numbers, so that it can be quoted as it is. */
export function createReadTool(access: FileAccess): RegisteredTool {
  const roots = new FileRoots(access);
  const writable = access.writable && new WritableFiles(access);
  return defineTool({
    name: 'read',
    label: 'Read file',
    description:
      'Reads lines of a text file as they are, for quotes. Paths are absolute or relative to a root.',
    input,
    effect: 'read',
    timeoutMs: 30_000,
    summaryArguments: ['path', 'offset'],
    inspect: ({ path }) => roots.factsOf(path),
    run: async ({ path, offset, limit }, context) => {
      const file = await roots.open(path);
      try {
        // before the text: an older version than the text is a conflict, a newer one would lose unseen content
        const version = (await writable?.isOpen(file.real)) === true ? await versionNotice(file) : '';
        const found = await readFile(file, { offset, limit }, context);
        return found.isError === true ? found : { ...found, text: found.text + version };
      } finally {
        await file.handle.close();
      }
    },
  });
}

/** The mark that write requires before it replaces the file. */
async function versionNotice(file: OpenedFile): Promise<string> {
  if (file.sizeBytes > maxTextBytes) return '';
  return `\n[version ${versionOf(sha256Hex(await readAt(file, 0, file.sizeBytes)))}]`;
}

async function readFile(file: OpenedFile, range: Range, context: Context): Promise<ToolReturn> {
  const { signal } = context;
  const head = await readAt(file, 0, 8_192);
  if (looksBinary(head)) return { text: binaryNotice(file.sizeBytes), isError: true };
  if (range.offset !== 1 && privateKeyBegins.test(head.toString('latin1'))) {
    return { text: 'This file begins with a private key: it is read from line 1 only.', isError: true };
  }
  if (range.offset < 0 && file.sizeBytes > countableBytes) return readFromEnd(file, range, context);
  const first =
    range.offset > 0 ? range.offset : Math.max(1, (await countLines(file, signal)) + 1 + range.offset);
  const found = await collectLines(file, { offset: first, limit: range.limit }, signal);
  return toReturn(file, found, describe(found, first, file.sizeBytes), context);
}

// too large to count: the lines are found from the end, and have no numbers
async function readFromEnd(file: OpenedFile, range: Range, context: Context): Promise<ToolReturn> {
  const { signal } = context;
  const fromByte = await startOfLastLines(file, -range.offset, signal);
  const found = await collectLines(file, { offset: 1, limit: range.limit, fromByte }, signal);
  const next = range.offset + found.count;
  const more = next < 0 ? `; continue with offset ${next}` : '';
  return toReturn(
    file,
    found,
    `\n[${found.count} lines, beginning ${-range.offset} before the end of ${file.sizeBytes} bytes${more}]`,
    context,
  );
}

function toReturn(file: OpenedFile, found: FoundLines, notice: string, { redact }: Context): ToolReturn {
  const decoded = new TextDecoder('utf-8').decode(found.bytes);
  const text = found.cut ? redact(decoded, { cut: true }) : decoded;
  return {
    text: (text.endsWith('\n') ? text.slice(0, -1) : text) + notice,
    details: {
      sizeBytes: file.sizeBytes,
      changed: file.changed.toISOString(),
      lines: found.count,
      ...defined({ totalLines: found.total }),
    },
  };
}

/** The notice after the lines; empty if the model has the whole file. */
function describe(found: FoundLines, first: number, sizeBytes: number): string {
  if (found.total === 0) return '[the file is empty]';
  const total = found.total === undefined ? `a file of ${sizeBytes} bytes` : `${found.total}`;
  if (found.count === 0) return `[no line ${first}: the file has ${total} lines]`;
  const last = first + found.count - 1;
  const atEnd = last === found.total && !found.cut;
  if (first === 1 && atEnd) return '';
  const cut = found.cut ? ', the last one cut at 1 MiB' : '';
  return `\n[lines ${first} to ${last} of ${total}${cut}${atEnd ? '' : `; continue with offset ${last + 1}`}]`;
}
