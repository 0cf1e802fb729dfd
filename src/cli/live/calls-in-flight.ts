// The running calls of a session that no event reports: failed ones before their retry, and those whose worker has fallen
// silent. Queried from the server once a second, and each reported once.
import { setTimeout as sleep } from 'node:timers/promises';
import type { InFlight, RunningCall, SessionHandle } from '../../client.ts';
import type { Retry } from '../../client/pending-calls.ts';
import type { Output } from '../cli.ts';
import { withTyped } from '../../config/command-line.ts';
import { toLine } from '../render/plain-text.ts';

/** A lasting silence; `since` is by the clock of `now`. */
export type LastingSilence = {
  call: string;
  worker: string;
  since: number;
  heartbeatTimeoutMs: number;
  isNew: boolean;
};

/** The present trouble, which no event reports. */
export type CallsLook = { retries: readonly Retry[]; silences: readonly LastingSilence[] };

const lookEveryMs = 1_000;
/** Workers beat every second: two missing beats may be a busy machine. */
const noticedAfterMs = 3_000;

/** Resolves on abort. */
export async function watchCalls(
  session: Pick<SessionHandle, 'inFlight'>,
  { emit }: Pick<Output, 'emit'>,
  { say, onLook }: { say(line: string): void; onLook?(look: CallsLook): void },
  signal: AbortSignal,
): Promise<void> {
  const said = new Set<string>();
  const silences = createSilenceWatch();
  while (!signal.aborted) {
    // optional: events report the work and its failures
    const found = await session.inFlight().catch((): Partial<InFlight> => ({}));
    if (signal.aborted) return;
    const { retries = [], running = [] } = found;
    for (const retry of retries) {
      const key = `${retry.call}/${retry.attempt}/${retry.message}`;
      if (said.has(key)) continue;
      said.add(key);
      emit({ type: 'retrying', ...retry });
      say(describeRetry(retry, Date.now()));
    }
    const now = performance.now();
    const lasting = silences(running, now);
    for (const silence of lasting.filter(({ isNew }) => isNew).map((one) => toSilence(one, now))) {
      emit({ type: 'silent', ...silence });
      say(describeSilence(silence));
    }
    onLook?.({ retries, silences: lasting });
    await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Takes the running calls and the time of a monotonic clock, and returns the lasting silences; each is new once. Uses
 * only the caller's clock: the server's may differ from it by more than a heartbeat.
 */
export function createSilenceWatch(): (running: readonly RunningCall[], now: number) => LastingSilence[] {
  let before = new Map<string, { since: number; noted: boolean }>();
  return (running, now) => {
    const current = running.map((call) => {
      const sign = `${call.call}/${call.attempt}/${call.worker}/${call.aliveAt}`;
      return { ...call, sign, seen: before.get(sign) ?? { since: now, noted: false } };
    });
    before = new Map(current.map(({ sign, seen }) => [sign, seen]));
    return current.flatMap(({ call, worker, heartbeatTimeoutMs, seen }) => {
      if (now - seen.since < noticedAfterMs) return [];
      const isNew = !seen.noted;
      seen.noted = true;
      return [{ call, worker, since: seen.since, heartbeatTimeoutMs, isNew }];
    });
  };
}

export type Silence = ReturnType<typeof toSilence>;

/** `lostInMs`: time until the server counts the attempt as lost. */
export function toSilence({ call, worker, since, heartbeatTimeoutMs }: LastingSilence, now: number) {
  const silentMs = now - since;
  return { call, worker, silentMs, lostInMs: Math.max(heartbeatTimeoutMs - silentMs, 0) };
}

/** E.g. `model call failed, attempt 7 in 32 s: provider answered 500`. */
export function describeRetry(retry: Retry, now: number): string {
  return `${nameCall(retry.call)} failed, ${describeNextAttempt(retry, now)}: ${toLine(withTyped(retry.message), 300)}`;
}

/** E.g. `attempt 7 in 32 s`, by the wall clock. */
export function describeNextAttempt({ attempt, nextAt, waits }: Retry, now: number): string {
  const seconds = Math.ceil(((nextAt ?? now) - now) / 1_000);
  if (seconds > 0) return `attempt ${attempt} in ${seconds} s`;
  return `attempt ${attempt} ${waits ? 'waits for a worker' : 'is under way'}`;
}

/** E.g. `worker 41@web-1:5e0c3a91 silent for 3 s in model call, counts as lost in 2 s`. */
export function describeSilence({ call, worker, silentMs, lostInMs }: Silence): string {
  const [silent, lost] = [silentMs, lostInMs].map((time) => `${Math.round(time / 1_000)} s`);
  return `worker ${toLine(worker, 100)} silent for ${silent} in ${nameCall(call)}, counts as lost in ${lost}`;
}

/** `model call`, or the name of the tool. */
export function nameCall(call: string): string {
  return call === 'callModel'
    ? 'model call'
    : call.replace(/^tool\./, '').replace(/^reconcile\./, 'look-up of ');
}
