// A takeover in words. Pure: commands use it without the worker's code.
import { counted } from '@holdfast/base/words';

/** The fate of the work of a dead worker. */
export type Takeover = {
  identity: string;
  /** Sessions whose calls on the dead worker were ended; the calls run again where that is safe. */
  sessions: string[];
  /** The reason why no call could be ended; they run again after their timeouts. */
  problem?: string;
};

/** E.g. `Worker 41@web-1:5e0c3a91 is gone; its work in 2 sessions continues: disk-full-k3v9, slow-q8xm`. */
export function describeTakeover({ identity, sessions, problem }: Takeover): string {
  const gone = `Worker ${identity} is gone`;
  if (problem !== undefined) return `${gone}; its calls are repeated when they time out (${problem}).`;
  if (sessions.length === 0) return `${gone}; it was running nothing.`;
  const work = counted(sessions.length, 'session');
  return `${gone}; its work in ${work} continues: ${sessions.join(', ')}`;
}
