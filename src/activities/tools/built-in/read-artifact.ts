// The tool read_artifact: pages and searches the stored output of an earlier call. Runs in Node.
import { z } from 'zod';
import { isArtifactName, toolOutputPrefix } from '../../storage/artifact-store.ts';
import { defineTool, type RegisteredTool, type ToolContext, type ToolReturn } from '../define-tool.ts';
import { cutText } from '../../../core/base/cut-text.ts';

const input = z.strictObject({
  artifactId: z.string().min(1).max(200).describe('As named in the result, such as "tool-call_7".'),
  search: z.string().min(1).max(1_000).optional().describe('Plain text; lines that contain it are listed.'),
  ignoreCase: z.boolean().default(false).describe('For search.'),
  offset: z
    .int()
    .refine((offset) => offset !== 0, 'lines are counted from 1')
    .default(1)
    .describe('First line, counted from 1. Negative counts from the end.'),
  limit: z.int().min(1).max(2_000).default(400).describe('How many lines, or hits of a search.'),
  character: z
    .int()
    .min(1)
    .optional()
    .describe('First character, counted from 1: reads on from there, not by lines.'),
});

type Range = z.output<typeof input>;

/** Below the default cap of a result: an answer that is cut again would name an artifact of an artifact. */
const maxCharacters = 28_000;

/** Reads tool outputs only: reports and stored messages are the model's own words, and no evidence. */
export function createReadArtifactTool(): RegisteredTool {
  return defineTool({
    name: 'read_artifact',
    label: 'Read stored output',
    description:
      'Reads the full output of an earlier tool call of this session, when the result said that a part was left out ' +
      'and named an artifact. Give search to list the lines that contain a text (with their numbers), or offset and ' +
      'limit to read lines; for output in one long line give character instead. Without a range it starts at the ' +
      'beginning. At most 28,000 characters a call.',
    input,
    effect: 'read',
    timeoutMs: 30_000,
    summaryArguments: ['artifactId', 'search', 'offset'],
    run: async (range, context) => {
      const text = await load(range.artifactId, context);
      if (text === undefined) {
        return {
          text: 'This session has no tool output of that name. Results name their artifact.',
          isError: true,
        };
      }
      if (range.search !== undefined) return searchLines(text, range.search, range);
      return range.character === undefined ? readLines(text, range) : readCharacters(text, range.character);
    },
  });
}

async function load(artifactId: string, context: ToolContext): Promise<string | undefined> {
  if (!isArtifactName(artifactId) || !artifactId.startsWith(toolOutputPrefix)) return undefined;
  const bytes = await context.artifacts.get(context.sessionId, artifactId);
  return bytes === undefined ? undefined : new TextDecoder('utf-8').decode(bytes);
}

function readLines(text: string, { offset, limit }: Range): ToolReturn {
  const total = countLines(text);
  const first = offset > 0 ? offset : Math.max(1, total + 1 + offset);
  const shown: string[] = [];
  let room = maxCharacters;
  for (const { number, from, line } of linesOf(text)) {
    if (number < first) continue;
    if (shown.length === limit || (room -= line.length + 1) < 0) {
      if (shown.length === 0) return readCharacters(text, from + 1);
      break;
    }
    shown.push(line);
  }
  if (shown.length === 0) return { text: `[no line ${first}: the output has ${total} lines]` };
  const last = first + shown.length - 1;
  const more = last < total ? `; continue with offset ${last + 1}` : '';
  return { text: `${shown.join('\n')}\n[lines ${first} to ${last} of ${total}${more}]` };
}

function readCharacters(text: string, character: number): ToolReturn {
  const from = character - 1;
  const shown = cutText(text.slice(from), maxCharacters, '');
  if (shown === '') return { text: `[the output has ${text.length} characters]` };
  const next = from + shown.length;
  const more = next < text.length ? `; continue with character ${next + 1}` : '';
  return { text: `${shown}\n[characters ${character} to ${next} of ${text.length}${more}]` };
}

function searchLines(text: string, search: string, { ignoreCase, limit }: Range): ToolReturn {
  const wanted = ignoreCase ? search.toLowerCase() : search;
  const shown: string[] = [];
  let room = maxCharacters;
  let hits = 0;
  for (const { number, line } of linesOf(text)) {
    const at = (ignoreCase ? line.toLowerCase() : line).indexOf(wanted);
    if (at < 0) continue;
    hits += 1;
    // counted to the end, but kept only as far as they are shown
    if (hits > limit || room < 0) continue;
    const hit = `${number}:${around(line, at)}`;
    if ((room -= hit.length + 1) >= 0) shown.push(hit);
  }
  if (hits === 0) return { text: `[no line contains it, of ${countLines(text)}]` };
  const notice = shown.length < hits ? `\n[the first ${shown.length} of ${hits} lines]` : '';
  return { text: shown.join('\n') + notice, details: { hits } };
}

type Line = { number: number; from: number; line: string };

/** One by one: an array of millions of short lines takes many times the memory of their text. */
function* linesOf(text: string): Generator<Line> {
  const end = endOfLines(text);
  let number = 1;
  for (let from = 0; from <= end; number += 1) {
    const next = text.indexOf('\n', from);
    const to = next < 0 ? end : Math.min(next, end);
    yield { number, from, line: text.slice(from, to) };
    from = to + 1;
  }
}

function countLines(text: string): number {
  const end = endOfLines(text);
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** A newline at the end begins no further line. */
function endOfLines(text: string): number {
  return text.endsWith('\n') ? text.length - 1 : text.length;
}

// The whole line where it is short enough to quote, else what surrounds the hit.
function around(line: string, at: number): string {
  if (line.length <= 2_000) return line;
  return line.slice(Math.max(0, at - 900), at + 1_100).toWellFormed();
}
