// Counts what becomes of the alerts of a group, by Temporal's own meter, which is silent in a replay. Runs in the workflow.
import { metricMeter, workflowInfo } from '@temporalio/workflow';
import { type AlertRecord, type FateKind, fateKinds } from '../core/alerts/fate.ts';

/** Returns what is called after every change. `carried` were counted by the execution before. */
export function countFates(receiver: string, carried: readonly AlertRecord[]) {
  const counted = new WeakMap<AlertRecord, FateKind>(carried.map((record) => [record, record.fate.kind]));
  return (records: readonly AlertRecord[]): void => {
    const news = records.filter((record) => counted.get(record) !== record.fate.kind);
    for (const record of news) counted.set(record, record.fate.kind);
    const counter = metricMeter.createCounter(
      'holdfast_alert_fates',
      '',
      'Fates of alerts that were decided.',
    );
    // one count a kind: each is a message between threads
    for (const fate of fateKinds) {
      const count = news.filter(({ fate: { kind } }) => kind === fate).length;
      if (count > 0) counter.add(count, { receiver, fate, task_queue: workflowInfo().taskQueue });
    }
  };
}
