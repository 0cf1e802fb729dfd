// A call that failed and is tried again by itself, or whose worker is silent, in a line for people. Pure.
import type { Retry } from '../../client.ts';
import type { Silence } from '../live/silence-watch.ts';
import { toLine } from './plain-text.ts';

/** Such as `model call failed, attempt 7 in 32 s: provider answered 500`. */
export function describeRetry({ call, attempt, message, nextAt, waits }: Retry, now: number): string {
  const seconds = Math.ceil(((nextAt ?? now) - now) / 1_000);
  const due = waits ? 'waits for a worker' : 'is under way';
  const next = seconds > 0 ? `attempt ${attempt} in ${seconds} s` : `attempt ${attempt} ${due}`;
  return `${nameOf(call)} failed, ${next}: ${toLine(message, 300)}`;
}

/** Such as `worker 41@web-1:5e0c3a91 silent for 3 s in model call, counts as lost in 2 s`. */
export function describeSilence({ call, worker, silentMs, lostInMs }: Silence): string {
  const [silent, lost] = [silentMs, lostInMs].map((time) => `${Math.round(time / 1_000)} s`);
  return `worker ${toLine(worker, 100)} silent for ${silent} in ${nameOf(call)}, counts as lost in ${lost}`;
}

function nameOf(call: string): string {
  return call === 'callModel' ? 'model call' : call.replace(/^tool\./, '');
}
