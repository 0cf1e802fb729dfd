// The results of hypotheses in the same words for every form of the report. Pure.
import type { CheckedHypothesis, CheckedPrediction, RootCause } from './report.ts';

/** Such as `h1, the root cause: supported`, or `h2: refuted, because of h2.1`. */
export function describeStanding(
  { id, status, predictions }: CheckedHypothesis,
  rootCause: RootCause | undefined,
): string {
  const role = rootCause?.hypothesis?.trim() === id ? ', the root cause' : '';
  const broken = predictions.find(({ refutes, result }) => refutes && result === 'opposite');
  const why = broken ? `, because of ${broken.id}` : statusWords[status];
  return `${id}${role}: ${status}${why}`;
}

const statusWords: Record<CheckedHypothesis['status'], string> = {
  open: ', because no prediction is met',
  supported: '',
  refuted: '',
  untested: ', because no test counts',
};

/** Such as `met`, or `withstood`, of an attempt to break it. */
export function describePrediction({ result, refutes, reason }: CheckedPrediction): string {
  if (result === 'met') return refutes ? 'met, the opposite would have refuted it' : 'met';
  if (result === 'opposite') return refutes ? 'the opposite: it refutes it' : 'the opposite';
  return result === 'untested' ? 'not tested' : `does not count: ${reason ?? ''}`;
}
