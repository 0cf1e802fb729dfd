// Child sessions in the process of their parent: the same loop, with a host of their own. Runs in Node.
import type { ChildOutcome, ChildRequest, Effects } from '../core/loop/effects.ts';
import { messageOf } from '../core/base/message-of.ts';
import { runInMemory } from './memory-host.ts';
import type { MemoryHost } from './memory-host.ts';

export function runChild(
  host: MemoryHost,
  effectsOf: (host: MemoryHost) => Effects,
  { id, input }: ChildRequest,
): Promise<ChildOutcome> {
  return host.stoppable(async (stop): Promise<ChildOutcome> => {
    try {
      const result = await runInMemory(input, (given) => {
        const child = host.openChild(given, id);
        // like a cancelled workflow, the child ends by itself, and the parent waits
        stop.addEventListener('abort', () => child.session.cancel(), { once: true });
        if (stop.aborted) child.session.cancel();
        return { session: child.session, effects: effectsOf(child) };
      });
      return { type: 'ended', result };
    } catch (error) {
      return { type: 'failed', message: messageOf(error) };
    } finally {
      host.family.delete(id);
    }
  });
}
