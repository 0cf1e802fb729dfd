// The tool read: lines of a file, unchanged. Runs in Node.
import { sha256Hex } from '../../../../stored/sha256.ts';
import { defined } from '../../../../core/base/defined.ts';
import { z } from 'zod';
import { binaryNotice } from '../../../redaction/sanitise.ts';
import {
  chunksOf,
  collectLines,
  countableBytes,
  type FoundLines,
  readAt,
  restOfWord,
  startOfLastLines,
} from './file-lines.ts';
import { encodingOf, type FileText, textOf } from './file-text.ts';
import { FileRoots, type FileAccess } from './file-roots.ts';
import type { OpenedFile } from './file-access.ts';
import { maxTextBytes, versionOf } from './text-file.ts';
import { WritableFiles } from './writable-files.ts';
import { failed } from '../../../../core/model/tool-spec.ts';
import { defineTool, type RegisteredTool, type ToolContext, type ToolReturn } from '../../define-tool.ts';

type Range = { offset: number; limit: number; byte?: number | undefined };
type Context = Pick<ToolContext, 'signal' | 'redact'>;

// from its second line on a key looks like any base64
const privateKeyBegins = /^\s{0,20}-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY/;

const input = z.strictObject({
  path: z.string().min(1),
  offset: z
    .int()
    .refine((offset) => offset !== 0, 'lines are counted from 1')
    .default(1)
    .describe('From 1; -100: the last 100.'),
  limit: z.int().min(1).max(2_000).default(500),
  byte: z.int().min(1).optional(),
});

/** Reads under these folders only. The text has no line numbers, so that it can be quoted as it is. */
export function createReadTool(access: FileAccess): RegisteredTool {
  const roots = new FileRoots(access);
  const writable = access.writable && new WritableFiles(access);
  return defineTool({
    name: 'read',
    label: 'Read file',
    description: 'Reads lines of a file as they are, to quote. Paths: absolute or from a root folder.',
    input,
    effect: 'read',
    timeoutMs: 30_000,
    summaryArguments: ['path', 'offset'],
    inspect: ({ path }) => roots.factsOf(path),
    run: async ({ path, ...range }, context) => {
      const file = await roots.open(path);
      try {
        // before the text: an older version than the text is a conflict, a newer one would lose unseen content
        const version = (await writable?.isOpen(file.real)) === true ? await versionNotice(file) : '';
        const found = await readFile(file, range, context);
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
  const open = () => textOf(chunksOf(file, signal));
  const text = await open();
  if ('reason' in text)
    return failed(
      text.reason === 'binary' ? binaryNotice(file.sizeBytes) : `It cannot be read: ${text.reason}.`,
    );
  if ((range.offset !== 1 || range.byte !== undefined) && privateKeyBegins.test(text.head))
    return failed('This file begins with a private key: it is read from line 1 only.');
  const isCountable = file.sizeBytes <= countableBytes;
  if (range.offset < 0 && !isCountable) {
    if (!text.isDecoded) return readFromEnd(file, range, context);
    return failed('Too large to be read from its end: it is compressed or in UTF-16. Search it with grep.');
  }
  let { offset } = range;
  if (offset < 0) {
    const counted = await open();
    const { total = 0 } =
      'reason' in counted ? {} : await collectLines(counted.chunks, { offset: 1, limit: 0 }, true);
    offset = Math.max(1, total + 1 + offset);
  }
  const wanted = { ...defined(range), offset };
  const found = await collectLines(text.chunks, wanted, isCountable);
  const notice = describe(found, wanted, file.sizeBytes) + guessNotice(text.encoding) + damageNotice(text);
  return toReturn(file, found, notice, context, (range.byte ?? 1) > 1);
}

function damageNotice(text: FileText): string {
  return text.isDamaged() ? '\n[the file is damaged or not complete: what follows cannot be read]' : '';
}

function guessNotice(encoding: string): string {
  return encoding.startsWith('utf-') ? '' : `\n[not in UTF-8: read as ${encoding}, which is a guess]`;
}

// too large to count: the lines are found from the end, and have no numbers
async function readFromEnd(file: OpenedFile, range: Range, context: Context): Promise<ToolReturn> {
  const { signal } = context;
  const fromByte = await startOfLastLines(file, -range.offset, signal);
  const bytes = chunksOf(file, signal, fromByte);
  const found = await collectLines(bytes, { ...defined(range), offset: 1 }, true);
  const next = range.offset + found.count;
  const more = next < 0 ? `; continue with offset ${next}` : '';
  return toReturn(
    file,
    found,
    `\n[${found.count} lines, beginning ${-range.offset} before the end of ${file.sizeBytes} bytes${more}]`,
    context,
  );
}

function toReturn(
  file: OpenedFile,
  found: FoundLines,
  notice: string,
  { redact }: Context,
  isInside = false,
): ToolReturn {
  const encoding = encodingOf(found.bytes);
  const decoded = new TextDecoder(encoding).decode(found.bytes);
  const whole = isInside ? decoded.slice(restOfWord(decoded)) : decoded;
  const text = found.cut === undefined ? whole : redact(whole, { cut: true });
  return {
    text: text.replace(/\r?\n$/, '') + notice + guessNotice(encoding),
    details: {
      sizeBytes: file.sizeBytes,
      changed: file.changed.toISOString(),
      lines: found.count,
      ...defined({ totalLines: found.total }),
    },
  };
}

/** The notice after the lines; empty if the model has the whole file. */
function describe(
  found: FoundLines,
  { offset, byte = 1 }: Required<Pick<Range, 'offset'>> & Range,
  sizeBytes: number,
): string {
  if (found.total === 0) return '[the file is empty]';
  const total = found.total === undefined ? `a file of ${sizeBytes} bytes` : `${found.total}`;
  if (found.count === 0) return `[no line ${offset}: the file has ${total} lines]`;
  const last = offset + found.count - 1;
  if (found.cut !== undefined)
    return `\n[lines ${offset} to ${last} of ${total}, the last one cut at 1 MiB; continue with offset ${last}, byte ${found.cut}]`;
  const atEnd = last === found.total;
  if (offset === 1 && byte === 1 && atEnd) return '';
  return `\n[lines ${offset} to ${last} of ${total}${atEnd ? '' : `; continue with offset ${last + 1}`}]`;
}
