// The status of each hypothesis, set by code from the log and from quotes that were looked up. Pure.
import { isRecord } from '@holdfast/base/json';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import {
  type Hypothesis,
  type Prediction,
  type PredictionTest,
  withChanged,
} from '@holdfast/vocabulary/hypotheses';
import { defined } from '@holdfast/base/defined';
import { type CheckedQuote, type CheckedHypothesis, type CheckedPrediction, carries } from './report.ts';

/** The hypotheses that a log has. The loop writes the details of a result, never a model. */
export function hypothesesIn(log: readonly LogRecord[]): Hypothesis[] {
  return log.reduce<Hypothesis[]>((before, record) => {
    if (record.role !== 'tool_result' || record.toolName !== 'hypotheses' || record.isError) return before;
    const { details } = record;
    const changed: unknown = isRecord(details) ? details['changed'] : undefined;
    return Array.isArray(changed) ? withChanged(before, changed.filter(isHypothesis)) : before;
  }, []);
}

function isHypothesis(value: unknown): value is Hypothesis {
  return isRecord(value) && typeof value['id'] === 'string' && Array.isArray(value['predictions']);
}

/** Answers about the calls that predictions name. */
export type Evidence = {
  check(test: PredictionTest): CheckedQuote;
  /** True if the reply that made the call is later than the one that wrote the prediction. */
  isLater(callId: string, prediction: Prediction): boolean;
  /** A call of an earlier reply than the prediction's whose output has the quote. */
  shownBefore(quote: string, prediction: Prediction): string | undefined;
};

export function judgeHypotheses(hypotheses: readonly Hypothesis[], evidence: Evidence): CheckedHypothesis[] {
  return hypotheses.map(({ id, statement, component, kind, predictions }) => {
    const checked = predictions.map((prediction) => judgePrediction(prediction, evidence));
    return { id, statement, component, kind, status: statusOf(checked), predictions: checked };
  });
}

function statusOf(predictions: readonly CheckedPrediction[]): CheckedHypothesis['status'] {
  const has = (wanted: CheckedPrediction['result'], among = predictions): boolean =>
    among.some(({ result }) => result === wanted);
  const breaking = predictions.filter(({ refutes }) => refutes);
  if (has('opposite', breaking)) return 'refuted';
  if (has('met')) return 'supported';
  return has('opposite') ? 'open' : 'untested';
}

/** The strongest of the tests: the opposite of what was expected outweighs a line that shows it. */
function judgePrediction(prediction: Prediction, evidence: Evidence): CheckedPrediction {
  const { id, call, expect, refutes, tests } = prediction;
  const judged = tests.map((test) => judgeTest(test, prediction, evidence));
  const best =
    judged.find(({ result }) => result === 'opposite') ??
    judged.find(({ result }) => result === 'met') ??
    judged.at(-1);
  return { id, call, expect, ...defined({ refutes }), result: 'untested', ...best };
}

type JudgedPrediction = Pick<CheckedPrediction, 'result' | 'reason' | 'quote'>;

function judgeTest(test: PredictionTest, prediction: Prediction, evidence: Evidence): JudgedPrediction {
  const quote = evidence.check(test);
  const before = evidence.shownBefore(test.quote, prediction);
  const reason =
    quote.reason ??
    quote.weak ??
    (evidence.isLater(quote.callId, prediction)
      ? before && `call ${before} had shown that line before the prediction was written`
      : `the prediction was not written before call ${quote.callId}`);
  if (reason !== undefined || !carries(quote))
    return { result: 'not_counted', reason: reason ?? 'the quote was not found', quote };
  return { result: test.opposite ? 'opposite' : 'met', quote };
}
