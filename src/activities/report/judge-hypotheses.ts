// The hypotheses of a session as its report has them: their quotes looked up, and the order of predictions and calls taken
// from the log. Runs in Node; reads the store, writes nothing.
import { textOf, type LogRecord } from '@holdfast/vocabulary/messages';
import type { Prediction } from '@holdfast/vocabulary/hypotheses';
import { hypothesesIn, judgeHypotheses } from '@holdfast/report/hypotheses';
import { shortLength } from '@holdfast/report/quotes/found-quote';
import type { Report } from '@holdfast/report/report';
import { ownBooks } from '@holdfast/vocabulary/own-books';
import type { LoggedCalls } from '@holdfast/stored/logged-calls';
import { redactTexts } from '@holdfast/redaction/redact-texts';
import { checkQuotes } from './check-quotes.ts';

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
