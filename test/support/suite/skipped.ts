// One line for the end of a run: how many tests were skipped, and why. The reason is in the title: "skipped: <reason>".

/** Such as `Skipped tests: 3 (data/wire is missing), 1 (no reason in the title)`. */
export function describeSkipped(titles: readonly string[]): string {
  const counts = Map.groupBy(titles, reasonOf);
  const parts = [...counts].map(([reason, found]) => `${found.length} (${reason})`);
  return `Skipped tests: ${parts.join(', ')}`;
}

function reasonOf(title: string): string {
  return /\bskipped: ([^()>]*[^()>\s])/.exec(title)?.[1] ?? 'no reason in the title';
}
