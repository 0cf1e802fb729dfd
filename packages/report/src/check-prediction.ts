// The check `prediction` of a root cause: its hypothesis was one of at least two, has predicted a line before the call that
// showed it, and has withstood an attempt to break it. Pure.
import { haveNameInCommon } from './component-names.ts';
import type { CauseCheck, CheckedHypothesis, Report } from './report.ts';

export function checkPrediction(report: Pick<Report, 'rootCause' | 'hypotheses'>): CauseCheck {
  const lack = lackOf(report);
  const { hypothesis = '' } = report.rootCause ?? {};
  return lack === undefined
    ? { check: 'prediction', result: 'holds', text: `${hypothesis} predicted a line, and withstood a test` }
    : { check: 'prediction', result: 'fails', text: lack };
}

function lackOf({
  rootCause,
  hypotheses = [],
}: Pick<Report, 'rootCause' | 'hypotheses'>): string | undefined {
  if (hypotheses.length === 0)
    return 'no hypotheses were written: confirmed needs two, and an attempt to break the leader';
  if (hypotheses.length === 1)
    return 'only one hypothesis was written: confirmed needs two, and an attempt to break the leader';
  if (rootCause?.hypothesis === undefined) return 'rootCause does not name its hypothesis';
  const leader = hypotheses.find(({ id }) => id === rootCause.hypothesis?.trim());
  if (!leader) return `rootCause names the hypothesis "${rootCause.hypothesis}", which was not written`;
  if (!haveNameInCommon(leader.component, rootCause.component))
    return `${leader.id} is about "${leader.component}", and the root cause about "${rootCause.component}"`;
  return lackOfTests(leader);
}

function lackOfTests({ id, status, predictions }: CheckedHypothesis): string | undefined {
  if (status === 'refuted') return `${id} is refuted by a call`;
  const met = predictions.filter(({ result }) => result === 'met');
  if (met.length === 0)
    return `no prediction of ${id} is met by a quote of a call that was made after it was written`;
  if (!met.some(({ refutes }) => refutes))
    return `nothing has tried to break ${id}: a prediction that refutes it otherwise, written before its call, and met`;
  return met.length === 1
    ? `only the attempt to break ${id} is met, and no other prediction of it`
    : undefined;
}
