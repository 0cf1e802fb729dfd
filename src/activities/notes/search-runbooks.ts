// Full-text search over runbooks, by an in-memory SQLite for one call. A few hundred texts take milliseconds. Runs in
// Node.
import { DatabaseSync } from 'node:sqlite';
import type { Runbook } from './read-runbooks.ts';

/** Best first; empty if nothing is near. */
export function searchRunbooks(runbooks: readonly Runbook[], query: string, limit: number): Runbook[] {
  const words = wordsOf(query);
  if (words.length === 0 || runbooks.length === 0) return [];
  const database = new DatabaseSync(':memory:');
  try {
    database.exec("CREATE VIRTUAL TABLE runbook USING fts5(name, text, tokenize = 'porter unicode61')");
    const insert = database.prepare('INSERT INTO runbook (rowid, name, text) VALUES (?, ?, ?)');
    for (const [index, { name, text }] of runbooks.entries())
      insert.run(index, withParts(name), withParts(text));
    const isNear = nearness(database, words, runbooks.length);
    const ranked = database
      // the name weighs more than the text
      .prepare('SELECT rowid FROM runbook WHERE runbook MATCH ? ORDER BY bm25(runbook, 4.0, 1.0), rowid')
      .all(words.map(quoted).join(' OR '))
      .map(({ rowid }) => Number(rowid))
      .filter(isNear);
    return ranked.slice(0, limit).flatMap((index) => runbooks[index] ?? []);
  } finally {
    database.close();
  }
}

/** Share of the query that a runbook must contain. Rare words weigh more, and words that no runbook has weigh most. */
const nearEnough = 0.4;

/** Any text has some word of a long query: without this the search would match everything. */
function nearness(database: DatabaseSync, words: string[], count: number): (index: number) => boolean {
  const find = database.prepare('SELECT rowid FROM runbook WHERE runbook MATCH ?');
  const found = words.map((word) => {
    const rows = new Set(find.all(quoted(word)).map(({ rowid }) => Number(rowid)));
    return { rows, weight: Math.log(1 + count / Math.max(1, rows.size)) };
  });
  const all = found.reduce((sum, { weight }) => sum + weight, 0);
  return (index) => {
    const has = found.reduce((sum, { rows, weight }) => sum + (rows.has(index) ? weight : 0), 0);
    return has / all >= nearEnough;
  };
}

/** Splits a name such as KubePodCrashLooping into words. */
function spaced(text: string): string {
  return text.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ');
}

/** Adds the words of each name, because a query may have StatefulSet, stateful set or statefulset. */
function withParts(text: string): string {
  return text.replaceAll(/\b\w*[a-z]\w*[A-Z]\w*\b/g, (name) => `${name} ${spaced(name)}`);
}

function wordsOf(query: string): string[] {
  const words =
    spaced(query)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return [...new Set(words)].filter((word) => !empty.has(word)).slice(0, 30);
}

/** Words that occur in any question. */
const empty = new Set(
  (
    'a about above after all alert alerting an and any are as at be because been below but by can did do does firing for from ' +
    'had has have how if in into is it its me my no not of off on one or our out over so some than that the their then there ' +
    'these they this to too under up was we were what when where which who why will with you your'
  ).split(' '),
);

function quoted(word: string): string {
  return `"${word}"`;
}
