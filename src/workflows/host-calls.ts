// Hosts under Temporal: activities on the task queue of each host, and the words for one that does not answer. Runs in the
// workflow.
import { scheduleActivity, TimeoutFailure } from '@temporalio/workflow';
import type { HostEffects, Unanswered } from '../core/loop/effects.ts';
import type { HostActivities, HostToAsk } from '../core/model/hosts.ts';
import type { ToolEffect } from '../core/model/tool-spec.ts';
import { noWorker, notServed } from '../core/tools/hosts.ts';
import { causeOf, failureOf, lackOf } from './activity-failure.ts';
import { hostOptions } from './activity-options.ts';
import { failedWith } from './stopper.ts';
import type { Stopper } from './stopper.ts';

export function createHostEffects(stopper: Stopper): HostEffects {
  async function ask<Name extends keyof HostActivities>(
    name: Name,
    input: Parameters<HostActivities[Name]>[0],
    { taskQueue }: Pick<HostToAsk, 'taskQueue'>,
    summary: string,
  ): Promise<Awaited<ReturnType<HostActivities[Name]>> | { missing: string } | { type: 'stopped' }> {
    const options = hostOptions(taskQueue, summary);
    const outcome = await stopper.run(() =>
      scheduleActivity<Awaited<ReturnType<HostActivities[Name]>>>(name, [input], options),
    );
    if (outcome.type === 'done') return outcome.value;
    const failed = failedWith(outcome);
    return failed ? { missing: whyMissing(failed.error) } : { type: 'stopped' };
  }
  return {
    describe: (input, host) => ask('describeHost', input, host, `tools of ${host.name}`),
    inspect: (input, host) => {
      const tools = input.calls.map(({ tool }) => tool).join(', ');
      return ask('inspectCalls', input, host, `judge ${tools} on ${host.name}`);
    },
  };
}

function whyMissing(error: unknown): string {
  const cause = causeOf(error);
  if (!(cause instanceof TimeoutFailure)) return failureOf(error).message.replace(/\.$/, '');
  return cause.timeoutType === 'SCHEDULE_TO_START' ? noWorker : 'its worker gave no answer in time';
}

/** Of a call that its host did not carry out; undefined where the loss is like that of any worker. */
export function describeHostFailure(
  error: unknown,
  effect: ToolEffect,
  host: string,
): Unanswered | undefined {
  const lack = lackOf(error);
  if (lack !== undefined) return { text: notServed(host, lack.replace(/\.$/, '')), outcome: 'refused' };
  const cause = causeOf(error);
  if (!(cause instanceof TimeoutFailure) || cause.timeoutType !== 'SCHEDULE_TO_START') return undefined;
  // the failure of the attempt before this one: the body may have begun in it
  if (!cause.failure?.cause) return { text: notServed(host), outcome: 'refused' };
  const hint = effect === 'read' ? '' : ' It may have taken effect: verify before you repeat it.';
  const text = `The worker of host ${host} was lost while the tool ran, and none serves it now: no result.${hint}`;
  return { text, outcome: 'unknown' };
}
