// The log of all workers of the test processes.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Many tests make the SDK warn, as they should; what it says is kept for those who look for a cause. */
export function workerLog(): string {
  const folder = resolve(import.meta.dirname, '../../reports');
  mkdirSync(folder, { recursive: true });
  return join(folder, 'worker-log.jsonl');
}
