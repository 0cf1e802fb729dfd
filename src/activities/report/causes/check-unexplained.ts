// Looks for failures that the run has read and the report leaves aside: the true cause of a consequence that is blamed often
// stands there. Runs in Node, pure.
import { textOf } from '../../../core/model/messages.ts';
import { type CauseCheck, quotesOf } from '../../../core/report/report.ts';
import { decisiveLines, ofFailure, shortLine, weightOf } from '../decisive-lines.ts';
import { withoutFigures } from '../unexplained.ts';
import { type Cause, isLook } from './cause.ts';

/** Lines of a call that are looked at, and characters of the one that is shown. */
const mostLines = 3;
const shownCharacters = 200;

/** An event, or a counter that has counted: source code and settings speak of failures, too. */
const isSeen =
  /(?<!\d)\d\d:\d\d(?!\d)|^\d+[smhd]\b|(?:errors?|failures?|drops|dropped|timeouts?|crashes)(?:_total)?["']?[ \t]*[:=][ \t]*[1-9]/i;

export function checkUnexplained({ report, calls }: Cause): CauseCheck {
  const check = 'unexplained';
  const quoted = quotesOf(report).filter(({ verified }) => verified);
  const known = new Set(quoted.map(({ quote }) => withoutFigures(quote)));
  const quotedCalls = new Set(quoted.map(({ callId }) => callId));
  for (const logged of calls.values()) {
    if (quotedCalls.has(logged.id) || !isLook(logged) || !logged.result) continue;
    const line = decisiveLines(textOf(logged.result), mostLines).find(
      (each) => weightOf(each) >= ofFailure && isSeen.test(each) && !known.has(withoutFigures(each)),
    );
    if (line === undefined) continue;
    const text = `call ${logged.id} shows a failure, and nothing in the report quotes a line of it: "${shortLine(line, shownCharacters)}"`;
    return { check, result: 'fails', text };
  }
  return { check, result: 'holds', text: 'of each call that shows a failure the report quotes a line' };
}
