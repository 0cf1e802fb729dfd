// Finds the known word that a person probably meant. Pure.

/** No name that people type is longer; the work grows with the length of the word. */
const longestWord = 64;

/** The known word with the fewest changes; undefined if none is near. */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  if (word.length > longestWord) return undefined;
  const most = Math.max(1, Math.floor(word.length / 3));
  const [best] = [...known]
    .map((candidate) => ({ candidate, changes: changesBetween(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ changes }) => changes <= most)
    .toSorted((left, right) => left.changes - right.changes);
  return best?.candidate;
}

/** Counts the letters that are added, left out, replaced, or swapped with their neighbour. */
function changesBetween(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 1; at <= from.length; at += 1) {
    const next = [at];
    for (let other = 1; other <= to.length; other += 1) {
      const same = from[at - 1] === to[other - 1] ? 0 : 1;
      const swapped = from[at - 1] === to[other - 2] && from[at - 2] === to[other - 1];
      next.push(
        Math.min(
          (row[other] ?? 0) + 1,
          (next[other - 1] ?? 0) + 1,
          (row[other - 1] ?? 0) + same,
          swapped ? (before[other - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
