// The statuses of all senders as one table of words. Pure.
import { keysOf } from '@holdfast/base/keys';
import type { Alert } from '@holdfast/vocabulary/alert';

/** `ignored`: a word about people, silences and notes, which opens and closes no alert. */
export type AlertStatus = Alert['status'] | 'ignored';

/** Without case, blanks and signs. Numbers are in no list: 0 is the end of an alert for one sender and its beginning for another. */
// oxfmt-ignore
const words: Record<AlertStatus, string[]> = {
  firing: ['firing', 'fired', 'alerting', 'alert', 'alarm', 'active', 'activated', 'open', 'opened', 'create', 'created', 'triggered', 'trigger',
    'retriggered', 'renotify', 'reopened', 'unresolved', 'problem', 'down', 'offline', 'unreachable', 'unhealthy', 'degraded', 'trouble',
    'failed', 'failing', 'failure', 'emergency', 'disaster', 'critical', 'crit', 'fatal', 'error', 'major', 'minor', 'warning', 'warn', 'rewarn',
    'nodata', 'renodata', 'insufficientdata',
    'unacknowledge', 'unacknowledged', 'escalate', 'escalatenext', 'escalated', 'updatepriority', 'priorityupdated'],
  resolved: ['resolved', 'ok', 'recovered', 'recovery', 'close', 'closed', 'delete', 'cleared', 'clear', 'up', 'online', 'normal', 'healthy', 'success',
    'successful', 'inactive', 'deactivated', 'ended', 'fixed'],
  ignored: ['acknowledged', 'acknowledgement', 'acked', 'ack', 'pending', 'paused', 'muted', 'snoozed', 'silenced', 'suppressed',
    'ignored', 'archived', 'assigned', 'maintenance', 'downtimestart', 'downtimeend', 'downtimecancelled', 'downtimeremoved',
    'flappingstart', 'flappingstop', 'flappingend', 'flappingdisabled', 'custom'],
};

const statuses = new Map(
  keysOf(words).flatMap((status) => words[status].map((word): [string, AlertStatus] => [word, status])),
);

/** Undefined for a word that is in no list. */
export function toStatus(word: unknown): AlertStatus | undefined {
  if (typeof word !== 'string') return undefined;
  return statuses.get(word.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ''));
}
