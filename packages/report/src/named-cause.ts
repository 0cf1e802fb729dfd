// The cause that a sentence names, compared with that of a report. Pure.
import { wordsOf } from './component-names.ts';
import type { RootCause } from './report.ts';

const forward = [
  String.raw`\bcauses?\b[^.:]{0,40}?(?:\bis|\bwas|\blies in|\blay in|\bturned out to be|:)\s+(.{3,90})`,
  String.raw`\b(?:caused|triggered) by\s+(.{3,90})`,
  String.raw`\bculprit (?:is|was)\s+(.{3,90})`,
  String.raw`\b(?:fault|problem|issue) (?:is|was|lies|lay) (?:in|with)\s+(.{3,90})`,
].map((pattern) => new RegExp(pattern, 'i'));
const backward =
  /(.{3,60}?)\s+(?:caused (?:it|this|the)|(?:is|was|are|were) (?:to blame|the (?:real |true |actual |root )*(?:cause|culprit)|responsible))\b/i;
const causeWords = /\bcause|culprit|\bblame|responsible|\bfault\b|due to|because of/i;

/** Words that end the name of a cause. */
const behindName = /\b(?:not|rather than|instead of|but|which|that|because)\b|[,;(–—]/i;
const noName =
  /\b(?:unknown|unclear|described|documented|given|stated|reported|listed|summari[sz]ed|above|below|still|report|none|confirmed|likely)\b/i;
const small = new Set(
  'the this that its it his their our your and for from with was were been has have had too very only just into over all are is of in on at to by as an or so one which real true actual root cause fault problem issue because'.split(
    ' ',
  ),
);
/** Kinds of components: two names that have only such a word in common are not alike. */
const general = new Set(
  'service server system component app application cluster pod host node process'.split(' '),
);

function wordsOfName(text: string): string[] {
  return wordsOf(text).filter((word) => word.length >= 2 && !small.has(word));
}

function special(words: readonly string[]): string[] {
  const kept = words.filter((word) => !general.has(word));
  return kept.length === 0 ? [...words] : kept;
}

/** The causes that the sentence names, as words; without those that only point to the report. */
export function causesIn(sentence: string): string[][] {
  const named = [...forward, backward].flatMap((pattern) => {
    const found = pattern.exec(sentence)?.[1];
    return found === undefined ? [] : [found.split(behindName)[0] ?? ''];
  });
  return named
    .filter((name) => !noName.test(name))
    .map(wordsOfName)
    .filter((words) => words.length > 0);
}

/** True if the sentence names a cause that has no word in common with that of the report, or clears its component. */
export function namesAnother(sentence: string, { component, kind, text }: RootCause): boolean {
  const own = special(wordsOfName(component));
  const known = new Set([...own, ...special(wordsOfName(`${kind} ${text}`))]);
  const isOther = causesIn(sentence).some((words) => !special(words).some((word) => known.has(word)));
  return isOther || (causeWords.test(sentence) && clears(sentence, own));
}

/** "not the pool", "the pool is not the cause", "nothing to do with the pool". */
function clears(sentence: string, component: readonly string[]): boolean {
  const behind =
    /\b(?:not|instead of|rather than|nothing to do with|unrelated to)\s+((?:[\w-]+\s+){0,3}[\w-]+)/i;
  const before =
    /(.{0,60})\b(?:is|was|are|were) (?:not|never) (?:\w+ )?(?:the (?:\w+ )*cause|to blame|responsible|at fault)\b/i;
  const named = [behind, before].map((pattern) => wordsOfName(pattern.exec(sentence)?.[1] ?? ''));
  return named.some((words) => component.some((word) => words.includes(word)));
}
