// The lines of an output that a reader looks for first: failures, then changes, then full resources. Matched by words, so
// it is a help and no verdict. Runs in Node, pure.

/** Characters of an output that are read; the middle of a long one is left to its reader. */
const lookedAt = 200_000;

const wrong =
  /\b(?:error|err|fatal|panic|critical|crit|alert|emerg|exception|traceback|fail(?:ed|ure|ing|s)?|refused|denied|accessdenied|not authori[sz]ed|rejected|unauthori[sz]ed|forbidden|time[ds]?[ -]?out|unreachable|unavailable|unhealthy|not ready|oom|oomkilled|out of memory|killed|crash(?:ed|loopbackoff)?|abort(?:ed)?|segfault|no space|disk full|exhausted|exceeded|too many|cannot|can't|could not|unable|not found|no such|expired|corrupt(?:ed)?|deadlock|reset by peer|no route|down|stopped|inactive|dead|http[ /][\d.]*"? ?5\d\d|5\d\d (?:bad|internal|service|gateway)|(?:get|head|post|put|patch|delete) \/\S{0,300} 5\d\d)\b/i;
const changed =
  /\b(?:deploy(?:ed|ment|ing)?|roll(?:ed|ing)?[ -]?(?:out|back)|release[ds]?|restart(?:ed|ing)?|reload(?:ed|ing)?|upgrad(?:ed|e|ing)|migrat(?:ed|ion|ing)|changed|replaced|reverted|merged|scaled|resized|renamed|removed|deleted|created|enabled|disabled|set to|started)\b/i;
/** One value in place of another: `pool: 20 -> 2`. Bounded: a line of JSON or base64 is one long word. */
const moved = /(?:\d\S{0,80}|: ?\S{1,80}) ?(?:->|=>|→) ?\S/;
const full = /\b(\d+) ?(?:of|\/) ?\1\b|\b(?:9\d|100)(?:\.\d+)? ?%/;
/** Statements of absence, e.g. `0 errors`. */
const none =
  /\b(?:no|0|zero|without)\s+(?:errors?|failures?|failed|warnings?|problems?)\b|\berrors?[=: ]+0\b/gi;

/** True for a line that speaks of a failure. */
export function saysWrong(line: string): boolean {
  return wrong.test(line) && wrong.test(line.replaceAll(none, ' '));
}

/** The weight of a line about a failure. */
export const ofFailure = 3;

/** 0 for an ordinary line. */
export function weightOf(line: string): number {
  if (saysWrong(line)) return ofFailure;
  const said = line.replaceAll(none, ' ');
  return changed.test(said) || moved.test(said) ? 2 : full.test(said) ? 1 : 0;
}

/** The beginning of a long line, and what is around the words that make it decisive. */
export function shortLine(line: string, characters: number): string {
  if (line.length <= characters) return line;
  const said = line.replaceAll(none, (words) => ' '.repeat(words.length));
  const found = [wrong, changed, moved, full].map((words) => said.search(words)).find((at) => at >= 0) ?? 0;
  const half = characters / 2;
  return `${line.slice(0, half)} … ${line.slice(Math.max(half, found - half / 2), found + half / 2)}`;
}

/** At most `most` lines: the weightiest first, equal ones in order. Lines that differ only in figures count once. */
export function decisiveLines(text: string, most: number): string[] {
  const seen = new Set<string>();
  const head = text.length > lookedAt ? text.slice(0, text.lastIndexOf('\n', lookedAt)) : text;
  const lines = head
    .split('\n')
    .map((line) => ({ line: line.trim(), weight: weightOf(line) }))
    .filter(({ line, weight }) => {
      const words = line.replaceAll(/\d+/g, '0');
      return weight > 0 && !seen.has(words) && seen.add(words);
    });
  return lines
    .toSorted((left, right) => right.weight - left.weight)
    .slice(0, most)
    .map(({ line }) => line);
}
