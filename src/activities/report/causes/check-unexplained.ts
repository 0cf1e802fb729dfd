// Looks for failures that the run has read and the report leaves aside: the true cause of a consequence that is blamed often
// stands there. Runs in Node, pure.
import { type Moment, momentsIn } from '../../../core/base/line-time.ts';
import { textOf } from '../../../core/model/messages.ts';
import { contentWords, wordsInCommon } from '../../../core/report/component-names.ts';
import { type CauseCheck, quotesOf } from '../../../core/report/report.ts';
import { type LoggedCall, endOf } from '../../../stored/logged-calls.ts';
import { decisiveLines, ofFailure, saysWrong, shortLine, weightOf } from '../decisive-lines.ts';
import { type Cause, hitLines, isLook } from './cause.ts';
import { firstSymptom } from './check-order.ts';

/** Lines of a call that are looked at, and characters of the one that is shown. */
const mostLines = 3;
const shownCharacters = 200;
/** A failure that is older than this before the first symptom is of another time. */
const longestMs = 86_400_000;

/** Whoever wrote the line takes it for none. */
const isNews = /\b(?:INFO|DEBUG|TRACE|NOTICE)\b|"(?:level|lvl|severity)": ?"(?:info|debug|trace|notice)"/;

/** An event has a time or an age: source code and settings speak of failures, too. */
const isEvent = /(?<!\d)\d\d:\d\d(?!\d)|^\d+[smhd]\b/;

export function checkUnexplained(cause: Cause, alertedAt?: Moment): CauseCheck {
  const check = 'unexplained';
  const quoted = quotesOf(cause.report).filter(({ verified }) => verified);
  const known = quoted.flatMap((quote) => hitLines(quote).map(({ text }) => wordsIn(text)));
  const failed = quoted.filter((quote) => hitLines(quote).some(({ text }) => saysWrong(text)));
  const explained = new Set(failed.map(({ callId }) => callId));
  const symptom = firstSymptom(cause, alertedAt);
  for (const logged of cause.calls.values()) {
    if (explained.has(logged.id) || !isLook(logged)) continue;
    const line = failuresOf(logged, symptom).find(
      (each) => !known.some((words) => isLike(wordsIn(each), words)),
    );
    if (line === undefined) continue;
    const text = `call ${logged.id} shows a failure, and nothing in the report quotes one of it: "${shortLine(line, shownCharacters)}"`;
    return { check, result: 'fails', text };
  }
  return { check, result: 'holds', text: 'of each call that shows a failure the report quotes one' };
}

/** The least share of its words that a failure has in common with a quoted line which speaks of the same. */
const leastAlike = 0.5;

function isLike(own: ReadonlySet<string>, words: ReadonlySet<string>): boolean {
  return wordsInCommon(own, words).length >= own.size * leastAlike;
}

/** Without figures, which differ from event to event. */
function wordsIn(line: string): Set<string> {
  return new Set([...contentWords(line)].filter((word) => !/\d/.test(word)));
}

function failuresOf({ result }: LoggedCall, symptom: Moment | undefined): string[] {
  if (!result) return [];
  const at = endOf(result);
  const from = (symptom?.from ?? at) - longestMs;
  return decisiveLines(textOf(result), mostLines).filter((line) => {
    const isOld = momentsIn(line, at).some((moment) => moment.to < from);
    return weightOf(line) >= ofFailure && isEvent.test(line) && !isNews.test(line) && !isOld;
  });
}
