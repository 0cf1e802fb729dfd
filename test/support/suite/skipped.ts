// A vitest reporter: one line at the end of a run that says how many tests were skipped, and why. The reason is in the
// title: "skipped: <reason>".
import type { Reporter, TestModule } from 'vitest/node';

export default class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const titles = modules.flatMap(({ children }) =>
      [...children.allTests('skipped')].map(({ fullName }) => fullName),
    );
    if (titles.length > 0) console.log(`\n${describeSkipped(titles)}`);
  }
}

/** Such as `Skipped: 3 (data/wire is missing), 1 (no reason in the title)`. */
export function describeSkipped(titles: readonly string[]): string {
  const counts = Map.groupBy(titles, reasonOf);
  const parts = [...counts].map(([reason, found]) => `${found.length} (${reason})`);
  return `Skipped tests: ${parts.join(', ')}`;
}

function reasonOf(title: string): string {
  return /\bskipped: ([^()>]*[^()>\s])/.exec(title)?.[1] ?? 'no reason in the title';
}
