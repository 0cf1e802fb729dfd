// Hypotheses as data: explanations of an incident, with what each predicts and the calls that answered. Part of the
// session's state. Pure.
import { utf8Bytes } from '@holdfast/base/sizes';

/** By the words of the agent, this line of the output of a call answers a prediction. The report looks the quote up. */
export type PredictionTest = {
  /** The call that answers the prediction. */
  callId: string;
  /** A line of its output, as the model gives it. */
  quote: string;
  /** The line shows the opposite of what was expected. */
  opposite?: true;
};

export type Prediction = {
  /** Number after that of its hypothesis, such as `h1.2`. */
  id: string;
  /** The tool, and what it looks at. */
  call: string;
  /** The call shows it if the hypothesis is true. */
  expect: string;
  /** The opposite refutes the hypothesis: the call is an attempt to break it. */
  refutes?: true;
  /** Place in the log of the reply that wrote it. */
  seq: number;
  /** Workflow time of that reply, in ms. */
  at: number;
  /** In the order of their calls, the oldest first. */
  tests: PredictionTest[];
};

export type Hypothesis = {
  /** Number in the order of writing, such as `h1`. */
  id: string;
  /** The explanation in a sentence. */
  statement: string;
  /** The blamed part of the system. */
  component: string;
  /** The kind of fault, as in a root cause. */
  kind: string;
  /** Place in the log of the reply that wrote it. */
  seq: number;
  /** In the order of writing. */
  predictions: Prediction[];
};

/** A hypothesis as it is known before a report looks its quotes up. */
export type LiveHypothesis = Hypothesis & {
  /** `tested`: a call has answered one of its predictions. */
  status: 'open' | 'tested';
};

export function isTested({ predictions }: Hypothesis): boolean {
  return predictions.some(({ tests }) => tests.length > 0);
}

export function toLive(hypothesis: Hypothesis): LiveHypothesis {
  return { ...hypothesis, status: isTested(hypothesis) ? 'tested' : 'open' };
}

/**
 * The hypotheses after a change, which has each changed one whole. After a reset the ids begin again: one of another place
 * under a known id ends those before it.
 */
export function withChanged(before: readonly Hypothesis[], changed: readonly Hypothesis[]): Hypothesis[] {
  const isAnew = changed.some(({ id, seq }) => before.some((one) => one.id === id && one.seq !== seq));
  const all = isAnew ? changed : [...before, ...changed];
  return [...new Map(all.map((hypothesis) => [hypothesis.id, hypothesis])).values()];
}

/** Limit for all hypotheses of a session, as JSON. */
const hypothesesBytes = 8 * 1024;

/** Bytes (UTF-8) beyond the limit; 0 if they fit. */
export function bytesOver(hypotheses: readonly Hypothesis[]): number {
  return Math.max(0, utf8Bytes(JSON.stringify(hypotheses)) - hypothesesBytes);
}
