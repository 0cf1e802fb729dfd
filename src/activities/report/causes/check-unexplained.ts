// Looks for failures that the run has read and the report leaves aside: the true cause of a consequence that is blamed often
// stands there. Runs in Node, pure.
import { type Moment, momentsIn } from '@holdfast/base/line-time';
import { textOf } from '@holdfast/vocabulary/messages';
import { contentWords, wordsInCommon } from '@holdfast/report/component-names';
import { type CauseCheck, quotesOf } from '@holdfast/report/report';
import { type LoggedCall, endOfCall } from '@holdfast/stored/logged-calls';
import { decisiveLines, ofFailure, saysWrong, shortLine, weightOf } from '../decisive-lines.ts';
import { type Cause, hitLines, isLook } from './cause.ts';

/** Lines of a call that are looked at, and characters of the one that is shown. */
const mostLines = 3;
const shownCharacters = 200;
/** A failure that is older than this before the first symptom is of another time. */
const longestMs = 86_400_000;

/** Whoever wrote the line takes it for none. */
const isNews = /\b(?:INFO|DEBUG|TRACE|NOTICE)\b|"(?:level|lvl|severity)": ?"(?:info|debug|trace|notice)"/;

/** An event has a time or an age: source code and settings speak of failures, too. */
const isEvent = /(?<!\d)\d\d:\d\d(?!\d)|^\d+[smhd]\b/;

/** `runCalls`: ids of the calls of the run, because another one is about something else. `symptom`: the first one, if known. */
export function checkUnexplained(
  cause: Cause,
  runCalls: ReadonlySet<string>,
  symptom: Moment | undefined,
): CauseCheck {
  const check = 'unexplained';
  const quoted = quotesOf(cause.report).filter(({ verified }) => verified);
  const failed = quoted.filter((quote) => hitLines(quote).some(({ text }) => saysWrong(text)));
  const explained = new Set(failed.map(({ callId }) => callId));
  const known = new Lines(quoted.flatMap((quote) => hitLines(quote).map(({ text }) => text)));
  for (const logged of cause.calls.values()) {
    if (!runCalls.has(logged.id) || explained.has(logged.id) || !isLook(logged)) continue;
    const line = failuresOf(logged, symptom).find((each) => !known.haveLike(each));
    if (line === undefined) continue;
    const text = `call ${logged.id} shows a failure, and nothing in the report quotes one of it: "${shortLine(line, shownCharacters)}"`;
    return { check, result: 'fails', text };
  }
  return { check, result: 'holds', text: 'of each call that shows a failure the report quotes one' };
}

/** Quoted lines by their words: a log has the same failure very often. */
class Lines {
  readonly #words: ReadonlySet<string>[];
  readonly #asked = new Map<string, boolean>();

  constructor(lines: readonly string[]) {
    this.#words = [...new Set(lines.map(comparedPart))].map(wordsIn);
  }

  haveLike(line: string): boolean {
    const own = wordsIn(comparedPart(line));
    const key = [...own].join(' ');
    const before = this.#asked.get(key);
    if (before !== undefined) return before;
    const isThere = this.#words.some((words) => wordsInCommon(own, words).length >= own.size * leastAlike);
    this.#asked.set(key, isThere);
    return isThere;
  }
}

/** A long line is told by its beginning. */
function comparedPart(line: string): string {
  return line.slice(0, 500);
}

/** The least share of its words that a failure has in common with a quoted line which speaks of the same. */
const leastAlike = 0.5;

/** Without figures, which differ from event to event. */
function wordsIn(line: string): Set<string> {
  return new Set([...contentWords(line)].filter((word) => !/\d/.test(word)));
}

function failuresOf({ result }: LoggedCall, symptom: Moment | undefined): string[] {
  if (!result) return [];
  const at = endOfCall(result);
  const from = (symptom?.from ?? at) - longestMs;
  return decisiveLines(textOf(result), mostLines).filter((line) => {
    const isOld = momentsIn(line, at).some((moment) => moment.to < from);
    return weightOf(line) >= ofFailure && isEvent.test(line) && !isNews.test(line) && !isOld;
  });
}
