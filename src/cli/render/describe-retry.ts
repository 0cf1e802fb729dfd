// A call that failed and is tried again by itself, in a line for people. Pure.
import type { Retry } from '../../client.ts';
import { toLine } from './plain-text.ts';

/** Such as `model call failed, attempt 7 in 32 s: provider answered 500`. */
export function describeRetry({ call, attempt, message, nextAt, waits }: Retry, now: number): string {
  const name = call === 'callModel' ? 'model call' : call.replace(/^tool\./, '');
  const seconds = Math.ceil(((nextAt ?? now) - now) / 1_000);
  const due = waits ? 'waits for a worker' : 'is under way';
  const next = seconds > 0 ? `attempt ${attempt} in ${seconds} s` : `attempt ${attempt} ${due}`;
  return `${name} failed, ${next}: ${toLine(message, 300)}`;
}
