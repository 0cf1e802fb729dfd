// The lines of one place that match: a folder by ripgrep's own walk, and each file that has to be decoded through its
// standard input. Runs in Node; used by the tool grep.
import { z } from 'zod';
import { present } from '@holdfast/base/present';
import { escapeRegExp } from '@holdfast/base/reg-exp';
import { binaryNotice, stripControls } from '@holdfast/redaction/sanitise';
import type { ToolContext } from '../../tools/define-tool.ts';
import { FileRefusal, type OpenedFile, type OpenedPlace } from './file-access.ts';
import { chunksOf, restOfWord } from './file-lines.ts';
import { readFileText } from './file-text.ts';
import { lookAtFiles } from './look-at-files.ts';
import { globsOf, nameIn, type RipgrepOutput, runRipgrep } from './ripgrep.ts';

export const searchInput = z.strictObject({
  pattern: z.string().min(1).max(2_000),
  path: z.string().min(1).optional().describe('Default: all roots.'),
  glob: z.string().min(1).max(500).optional().describe('E.g. "*.log".'),
  literal: z.boolean().default(false),
  ignoreCase: z.boolean().default(false),
  context: z.int().min(0).max(20).default(0).describe('Lines around it.'),
  output: z.enum(['lines', 'files', 'count']).default('lines'),
  limit: z.int().min(1).max(2_000).default(200),
});
export type Search = z.output<typeof searchInput>;

/** `searched` counts files that were searched to their end; `gaps` are names of others by the reason. */
export type Hits = { lines: string[]; searched: number; truncated: boolean; gaps: Map<string, string[]> };

/** `most` lines are wanted. */
export type SearchRun = { search: Search; most: number } & Pick<ToolContext, 'signal' | 'redact'>;

/** Reasons that leave nothing unsaid about a text below the place. */
export const harmlessGaps = new Set([
  'not searched, because binary',
  'links that lead elsewhere were not followed',
]);

/** Adds its lines and its gaps to `all`. */
export async function searchPlace(place: OpenedPlace, run: SearchRun, all: Hits): Promise<void> {
  if (!place.isFolder) return searchFile(place, run, all);
  const { search, most, signal } = run;
  const globs = search.glob === undefined ? [] : [`--glob=${search.glob}`];
  const { plain, others, binary, links, isCut } = await lookAtFiles(place, globs, signal);
  const shown = (names: string[]): string[] => names.map((name) => nameIn(place, name));
  const find: Find = (options, only) => {
    const those = only ? globsOf(only, '') : [...globs, ...globsOf([...others, ...binary], '!')];
    return runRipgrep({ options: [...options, ...those], place, maxEntries: most, signal });
  };
  const { unreadable } = await addLines(place, run, find, all);
  all.searched += plain.filter((name) => !unreadable.includes(name)).length;
  addGap(all, 'could not be read', shown(unreadable));
  addGap(all, 'not searched, because binary', shown(binary));
  addGap(all, 'links that lead elsewhere were not followed', shown(links));
  if (isCut) addGap(all, 'so many files that not all were looked at', [place.shown]);
  for (const name of others) {
    if (all.truncated) return;
    const searching = place.openFile(name, (file) => searchFile(file, run, all));
    await searching.catch((error: unknown) => {
      if (!(error instanceof FileRefusal)) throw error;
      addGap(all, 'could not be read', shown([name]));
    });
  }
}

function addGap({ gaps }: Hits, reason: string, names: string[]): void {
  if (names.length > 0) gaps.set(reason, [...(gaps.get(reason) ?? []), ...names]);
}

async function searchFile(file: OpenedFile, run: SearchRun, all: Hits): Promise<void> {
  const { search, signal, most } = run;
  const text = await readFileText(() => chunksOf(file, signal));
  if ('reason' in text) return addGap(all, `not searched, because ${text.reason}`, [file.shown]);
  const { encoding } = text;
  // ASCII is the same in every encoding that extends it
  if (!encoding.startsWith('utf-') && /[^\0-\x7f]/.test(search.pattern))
    addGap(all, `not in UTF-8, searched as ${encoding}, which is a guess`, [file.shown]);
  const find: Find = (options) =>
    runRipgrep({ options, place: file, maxEntries: most, signal, input: text.chunks() });
  await addLines(file, run, find, all);
  if (text.isDamaged()) addGap(all, 'not searched to the end, because damaged', [file.shown]);
  else all.searched++;
}

/** `only` names files of the place, for a search that is made again. */
type Find = (options: string[], only?: string[]) => Promise<RipgrepOutput>;

async function addLines(place: OpenedPlace, run: SearchRun, find: Find, all: Hits): Promise<RipgrepOutput> {
  const { search, most, redact } = run;
  const output = await find([...optionsOf(search), `--regexp=${search.pattern}`]);
  const rows = rowsOf(output);
  const hits = search.output === 'lines' ? await hitsOfLongLines(rows, run, find) : new Map<string, string>();
  all.lines.push(...rows.map((row) => shownRow(place, row, hits.get(`${row.name}\0${row.line}`), redact)));
  all.truncated = output.truncated || all.lines.length > most;
  all.lines.length = Math.min(all.lines.length, most);
  return output;
}

function optionsOf({ output, context, literal, ignoreCase }: Search): string[] {
  return present([
    '--sort=path',
    '--no-heading',
    '--with-filename',
    '--line-number',
    '--max-columns=2000',
    '--max-columns-preview',
    // NUL within a text would end its search; binary files are left out before
    '--text',
    '--crlf',
    literal && '--fixed-strings',
    ignoreCase && '--ignore-case',
    output === 'files' && '--files-with-matches',
    output === 'count' && '--count',
    // a name may look like what follows it
    output === 'lines' && '--null',
    output === 'lines' && `--context=${context}`,
  ]);
}

/** Without a name: what separates groups, and rows that are no lines. */
type PrintedRow = { name?: string | undefined; line: string; mark: string; text: string };

function rowsOf({ bytes }: RipgrepOutput): PrintedRow[] {
  const rows = new TextDecoder('utf-8').decode(bytes).split(/\r?\n/);
  return rows.slice(0, -1).map((row) => {
    const [, name, line = '', mark = '', text = row] = /^([^\0]*)\0(\d+)([:-])(.*)$/s.exec(row) ?? [];
    return { name, line, mark, text };
  });
}

const cutMark = / \[\.\.\. (?:\d+ more match(?:es)?|omitted end of long line)\]$/;

function shownRow(
  place: OpenedPlace,
  { name, line, mark, text }: PrintedRow,
  hit: string | undefined,
  redact: ToolContext['redact'],
): string {
  if (name === undefined) return nameIn(place, text);
  const { kept, isBinary } = stripControls(text);
  const cut = cutMark.exec(kept);
  const prefix = `${nameIn(place, name)}${mark}${line}${mark}`;
  if (cut === null) return prefix + (isBinary ? binaryNotice(text.length) : kept);
  // what was cut may end in half a secret
  const start = redact(kept.slice(0, hit === undefined ? cut.index : 200), { cut: true });
  return prefix + start + (hit ?? cut[0]);
}

/** Bytes before and after a hit; those of its line that are shown anyway. */
const around = { before: 1_500, after: 700, shown: 2_000 };
/** The first bytes before a hit may be the end of a secret, and so may the rest of their word. */
const unsure = 200;

/** The surroundings of hits that the beginning of their line does not show, by name and line. */
async function hitsOfLongLines(
  rows: PrintedRow[],
  { search, redact }: SearchRun,
  find: Find,
): Promise<Map<string, string>> {
  const hits = new Map<string, string>();
  const cut = rows.flatMap(({ name, mark, text }) =>
    mark === ':' && cutMark.test(text) ? (name ?? []) : [],
  );
  if (cut.length === 0) return hits;
  const { literal, pattern } = search;
  const wanted = literal ? escapeRegExp(pattern) : pattern;
  const { before, after, shown } = around;
  const window = `(?P<holdfast>(?-u:[^\\n]){0,${before}}(?:${wanted})(?-u:[^\\n]){0,${after}})`;
  const options = optionsOf({ ...search, literal: false, context: 0 });
  // the rest of the line belongs to the match, so that each line has one
  const regexp = `--regexp=${window}(?-u:[^\\n])*`;
  const again = [...options, '--max-columns=0', '--only-matching', '--column', '--replace=$holdfast', regexp];
  const output = await find(again, [...new Set(cut)]).catch((error: unknown) => {
    // a pattern that is valid alone only, such as one with comments
    if (error instanceof FileRefusal) return undefined;
    throw error;
  });
  for (const { name, line, text } of output ? rowsOf(output) : []) {
    const byte = Number.parseInt(text);
    if (byte + before < shown) continue;
    const { kept } = stripControls(redact(text.slice(text.indexOf(':') + 1), { cut: true }));
    const known = kept.slice(unsure);
    const sure = known.slice(restOfWord(known)).replace(/\ufffd+$/, '');
    hits.set(`${name}\0${line}`, ` [... from byte ${byte + unsure}: ] ${sure} [...]`);
  }
  return hits;
}
