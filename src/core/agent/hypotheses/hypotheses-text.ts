// Hypotheses in words, for the model and for people. Pure.
import { cutText } from '@holdfast/base/cut-text';
import { counted } from '@holdfast/base/words';
import { type Hypothesis, isTested, type Prediction } from '@holdfast/vocabulary/hypotheses';

/** One line for each hypothesis, and one below it for each prediction. */
export function hypothesesText(hypotheses: readonly Hypothesis[]): string {
  return hypotheses.flatMap((one) => [headLine(one), ...one.predictions.map(predictionLine)]).join('\n');
}

function headLine(hypothesis: Hypothesis): string {
  const { id, statement, component, kind } = hypothesis;
  return `${id} [${isTested(hypothesis) ? 'tested' : 'open'}] ${component} (${kind}): ${statement}`;
}

function predictionLine({ id, call, expect, refutes, tests }: Prediction): string {
  const last = tests.at(-1);
  const answer = last && `${last.opposite ? 'the opposite in' : 'answered by'} call ${last.callId}`;
  return `  ${id} ${call}: ${expect}${refutes ? ' (else refuted)' : ''} - ${answer ?? 'not tested'}`;
}

/** Numbers of hypotheses, of all their predictions, and of those with a test. */
export type HypothesisCounts = { hypotheses: number; predictions: number; tested: number };

/** Such as `2, 1 of 3 predictions tested`. */
export function countLine({ hypotheses, predictions, tested }: HypothesisCounts): string {
  return `${hypotheses}, ${tested} of ${counted(predictions, 'prediction')} tested`;
}

/** Such as `h1 (1/2): The pool is too small`. */
export function hypothesisLine({ id, statement, predictions }: Hypothesis): string {
  const tested = predictions.filter(({ tests }) => tests.length > 0).length;
  return `${id} (${tested}/${predictions.length}): ${cutText(statement, 120)}`;
}

export function countsOf(hypotheses: readonly Hypothesis[]): HypothesisCounts {
  const all = hypotheses.flatMap(({ predictions }) => predictions);
  const tested = all.filter(({ tests }) => tests.length > 0).length;
  return { hypotheses: hypotheses.length, predictions: all.length, tested };
}
