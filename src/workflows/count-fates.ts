// Counts what becomes of the alerts of a group, by Temporal's own meter, which is silent in a replay. Runs in the workflow.
import { metricMeter, workflowInfo } from '@temporalio/workflow';
import type { AlertRecord, FateKind } from '../core/alerts/fate.ts';

export class FateCounts {
  readonly #receiver: string;
  readonly #counted = new WeakMap<AlertRecord, FateKind>();

  /** `carried` were counted by the execution before. */
  constructor(receiver: string, carried: readonly AlertRecord[]) {
    this.#receiver = receiver;
    for (const record of carried) this.#counted.set(record, record.fate.kind);
  }

  /** Called after every change. One count a kind: each is a message between threads. */
  update(records: readonly AlertRecord[]): void {
    const kinds = new Map<FateKind, number>();
    for (const record of records) {
      const { kind } = record.fate;
      if (this.#counted.get(record) === kind) continue;
      this.#counted.set(record, kind);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    if (kinds.size === 0) return;
    const counter = metricMeter.createCounter(
      'holdfast_alert_fates',
      '',
      'Fates of alerts that were decided.',
    );
    const labels = { receiver: this.#receiver, task_queue: workflowInfo().taskQueue };
    for (const [fate, count] of kinds) counter.add(count, { ...labels, fate });
  }
}
