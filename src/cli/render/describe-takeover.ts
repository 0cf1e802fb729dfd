// What a worker says when it has ended the calls of one that died. Pure.
import { counted } from '../../core/base/words.ts';
import type { Takeover } from '../../worker.ts';

/** Such as `Worker 41@web-1:5e0c3a91 is gone; its work in 2 sessions continues: disk-full-k3v9, slow-q8xm`. */
export function describeTakeover({ identity, sessions, problem }: Takeover): string {
  const gone = `Worker ${identity} is gone`;
  if (problem !== undefined) return `${gone}; its calls are repeated when they time out (${problem}).`;
  if (sessions.length === 0) return `${gone}; it was running nothing.`;
  const work = counted(sessions.length, 'session');
  return `${gone}; its work in ${work} continues: ${sessions.join(', ')}`;
}
