// Applies a call of the tool hypotheses: new hypotheses, more predictions, and the calls that answered predictions. Pure.
// A call with a fault changes nothing.
import { cutText } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';
import { type Json, type JsonRecord, isText, fieldsOf, isRecord } from '@holdfast/base/json';
import {
  type Hypothesis,
  type Prediction,
  type PredictionTest,
  bytesOver,
  withChanged,
} from '@holdfast/vocabulary/hypotheses';

/** The place of the reply that makes the call, and the place of the reply that made another call, if it is known. */
export type ReplyPlace = { seq: number; at: number; seqOf(callId: string): number | undefined };

/** `changed`: each changed hypothesis, whole. */
export type Update = { ok: true; changed: Hypothesis[] } | { ok: false; reason: string };

export function updateHypotheses(before: readonly Hypothesis[], args: Json, place: ReplyPlace): Update {
  const { add, test } = fieldsOf(args);
  const faults: string[] = [];
  let now: Hypothesis[] = [...before];
  for (const item of itemsOf(add)) {
    const added = addTo(now, item, place);
    if (typeof added === 'string') faults.push(added);
    else now = withChanged(now, [added]);
  }
  for (const item of itemsOf(test)) {
    const tested = testOf(now, item, place);
    if (typeof tested === 'string') faults.push(tested);
    else now = withChanged(now, [tested]);
  }
  const over = bytesOver(now);
  if (over > 0) faults.push(`all of them hold ${over} bytes more than there is room for: use fewer words`);
  if (faults.length > 0) return { ok: false, reason: faults.join('; ') };
  return { ok: true, changed: now.filter((one) => !before.includes(one)) };
}

/** Small models give one thing in place of a list. */
function itemsOf(value: unknown): JsonRecord[] {
  return (Array.isArray(value) ? value : [value]).filter(isRecord);
}

function addTo(all: readonly Hypothesis[], item: JsonRecord, place: ReplyPlace): Hypothesis | string {
  const given = wordOf(item, 'id');
  const known = all.find(({ id }) => id === given);
  if (given !== '' && !known) return unknown(given, all);
  const id = known?.id ?? `h${all.length + 1}`;
  const fields = { statement: wordOf(item, 'statement'), component: wordOf(item, 'component') };
  const words = { ...fields, kind: wordOf(item, 'kind') };
  const lacks = Object.entries(words).flatMap(([name, word]) => (word === '' ? [name] : []));
  if (!known && lacks.length > 0) return `${id} lacks ${lacks.join(', ')}`;
  const { predictions, ...head } = known ?? { id, ...words, seq: place.seq, predictions: [] };
  const more = itemsOf(item['predictions']).map((each, index) =>
    toPrediction(`${id}.${predictions.length + index + 1}`, each, place),
  );
  const bare = more.find(({ call, expect }) => call === '' || expect === '');
  if (bare) return `${bare.id} lacks ${bare.call === '' ? 'call' : 'expect'}`;
  if (more.length === 0) return `${id} lacks predictions: what does which call show if it is true?`;
  return { ...head, predictions: [...predictions, ...more] };
}

function toPrediction(id: string, item: JsonRecord, { seq, at }: ReplyPlace): Prediction {
  const refutes = item['refutes'] === true ? true : undefined;
  return {
    id,
    call: wordOf(item, 'call'),
    expect: wordOf(item, 'expect'),
    ...defined({ refutes }),
    seq,
    at,
    tests: [],
  };
}

function testOf(all: readonly Hypothesis[], item: JsonRecord, place: ReplyPlace): Hypothesis | string {
  const [id, callId, quote] = [wordOf(item, 'id'), wordOf(item, 'callId'), wordOf(item, 'quote')];
  const hypothesis = all.find(({ predictions }) => predictions.some((one) => one.id === id));
  const prediction = hypothesis?.predictions.find((one) => one.id === id);
  if (!hypothesis || !prediction) return unknown(id, all);
  if (callId === '' || quote === '') return `the test of ${id} lacks ${callId === '' ? 'callId' : 'quote'}`;
  const made = place.seqOf(callId);
  if (made !== undefined && made <= prediction.seq)
    return `${id} was not written before call ${callId}, so that call does not test it: make another one now`;
  const test: PredictionTest = {
    callId,
    quote,
    ...defined({ opposite: item['opposite'] === true ? true : undefined }),
  };
  const predictions = hypothesis.predictions.map((one) =>
    one === prediction ? { ...one, tests: [...one.tests, test] } : one,
  );
  return { ...hypothesis, predictions };
}

function unknown(id: string, all: readonly Hypothesis[]): string {
  const ids = all.flatMap((one) => [one.id, ...one.predictions.map((each) => each.id)]);
  return `there is no ${cutText(id, 40) || 'id'}: known are ${ids.join(', ') || 'none'}`;
}

function wordOf(item: JsonRecord, name: string): string {
  const word = item[name];
  return isText(word) ? word.trim() : '';
}
