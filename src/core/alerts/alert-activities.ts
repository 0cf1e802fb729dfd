// Contracts of the activities that the workflows of alerts call. Types only.
import type { SessionEnd } from './alert-group.ts';
import type { ShownAlert } from './fate.ts';

export type AlertActivities = {
  /** Resolves when the session has ended; fails, to be asked again, while it runs. */
  awaitSessionEnd(input: { session: string }): Promise<SessionEnd>;
  /** Stores a page of old fates. */
  archiveFates(input: { group: string; page: string; records: ShownAlert[] }): Promise<void>;
};
