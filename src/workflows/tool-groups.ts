// Asks a worker what the tool groups that the model wants would bring. Runs in the workflow.
import { scheduleActivity } from '@temporalio/workflow';
import type { ResolveToolGroupsInput, ResolveToolGroupsResult } from '../core/model/activity-contracts.ts';
import { abortedText } from '../core/state/reduce-tools.ts';
import type { ResolveToolGroups } from '../core/loop/workflow-tools/load-tools.ts';
import { resolveToolGroupsOptions } from './activity-options.ts';
import { runOnFitWorker } from './fit-worker.ts';
import type { Session } from './session.ts';
import { describeToolFailure } from './tool-failure.ts';

export function createToolGroups(session: Session): ResolveToolGroups {
  return async (groups) => {
    const { id: sessionId, state } = session;
    const input: ResolveToolGroupsInput = {
      ...{ sessionId, contextDigest: state.context?.digest ?? '', groups },
    };
    const { contextDigest } = input;
    const outcome = await runOnFitWorker(session, { contextDigest }, () =>
      scheduleActivity<ResolveToolGroupsResult>('resolveToolGroups', [input], resolveToolGroupsOptions),
    );
    if (outcome.type === 'done') return outcome.value;
    const left = outcome.type === 'left_behind';
    const text = left ? abortedText('read') : describeToolFailure(outcome.error, 'read', undefined);
    return { text, isError: true };
  };
}
