// The workflow of a delivery: takes one message to each of its destinations, by its own retries, and fails with words
// where some did not get it. Outlives its session.
import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  scheduleActivity,
  setCurrentDetails,
  upsertMemo,
} from '@temporalio/workflow';
import { cutText } from '../core/base/cut-text.ts';
import { messageOf } from '../core/base/message-of.ts';
import { plainLine } from '../core/base/plain-markdown.ts';
import { notDelivered } from '../core/model/deliver.ts';
import type { DeliveryInput, Undelivered } from '../core/model/deliver.ts';
import { describeTime } from '../core/session/desk.ts';
import { refusal } from './activity-failure.ts';
import { deliveryOptions } from './activity-options.ts';

const shownError = 300;

export async function delivery(input: DeliveryInput): Promise<void> {
  if (!Array.isArray(input?.to)) throw refusal('Input.Invalid', 'expected {id, point, to: [name], ...}');
  const waits = `waits since ${describeTime(Date.now())}; its last error is at its pending activity`;
  const fates = new Map(input.to.map((to) => [to, waits]));
  const failed: Undelivered[] = [];
  const note = (to: string, fate: string): void => {
    fates.set(to, fate);
    setCurrentDetails(describe(input, fates));
  };
  setCurrentDetails(describe(input, fates));
  await Promise.all(
    [...fates.keys()].map(async (destination) => {
      try {
        await scheduleActivity('deliver', [{ ...input, destination }], deliveryOptions(destination));
        note(destination, `delivered ${describeTime(Date.now())}`);
      } catch (error) {
        if (isCancellation(error)) throw error;
        const reason = cutText(lastReason(error), shownError);
        failed.push({ to: destination, error: reason });
        note(destination, `**not delivered**, given up ${describeTime(Date.now())}: ${plainLine(reason)}`);
      }
    }),
  );
  if (failed.length === 0) return;
  upsertMemo({ undelivered: failed });
  const message = failed.map(({ to, error }) => `Not delivered to ${to}: ${error}`).join('\n');
  throw ApplicationFailure.create({ type: notDelivered, message, nonRetryable: true });
}

function describe({ point, sessionId }: DeliveryInput, fates: ReadonlyMap<string, string>): string {
  const lines = [...fates].map(([to, fate]) => `- ${plainLine(to)}: ${fate}`);
  return [`**${point}** of session ${plainLine(sessionId)}`, '', ...lines].join('\n');
}

/** At the end of the retries, the failure of the last attempt is behind a timeout. */
function lastReason(error: unknown): string {
  let last = error instanceof ActivityFailure ? error.cause : error;
  while (last instanceof Error && last.cause instanceof Error) last = last.cause;
  return messageOf(last);
}
