// Groups log lines by their template: the words that stay, with the parts that change left out. The algorithm is Drain
// (He and others, 2017): lines of one length and one first word are compared word by word. Runs in Node, pure; memory and
// time are bounded for any input.
import { saysWrong } from '../report/decisive-lines.ts';
import { timeOfLine } from '@holdfast/base/line-time';

/** The lines of one template. Every line belongs to exactly one. */
export type LogTemplate = {
  /** Number of its first line, from 1; the template's name. */
  line: number;
  /** The first line, unchanged. */
  sample: string;
  lines: number;
  /** First and last time in milliseconds since 1970, where its lines have times. */
  from?: number;
  to?: number;
  /** True if its lines speak of a failure. Such lines never share a template with others. */
  isWrong: boolean;
  /** Lines with a time, and those whose time names no zone. */
  timed: number;
  unzoned: number;
};

type Cluster = LogTemplate & { words: (string | undefined)[] };
type Leaf = Cluster[];

/** Share of equal words from which on a line belongs to a template. */
const similar = 0.7;
/** Characters and words of a line that are compared. */
const comparedLength = 1_000;
const comparedWords = 32;
/** First words with branches of their own, templates of one branch, templates in all: other lines join the nearest. */
const mostBranches = 100;
const mostInLeaf = 50;
const mostTemplates = 2_000;
const variable = '<*>';

export class LogTemplates {
  readonly all: Cluster[] = [];
  readonly #branches = new Map<string, Map<string, Leaf>>();
  #before: Cluster | undefined;

  /** Takes the next line, and returns its template, as known so far. */
  add(line: string, number: number): LogTemplate {
    const compared = line.slice(0, comparedLength);
    const isWrong = saysWrong(compared);
    const { at, hasZone, rest, continues } = readHead(compared);
    const before = continues && (!isWrong || this.#before?.isWrong) ? this.#before : undefined;
    const template = before ?? this.#templateOf(rest, isWrong, line, number);
    this.#before = template;
    template.lines += 1;
    if (at !== undefined) {
      template.from = Math.min(template.from ?? at, at);
      template.to = Math.max(template.to ?? at, at);
      template.timed += 1;
      if (!hasZone) template.unzoned += 1;
    }
    return template;
  }

  #templateOf(said: string, isWrong: boolean, sample: string, line: number): Cluster {
    const words = wordsOf(said);
    const leaf = this.#leafOf(words, `${isWrong} ${status.exec(said)?.[1]} ${words.length}`);
    let best: Cluster | undefined;
    let most = -1;
    for (const cluster of leaf) {
      const share = shareOf(cluster.words, words);
      if (share > most) [best, most] = [cluster, share];
      if (most === 1) break;
    }
    const isFull = leaf.length >= mostInLeaf || this.all.length >= mostTemplates;
    if (best && (isFull || most >= similar)) {
      if (most < 1) best.words = best.words.map((word, at) => (word === words[at] ? word : undefined));
      return best;
    }
    const made: Cluster = { line, sample, lines: 0, isWrong, timed: 0, unzoned: 0, words };
    leaf.push(made);
    this.all.push(made);
    return made;
  }

  /** A branch for each kind of line, with its length, and under it for each first word. */
  #leafOf(words: readonly string[], kind: string): Leaf {
    const branches = entry(this.#branches, kind, () => new Map<string, Leaf>());
    const first = words[0] ?? '';
    const isFull = branches.size >= mostBranches || this.all.length >= mostTemplates;
    return entry(branches, isFull && !branches.has(first) ? variable : first, () => []);
  }
}

/** Share of the words that are equal, of those that are no figures; 1 if all are. */
function shareOf(known: Cluster['words'], words: readonly string[]): number {
  let equal = 0;
  let counted = 0;
  // by index: this is the innermost loop
  for (let at = 0; at < words.length; at += 1) {
    const word = known[at];
    if (word === variable && words[at] === variable) continue;
    counted += 1;
    if (word === words[at]) equal += 1;
  }
  return counted === 0 ? 1 : equal / counted;
}

function entry<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

/** A path and a line number, as grep writes them before a line. */
const grepHead = /^(?=[^\s:]*[a-z/])[^\s:]{1,300}[:-]\d{1,9}[:-]/i;

/** `continues`: an indented or empty line belongs to the line before it, as the frames of a stack do. */
function readHead(line: string): ReturnType<typeof timeOfLine> & { continues: boolean } {
  const prefix = /^\d{4}-\d\d-\d\d[ t]/i.test(line) ? undefined : grepHead.exec(line)?.[0];
  const timed = timeOfLine(prefix === undefined ? line : line.slice(prefix.length));
  const said = timed.at === undefined ? timed.rest : timed.rest.replace(/^[\s\]]/, '');
  return { ...timed, continues: prefix === undefined && /^(?:\s|$)/.test(said) };
}

const separator = /[\s=:,;"'()[\]{}<>|]+/;
/** The status of an HTTP answer: the 500s of an access log are a template of their own. */
const status = /(?:\bhttp\/[\d.]{1,3}" ?|\b(?:status|code)(?:_?code)?["' =:]{1,4})([1-5]\d\d)\b/i;

function wordsOf(text: string): string[] {
  const words = text.split(separator, comparedWords + 2).filter((word) => word !== '');
  return words.slice(0, comparedWords).map((word) => (/\d/.test(word) ? variable : word));
}
