// A takeover in words. Pure: the commands say it too, without the worker's code.
import { counted } from '../core/base/words.ts';

/** The fate of the work of a worker whose process is gone. */
export type Takeover = {
  /** Of the dead worker. */
  identity: string;
  /** Sessions in which it was running calls: they are ended, and run again where that is safe. */
  sessions: string[];
  /** Why no call could be ended: they run again when their timeouts are over. */
  problem?: string;
};

/** Such as `Worker 41@web-1:5e0c3a91 is gone; its work in 2 sessions continues: disk-full-k3v9, slow-q8xm`. */
export function describeTakeover({ identity, sessions, problem }: Takeover): string {
  const gone = `Worker ${identity} is gone`;
  if (problem !== undefined) return `${gone}; its calls are repeated when they time out (${problem}).`;
  if (sessions.length === 0) return `${gone}; it was running nothing.`;
  const work = counted(sessions.length, 'session');
  return `${gone}; its work in ${work} continues: ${sessions.join(', ')}`;
}
