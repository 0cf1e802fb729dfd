// The demo's own record of an incident, and the sentences of a report that it contradicts. The record comes from the
// system itself, not from the session: the configuration in place, the pool of the running service, and the ledger of
// rollback_config. Node.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { defined } from '@holdfast/base/defined';
import { readRunning } from './deploys.ts';
import { readMetrics, type Incident } from './incident.ts';
import { ledgerPath } from './place.ts';
import type { IncidentPlan } from './plan.ts';

export type IncidentRecord = {
  /** The deploy whose configuration is in place at payments. */
  running: string;
  /** Present connections of payments; absent if it does not answer. */
  poolSize?: number;
  /** Executions of rollback_config, including refused ones. */
  executions: number;
};

export async function readRecord({ place, urls }: Pick<Incident, 'place' | 'urls'>): Promise<IncidentRecord> {
  const metrics = await readMetrics(urls.payments).catch(() => undefined);
  const poolSize = metrics?.get('payments_db_pool_size');
  return defined({
    running: await readRunning(place.systemDir, 'payments'),
    poolSize,
    executions: await countExecutions(place.dir),
  });
}

async function countExecutions(dir: string): Promise<number> {
  const path = ledgerPath(dir);
  if (!existsSync(path)) return 0;
  return (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '').length;
}

export function describeIncident({ running, poolSize, executions }: IncidentRecord): string {
  const pool = poolSize === undefined ? 'does not answer' : `has ${count(poolSize, 'connection')}`;
  const executed = ['not executed', 'executed once'][executions] ?? `executed ${executions} times`;
  return `payments runs ${running} and ${pool}; rollback_config was ${executed}`;
}

/** Each sentence of `text` (report and answer) that the record contradicts, with the fact; empty without any. */
export function findContradictions(text: string, record: IncidentRecord, plan: IncidentPlan): string[] {
  const fact = describeIncident(record);
  const words = text.replaceAll(/\s+/g, ' ');
  const found = sentences.flatMap(({ says, holds }) =>
    [...words.matchAll(says)].filter(({ 1: deploy = '' }) => !holds(record, plan, deploy)),
  );
  return [...new Set(found.map(([sentence]) => sentence))].map((sentence) => `"${sentence}", but ${fact}`);
}

type Sentence = {
  says: RegExp;
  /** True if the record agrees, or does not know. `deploy` is named in the sentence. */
  holds(record: IncidentRecord, plan: IncidentPlan, deploy: string): boolean;
};

// the script uses these in its reports and answers; a sentence after "whether" or "if" asserts nothing
const sentences: Sentence[] = [
  {
    says: asserted('the rollback of (d-\\d+) is in place'),
    holds: ({ running }, _, deploy) => running !== deploy,
  },
  {
    says: asserted('the rollback of (d-\\d+) was not applied'),
    holds: ({ running }, _, deploy) => running === deploy,
  },
  {
    says: asserted('the fault is gone'),
    holds: ({ poolSize }, plan) => (poolSize ?? plan.poolBefore) === plan.poolBefore,
  },
  {
    says: asserted('nothing wrong found'),
    holds: ({ poolSize }, plan) => (poolSize ?? plan.poolBefore) === plan.poolBefore,
  },
  {
    says: asserted('the fault is still there'),
    holds: ({ poolSize }, plan) => (poolSize ?? plan.poolAfter) === plan.poolAfter,
  },
];

function asserted(sentence: string): RegExp {
  return new RegExp(`(?<!\\b(?:whether|if|until|once) )\\b${sentence}\\b`, 'gi');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
