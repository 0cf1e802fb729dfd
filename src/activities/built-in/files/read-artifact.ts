// The tool read_artifact: pages and searches the stored output of an earlier call. Runs in Node.
import { z } from 'zod';
import {
  type Line,
  linesFrom,
  linesOf,
  onePiece,
  openOutput,
  piecesFrom,
  type StoredOutput,
} from '@holdfast/stored/stored-output';
import { defineTool, type RegisteredTool, type ToolReturn } from '../../tools/define-tool.ts';
import { cutText } from '@holdfast/base/cut-text';
import { present } from '@holdfast/base/present';
import { counted, withNotices } from '@holdfast/base/words';
import { openSubagentText } from '@holdfast/stored/subagent-text';
import { saidArtifact, saidOf } from '@holdfast/view/said';
import { LogTemplates } from '../../logs/log-templates.ts';

const input = z.strictObject({
  artifactId: z.string().min(1).max(200).describe('E.g. "tool-call_7".'),
  search: z.string().min(1).max(1_000).optional().describe('Plain text.'),
  ignoreCase: z.boolean().default(false),
  like: z.int().min(1).optional().describe('Only lines of the pattern of this line.'),
  offset: z
    .int()
    .refine((offset) => offset !== 0, 'lines are counted from 1')
    .default(1)
    .describe('First line, from 1; negative: from the end.'),
  limit: z.int().min(1).max(2_000).default(400).describe('Lines or hits.'),
  character: z.int().min(1).optional().describe('From this character on, not by lines.'),
});

type Range = z.output<typeof input>;

/** Below the default cap of a result: an answer that is cut again would name an artifact of an artifact. */
const maxCharacters = 28_000;

/** Below the time limit of the tool; a search that takes longer reports its progress. */
const defaultSearchMs = 20_000;

/** Reads tool outputs, and the results and reports of subagents; the session's own words are no artifacts. */
export function createReadArtifactTool(searchMs: number = defaultSearchMs): RegisteredTool {
  return defineTool({
    name: 'read_artifact',
    label: 'Read stored output',
    description: 'Reads or searches the full output of an earlier call whose result named an artifact.',
    input,
    effect: 'read',
    timeoutMs: 30_000,
    summaryArguments: ['artifactId', 'search', 'offset'],
    run: async (range, { artifacts, sessionId, signal, transcript }) => {
      const output = await openOutput(artifacts, sessionId, range.artifactId);
      const isOver = isOverIn(searchMs, signal);
      if (output !== undefined) return readOutput(output, range, isOver);
      const words = range.artifactId === saidArtifact ? saidOf(await transcript()) : '';
      const said = words ? onePiece(words) : await openSubagentText(range.artifactId, artifacts, transcript);
      // words of people and of models are no evidence
      if (said !== undefined) return { ...(await readOutput(said, range, isOver)), ownWords: true };
      return {
        text: 'This session has no tool output of that name. Results name their artifact.',
        isError: true,
      };
    },
  });
}

async function readOutput(output: StoredOutput, range: Range, isOver: () => boolean): Promise<ToolReturn> {
  if (range.like !== undefined) return readAlike(output, range.like, range, isOver);
  if (range.search !== undefined) return searchLines(output, range.search, range, isOver);
  return range.character === undefined ? readLines(output, range) : readCharacters(output, range.character);
}

async function readLines(output: StoredOutput, { offset, limit }: Range): Promise<ToolReturn> {
  const total = output.lines;
  const first = firstLine(output, offset);
  const shown: string[] = [];
  let room = maxCharacters;
  for await (const { from, text } of linesFrom(output, first, maxCharacters)) {
    if (shown.length === limit || (room -= text.length + 1) < 0) {
      if (shown.length === 0) return readCharacters(output, from + 1);
      break;
    }
    shown.push(text);
  }
  if (shown.length === 0) return { text: `[no line ${first}: the output has ${total} lines]` };
  const last = first + shown.length - 1;
  const more = last < total ? `; continue with offset ${last + 1}` : '';
  return { text: `${shown.join('\n')}\n[lines ${first} to ${last} of ${total}${more}]` };
}

function firstLine({ lines }: StoredOutput, offset: number): number {
  return offset > 0 ? offset : Math.max(1, lines + 1 + offset);
}

/** Like a search: every line is compared, from the first on, because the patterns depend on the lines before. */
async function readAlike(
  output: StoredOutput,
  like: number,
  { offset, limit }: Range,
  isOver: () => boolean,
): Promise<ToolReturn> {
  const name = await patternOf(output, like, isOver);
  if (name === undefined) return { text: `[no line ${like}: the output has ${output.lines} lines]` };
  const first = firstLine(output, offset);
  const shown: string[] = [];
  let room = maxCharacters;
  let hits = 0;
  let nextHit: number | undefined;
  for await (const { text, number, pattern } of templatesOf(output, isOver)) {
    if (pattern !== name || number < first) continue;
    hits += 1;
    const hit = `${number}:${around(text, 0)}`;
    if (nextHit === undefined && hits <= limit && (room -= hit.length + 1) >= 0) shown.push(hit);
    else nextHit ??= number;
  }
  const from = first > 1 ? ` from line ${first} on` : '';
  const what = `${counted(hits, 'line')} like line ${like}${from}`;
  const part = nextHit === undefined ? [] : [`the first ${shown.length} are shown`, ...moreFrom(nextHit)];
  return { text: withNotices(shown, [what, ...part]), details: { hits } };
}

async function patternOf(
  output: StoredOutput,
  line: number,
  isOver: () => boolean,
): Promise<number | undefined> {
  for await (const { number, pattern } of templatesOf(output, isOver)) if (number === line) return pattern;
  return undefined;
}

async function* templatesOf(
  output: StoredOutput,
  isOver: () => boolean,
): AsyncGenerator<Line & { pattern: number }> {
  const templates = new LogTemplates();
  for await (const line of linesFrom(output, 1, maxCharacters)) {
    if (isOver())
      throw new Error('Not done in time: the output is too long to compare its lines. Use search.');
    yield { ...line, pattern: templates.add(line.text, line.number).line };
  }
}

async function readCharacters({ characters, pieces }: StoredOutput, character: number): Promise<ToolReturn> {
  const from = character - 1;
  let text = '';
  for (const piece of pieces) {
    if (text.length >= maxCharacters) break;
    if (piece.from + piece.characters <= from) continue;
    const skipped = Math.max(0, from - piece.from);
    text += (await piece.load()).slice(skipped, skipped + maxCharacters);
  }
  const shown = cutText(text, maxCharacters, '');
  if (shown === '') return { text: `[the output has ${characters} characters]` };
  const next = from + shown.length;
  const more = next < characters ? `; continue with character ${next + 1}` : '';
  return { text: `${shown}\n[characters ${character} to ${next} of ${characters}${more}]` };
}

async function searchLines(
  output: StoredOutput,
  search: string,
  { ignoreCase, limit, offset }: Range,
  isOver: () => boolean,
): Promise<ToolReturn> {
  const first = firstLine(output, offset);
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const wanted = fold(search);
  const shown: string[] = [];
  let room = maxCharacters;
  let hits = 0;
  let lastHit = 0;
  let nextHit: number | undefined;
  let stoppedAt: number | undefined;
  // the end of a line that continues in the next piece
  let before = '';
  for (const piece of piecesFrom(output, first)) {
    // a line over many pieces is searched to its end: the next search could not begin inside it
    if (isOver() && piece.fromLine > first) {
      stoppedAt = Math.max(piece.fromLine, lastHit + 1);
      break;
    }
    const text = await piece.load();
    // most pieces of a long output have no hit, so they are not read line by line
    const lines = fold(before + text).includes(wanted) ? linesOf(text, piece) : [];
    for (const { number, text: part } of lines) {
      const line = number === piece.fromLine ? before + part : part;
      const at = fold(line).indexOf(wanted);
      if (at < 0 || number === lastHit || number < first) continue;
      lastHit = number;
      hits += 1;
      // counted to the end, but kept only as far as they are shown
      const hit = `${number}:${around(line, at)}`;
      if (nextHit === undefined && hits <= limit && (room -= hit.length + 1) >= 0) shown.push(hit);
      else nextHit ??= number;
    }
    const lineStart = text.lastIndexOf('\n') + 1;
    before = ((lineStart === 0 ? before : '') + text.slice(lineStart)).slice(-quotable);
  }
  const from = first > 1 ? ` from line ${first} on` : '';
  if (hits === 0 && stoppedAt === undefined)
    return { text: `[no line contains it, of ${output.lines}${from}]` };
  const notices = present([
    nextHit !== undefined && `the first ${shown.length} of ${hits} lines`,
    stoppedAt !== undefined && `searched${from} up to line ${stoppedAt - 1} of ${output.lines}`,
    ...moreFrom(nextHit ?? stoppedAt),
  ]);
  return { text: withNotices(shown, notices), details: { hits } };
}

function moreFrom(line: number | undefined): string[] {
  return line === undefined ? [] : [`continue with offset ${line}`];
}

/** Rejects if the call itself was stopped. */
function isOverIn(limitMs: number, signal: AbortSignal): () => boolean {
  const end = performance.now() + limitMs;
  return () => {
    signal.throwIfAborted();
    return performance.now() >= end;
  };
}

const quotable = 2_000;

// the whole line if it is short enough to quote, else the text around the hit
function around(line: string, at: number): string {
  if (line.length <= quotable) return line;
  return line.slice(Math.max(0, at - 900), at + 1_100).toWellFormed();
}
