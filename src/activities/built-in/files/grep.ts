// The tool grep: ripgrep over the allowed folders. Runs in Node.
import { FileRoots, type FileAccess } from './file-roots.ts';
import { notLookedAt } from './ripgrep.ts';
import { type Hits, harmlessGaps, type Search, searchInput, searchPlace } from './search-place.ts';
import { defineTool, type RegisteredTool, type ToolReturn } from '../../tools/define-tool.ts';
import { byPatterns } from '../../logs/log-patterns.ts';
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import { counted, withNotices } from '@holdfast/base/words';

/** Searches under these folders only. */
export function createGrepTool(access: FileAccess): RegisteredTool {
  const roots = new FileRoots(access);
  return defineTool({
    name: 'grep',
    label: 'Search files',
    description:
      'Searches lines by regular expression (ripgrep: no look-around), hidden and compressed files too. Answers "path:line:text": quote ' +
      'the text. If many are likely, begin with output "count".',
    input: searchInput,
    effect: 'read',
    timeoutMs: 30_000,
    summaryArguments: ['pattern', 'path', 'glob'],
    inspect: ({ path }) => roots.factsOf(path),
    run: async (search, { signal, redact }) => {
      const all: Hits = { lines: [], searched: 0, truncated: false, gaps: new Map() };
      const most = hasPatterns(search) ? Math.max(search.limit, mostForPatterns) : search.limit;
      const missing = await roots.search(search.path, async (place) => {
        if (!all.truncated) await searchPlace(place, { search, most, signal, redact }, all);
      });
      const patterns = hasPatterns(search) ? await byPatterns(all.lines.join('\n'), redact) : undefined;
      return toReturn(all, missing, search, patterns);
    },
  });
}

/** Lines that are looked at where patterns may stand for them. */
const mostForPatterns = 5_000;

function hasPatterns({ output, context }: Search): boolean {
  return output === 'lines' && context === 0;
}

type Patterns = Awaited<ReturnType<typeof byPatterns>>;

/** `patterns` stand for all lines. */
function toReturn(found: Hits, missing: number, search: Search, patterns: Patterns): ToolReturn {
  const { searched, gaps } = found;
  const lines = patterns === undefined ? found.lines.slice(0, search.limit) : found.lines;
  const truncated = found.truncated || lines.length < found.lines.length;
  const notices = present([
    lines.length === 0 && noMatch(found),
    truncated && `the first ${lines.length} lines; there are more: narrow the search, or use output "count"`,
    ...notLookedAt(gaps, missing),
  ]);
  const isGap = searched === 0 || missing > 0 || [...gaps.keys()].some((reason) => !harmlessGaps.has(reason));
  return {
    ...patterns,
    text: withNotices(patterns === undefined ? lines : [patterns.text], notices),
    details: {
      lines: lines.length,
      output: search.output,
      ...(truncated ? { truncated } : { filesSearched: searched }),
    },
    ...defined({ isError: (lines.length === 0 && isGap) || undefined }),
  };
}

function noMatch({ searched, gaps }: Hits): string {
  if (searched === 0 && gaps.size === 0) return 'no file was searched: check path and glob';
  return `no line matches, in ${counted(searched, 'file')}`;
}
