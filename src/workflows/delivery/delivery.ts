// The workflow of a delivery: takes one message to each destination that its session has not reached, by its own retries, and
// fails with words where some did not get it. Outlives its session.
import { describeTime } from '@holdfast/base/words';
import { isCancellation, setCurrentDetails, upsertMemo } from '@temporalio/workflow';
import { cutText } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import { plainLine } from '@holdfast/base/plain-markdown';
import { notDelivered, type DeliveryInput, type Undelivered } from '@holdfast/vocabulary/deliver';
import { lastCauseOf, refusal } from '../activity-failure.ts';
import { schedule } from '../activity-options.ts';

const shownError = 300;

export async function delivery(input: DeliveryInput): Promise<void> {
  if (!Array.isArray(input?.to)) throw refusal('Input.Invalid', 'expected {id, point, to: [name], ...}');
  const waits = `waits since ${describeTime(Date.now())}; its last error is at its pending activity`;
  const fates = new Map(input.to.map((to) => [to, waits]));
  const { tried = {}, ...message } = input;
  const failed: Undelivered[] = [];
  const note = (to: string, fate: string): void => {
    fates.set(to, fate);
    setCurrentDetails(describe(input, fates));
  };
  setCurrentDetails(describe(input, fates));
  await Promise.all(
    [...fates.keys()].map(async (destination) => {
      try {
        const one = { ...message, destination, ...defined({ tried: tried[destination] }) };
        await schedule('deliver', one);
        note(destination, `delivered ${describeTime(Date.now())}`);
      } catch (error) {
        if (isCancellation(error)) throw error;
        const reason = cutText(messageOf(lastCauseOf(error)), shownError);
        failed.push({ to: destination, error: reason });
        note(destination, `**not delivered**, given up ${describeTime(Date.now())}: ${plainLine(reason)}`);
      }
    }),
  );
  if (failed.length === 0) return;
  upsertMemo({ undelivered: failed });
  const words = failed.map(({ to, error }) => `Not delivered to ${to}: ${error}`).join('\n');
  throw refusal(notDelivered, words);
}

function describe({ point, sessionId }: DeliveryInput, fates: ReadonlyMap<string, string>): string {
  const lines = [...fates].map(([to, fate]) => `- ${plainLine(to)}: ${fate}`);
  return [`**${point}** of session ${plainLine(sessionId)}`, '', ...lines].join('\n');
}
