// The tool read: lines of a file, unchanged. Runs in Node.
import { sha256Hex } from '@holdfast/stored/sha256';
import { defined } from '@holdfast/base/defined';
import { z } from 'zod';
import { binaryNotice } from '@holdfast/redaction/sanitise';
import {
  chunksOf,
  collectLines,
  countableBytes,
  type FoundLines,
  readAt,
  restOfWord,
  startOfLastLines,
  type Wanted,
} from './file-lines.ts';
import { encodingOf, type FileText, readFileText } from './file-text.ts';
import { FileRoots, type FileAccess } from './file-roots.ts';
import { FileRefusal, type OpenedFile } from './file-access.ts';
import { maxTextBytes, versionOf } from './text-file.ts';
import {
  defineTool,
  type RegisteredTool,
  type ToolContext,
  type ToolReturn,
} from '../../tools/define-tool.ts';

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
  return defineTool({
    name: 'read',
    label: 'Read file',
    description: 'Reads lines of a file as they are, to quote. Paths: absolute or from a root folder.',
    input,
    effect: 'read',
    timeoutMs: 30_000,
    summaryArguments: ['path', 'offset'],
    inspect: ({ path }) => roots.factsOf(path),
    run: ({ path, ...range }, context) =>
      roots.open(path, async (file) => {
        // before the text: an older version than the text is a conflict, a newer one would lose unseen content
        const version = (await roots.isWritable(file)) ? await versionNotice(file) : '';
        const found = await readFile(file, range, context);
        return { ...found, text: found.text + version };
      }),
  });
}

/** The mark that write requires before it replaces the file. */
async function versionNotice(file: OpenedFile): Promise<string> {
  if (file.sizeBytes > maxTextBytes) return '';
  return `\n[version ${versionOf(sha256Hex(await readAt(file, 0, file.sizeBytes)))}]`;
}

async function readFile(file: OpenedFile, range: Wanted, { signal, redact }: Context): Promise<ToolReturn> {
  const text = await readFileText(() => chunksOf(file, signal));
  if ('reason' in text)
    throw new FileRefusal(
      text.reason === 'binary' ? binaryNotice(file.sizeBytes) : `It cannot be read: ${text.reason}.`,
    );
  if ((range.offset !== 1 || range.byte !== undefined) && privateKeyBegins.test(text.head))
    throw new FileRefusal('This file begins with a private key: it is read from line 1 only.');
  const { found, notice } = await pageOf(file, text, range, signal);
  const encoding = encodingOf(found.bytes);
  const decoded = new TextDecoder(encoding).decode(found.bytes);
  const isInside = (range.byte ?? 1) > 1;
  const whole = isInside ? decoded.slice(restOfWord(decoded)) : decoded;
  const shown = found.cut === undefined ? whole : redact(whole, { cut: true });
  return {
    text: shown.replace(/\r?\n$/, '') + notice + encodingNotice(text, encoding) + damageNotice(text),
    details: {
      sizeBytes: file.sizeBytes,
      changed: file.changed.toISOString(),
      lines: found.count,
      ...defined({ totalLines: found.total }),
    },
  };
}

type Page = { found: FoundLines; notice: string };

async function pageOf(file: OpenedFile, text: FileText, range: Wanted, signal: AbortSignal): Promise<Page> {
  const isCountable = file.sizeBytes <= countableBytes;
  let { offset } = range;
  if (offset < 0) {
    if (!isCountable) return pageFromEnd(file, text, range, signal);
    const { total = 0 } = await collectLines(text.chunks(), { offset: 1, limit: 0 }, true);
    offset = Math.max(1, total + 1 + offset);
  }
  const wanted = { ...range, offset };
  const found = await collectLines(text.chunks(), wanted, isCountable);
  return { found, notice: describe(found, wanted, file.sizeBytes) };
}

/** The page of a file that is too large to count: its lines are found from the end, and have no numbers. */
async function pageFromEnd(
  file: OpenedFile,
  text: FileText,
  range: Wanted,
  signal: AbortSignal,
): Promise<Page> {
  if (text.isDecoded)
    throw new FileRefusal(
      'Too large to be read from its end: it is compressed or in UTF-16. Search it with grep.',
    );
  const fromByte = await startOfLastLines(file, -range.offset, signal);
  const found = await collectLines(chunksOf(file, signal, fromByte), { ...range, offset: 1 }, true);
  const next = range.offset + found.count;
  const more = next < 0 ? `; continue with offset ${next}` : '';
  const place = `beginning ${-range.offset} before the end of ${file.sizeBytes} bytes`;
  return { found, notice: `\n[${found.count} lines, ${place}${more}]` };
}

/** The lines alone may show another encoding than the beginning of the file. */
function encodingNotice({ encoding }: FileText, ofLines: string): string {
  const guess = [encoding, ofLines].find((each) => !each.startsWith('utf-'));
  return guess === undefined ? '' : `\n[not in UTF-8: read as ${guess}, which is a guess]`;
}

function damageNotice(text: FileText): string {
  return text.isDamaged() ? '\n[the file is damaged or not complete: what follows cannot be read]' : '';
}

/** The notice after the lines; empty if the model has the whole file. */
function describe(found: FoundLines, { offset, byte = 1 }: Wanted, sizeBytes: number): string {
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
