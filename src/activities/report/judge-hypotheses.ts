// The hypotheses of a session as its report has them: their quotes looked up, and the order of predictions and calls taken
// from the log. Runs in Node; reads the store, writes nothing.
import { textOf, type LogRecord } from '../../../packages/vocabulary/src/messages.ts';
import type { Prediction } from '../../../packages/vocabulary/src/hypotheses.ts';
import { hypothesesIn, judgeHypotheses } from '../../../packages/report/src/hypotheses.ts';
import { shortLength } from '../../../packages/report/src/quotes/found-quote.ts';
import type { Report } from '../../../packages/report/src/report.ts';
import { ownBooks } from '../../../packages/vocabulary/src/own-books.ts';
import type { LoggedCalls } from '../../../packages/stored/src/logged-calls.ts';
import { redactTexts } from '../../../packages/redaction/src/redact-texts.ts';
import { checkQuotes } from './evidence.ts';

type Session = Parameters<typeof checkQuotes>[1];

/** Without the field if none were written. Rejects if the store cannot be read. */
export async function judgeLogged(
  log: readonly LogRecord[],
  calls: LoggedCalls,
  session: Session,
): Promise<Pick<Report, 'hypotheses'>> {
  const written = redactTexts(hypothesesIn(log), session.redact);
  if (written.length === 0) return {};
  const tests = written.flatMap(({ predictions }) => predictions.flatMap((one) => one.tests));
  const check = await checkQuotes(tests, session, calls);
  return {
    hypotheses: judgeHypotheses(written, {
      check,
      isLater: (callId, prediction) => isLater(calls, callId, prediction),
      shownBefore: (quote, prediction) => shownBefore(calls, quote, prediction),
    }),
  };
}

function isLater(calls: LoggedCalls, callId: string, { seq, at }: Prediction): boolean {
  const logged = calls.get(callId);
  if (!logged) return false;
  // the log of a subagent has numbers of its own
  return logged.by ? logged.at > at : logged.seq > seq;
}

function shownBefore(calls: LoggedCalls, quote: string, { seq }: Prediction): string | undefined {
  const words = quote.trim();
  const has = (text: string): boolean =>
    words.length < shortLength
      ? text.split('\n').some((line) => line.trim() === words)
      : text.includes(words);
  const shown = [...calls.values()].find(
    ({ by, call, seq: made, result }) =>
      !by && made < seq && result && !ownBooks.has(call.name) && has(textOf(result)),
  );
  return shown?.id;
}
