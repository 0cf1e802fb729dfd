// Search over runbooks: the memory's, over an index in this process for one call. A few hundred texts take milliseconds.
// Runs in Node.
import { chunkText } from './chunk-text.ts';
import type { Runbook } from './read-runbooks.ts';
import { searchWords } from './search-words.ts';
import { SqliteStore } from './sqlite-store.ts';

/** Best first; empty if nothing is near. */
export async function searchRunbooks(
  runbooks: readonly Runbook[],
  query: string,
  limit: number,
): Promise<Runbook[]> {
  const words = searchWords(query).filter((word) => word.length > 1 && !empty.has(word));
  const store = new SqliteStore();
  try {
    let count = 0;
    for (const [index, { name, text }] of runbooks.entries()) {
      const chunks = chunkText(String(index), `## ${name}\n${text}`, 0);
      count += chunks.length;
      await store.index(String(index), '', chunks);
    }
    const find = async (wanted: readonly string[]): Promise<Set<string>> =>
      new Set((await store.find(wanted, count)).map(({ source }) => source));
    const has = await Promise.all(words.map((word) => find([word])));
    const isNear = nearness(has, runbooks.length);
    const near = [...(await find(words))].filter(isNear).slice(0, limit);
    return near.flatMap((index) => runbooks[Number(index)] ?? []);
  } finally {
    await store.close();
  }
}

/** Share of the query that a runbook must contain. Rare words weigh more, and words that no runbook has weigh most. */
const nearEnough = 0.4;

/** Any text has some word of a long query: without this the search would match everything. */
function nearness(has: readonly Set<string>[], count: number): (source: string) => boolean {
  const weigh = (sources: Set<string>): number => Math.log(1 + count / Math.max(1, sources.size));
  const sum = (sets: readonly Set<string>[]): number => sets.reduce((all, set) => all + weigh(set), 0);
  const all = sum(has);
  return (source) => sum(has.filter((sources) => sources.has(source))) / all >= nearEnough;
}

/** Words that occur in any question. */
const empty = new Set(
  (
    'a about above after all alert alerting an and any are as at be because been below but by can did do does firing for from ' +
    'had has have how if in into is it its me my no not of off on one or our out over so some than that the their then there ' +
    'these they this to too under up was we were what when where which who why will with you your'
  ).split(' '),
);
