// The tool grep: ripgrep over the allowed folders. Runs in Node.
import { defined } from '../../../../core/base/defined.ts';
import { FileRoots, type FileAccess } from './file-roots.ts';
import type { OpenedPlace } from './file-access.ts';
import { nameIn, runRipgrep, notLookedAt } from './ripgrep.ts';
import { defineTool, type RegisteredTool, type ToolContext, type ToolReturn } from '../../define-tool.ts';
import { logPatterns } from '../../../logs/log-patterns.ts';
import { counted } from '../../../../core/base/words.ts';
import { z } from 'zod';

const input = z.strictObject({
  pattern: z.string().min(1).max(2_000),
  path: z.string().min(1).optional().describe('Default: all roots.'),
  glob: z.string().min(1).max(500).optional().describe('E.g. "*.log".'),
  literal: z.boolean().default(false),
  ignoreCase: z.boolean().default(false),
  context: z.int().min(0).max(20).default(0).describe('Lines around it.'),
  output: z.enum(['lines', 'files', 'count']).default('lines'),
  limit: z.int().min(1).max(2_000).default(200),
});

type Search = z.output<typeof input>;
type Found = { lines: string[]; searched?: number; truncated: boolean; unreadable: number };

/** Searches under these folders only. */
export function createGrepTool(access: FileAccess): RegisteredTool {
  const roots = new FileRoots(access);
  return defineTool({
    name: 'grep',
    label: 'Search files',
    description:
      'Searches lines of files by regular expression (ripgrep: no look-around), hidden files too. Answers "path:line:text": quote ' +
      'the text. Where many hits are likely, begin with output "count".',
    input,
    effect: 'read',
    timeoutMs: 30_000,
    summaryArguments: ['pattern', 'path', 'glob'],
    inspect: ({ path }) => roots.factsOf(path),
    run: (search, { signal, redact }) =>
      roots.search(search.path, async ({ places, missing }) => {
        const all: Found = { lines: [], searched: 0, truncated: false, unreadable: 0 };
        const most = hasPatterns(search) ? Math.max(search.limit, mostForPatterns) : search.limit;
        for (const place of places) {
          if (all.truncated) break;
          add(all, await searchPlace(place, search, most, signal), most);
        }
        all.lines = all.lines.map((line) => redactCutLine(line, redact));
        return (
          (await byPatterns(all, missing, search, redact)) ??
          toReturn(cutTo(all, search.limit), missing, search)
        );
      }),
  });
}

async function searchPlace(
  place: OpenedPlace,
  search: Search,
  most: number,
  signal: AbortSignal,
): Promise<Found> {
  const output = await runRipgrep({
    options: [...options(search), `--regexp=${search.pattern}`],
    place,
    maxEntries: most + statsLines,
    separator: '\n',
    signal,
  });
  const text = new TextDecoder('utf-8').decode(output.bytes);
  const stats = statsBlock.exec(text);
  const body = stats === null ? text : text.slice(0, stats.index);
  const lines = body === '' ? [] : body.replace(/\n$/, '').split('\n');
  return {
    lines: lines.map((line) => nameIn(place, line)),
    ...(stats === null ? {} : { searched: Number(stats[1]) }),
    truncated: output.truncated,
    unreadable: output.unreadable,
  };
}

// a line that ripgrep cut may end in half a secret
function redactCutLine(line: string, redact: ToolContext['redact']): string {
  const cut = / \[\.\.\. (?:\d+ more match(?:es)?|omitted end of long line)\]$/.exec(line);
  return cut === null ? line : redact(line.slice(0, cut.index), { cut: true }) + cut[0];
}

const statsLines = 9;
const statsBlock =
  /(?:^|\n)\d+ matches\n\d+ matched lines\n\d+ files contained matches\n(\d+) files searched\n\d+ bytes printed\n\d+ bytes searched\n[\d.]+ seconds spent searching\n[\d.]+ seconds total\n$/;

function options(search: Search): string[] {
  return [
    '--sort=path',
    '--no-heading',
    '--with-filename',
    '--line-number',
    '--max-columns=2000',
    '--max-columns-preview',
    // the number of searched files: "no match in 0 files" is no evidence
    '--stats',
    ...(search.literal ? ['--fixed-strings'] : []),
    ...(search.ignoreCase ? ['--ignore-case'] : []),
    ...(search.output === 'files' ? ['--files-with-matches'] : []),
    ...(search.output === 'count' ? ['--count'] : []),
    ...(search.output === 'lines' && search.context > 0 ? [`--context=${search.context}`] : []),
    ...(search.glob === undefined ? [] : [`--glob=${search.glob}`]),
    '--glob=!**/.git/**',
  ];
}

function add(all: Found, found: Found, limit: number): void {
  all.lines.push(...found.lines);
  all.unreadable += found.unreadable;
  all.truncated = found.truncated || all.lines.length > limit;
  all.lines.length = Math.min(all.lines.length, limit);
  if (found.searched === undefined) delete all.searched;
  else if (all.searched !== undefined) all.searched += found.searched;
}

/** Lines that are looked at where patterns may stand for them. */
const mostForPatterns = 5_000;

function hasPatterns({ output, context }: Search): boolean {
  return output === 'lines' && context === 0;
}

/** Undefined for few lines, and for lines that are no log. */
async function byPatterns(
  found: Found,
  missing: number,
  search: Search,
  redact: ToolContext['redact'],
): Promise<ToolReturn | undefined> {
  if (!hasPatterns(search)) return undefined;
  const full = redact(found.lines.join('\n'));
  const patterns = await logPatterns(full, { onlyTimed: true });
  if (patterns === undefined) return undefined;
  return { ...toReturn(found, missing, search, patterns), full, isSelection: true };
}

function cutTo(found: Found, limit: number): Found {
  if (found.lines.length <= limit) return found;
  return { ...found, lines: found.lines.slice(0, limit), truncated: true };
}

/** `patterns` stand for the lines. */
function toReturn(found: Found, missing: number, search: Search, patterns?: string): ToolReturn {
  const gaps = notLookedAt(found.unreadable, missing);
  const notices = [
    ...(found.lines.length === 0 ? [noMatch(found)] : []),
    ...(found.truncated
      ? [`the first ${found.lines.length} lines; there are more: narrow the search, or use output "count"`]
      : []),
    ...gaps,
  ];
  const notice = notices.length === 0 ? '' : `[${notices.join('; ')}]`;
  return {
    text: [...(patterns === undefined ? found.lines : [patterns]), ...(notice === '' ? [] : [notice])].join(
      '\n',
    ),
    details: {
      lines: found.lines.length,
      output: search.output,
      ...defined({ filesSearched: found.searched }),
      ...(found.truncated ? { truncated: true } : {}),
      ...(found.unreadable > 0 ? { unreadable: found.unreadable } : {}),
    },
    ...(found.lines.length === 0 && (found.searched === 0 || gaps.length > 0) ? { isError: true } : {}),
  };
}

function noMatch(found: Found): string {
  if (found.searched === 0) return 'no file was searched: check path and glob';
  return `no line matches, in ${found.searched === undefined ? 'the files' : counted(found.searched, 'file')}`;
}
