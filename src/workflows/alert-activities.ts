// The activities that the workflows of alerts call, with their retries. Runs in the workflow.
import { proxyActivities } from '@temporalio/workflow';
import type { AlertActivities } from '../core/alerts/alert-activities.ts';

/** Asked again as long as the session runs: Temporal has the waits. */
export const { awaitSessionEnd } = proxyActivities<Pick<AlertActivities, 'awaitSessionEnd'>>({
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '2 s', backoffCoefficient: 2, maximumInterval: '5 min' },
  summary: 'end of the session',
});

/** The group goes on without it: the next hand-over tries again. */
export const { archiveFates } = proxyActivities<Pick<AlertActivities, 'archiveFates'>>({
  startToCloseTimeout: '30 s',
  retry: { maximumAttempts: 5 },
  summary: 'store old fates',
});
