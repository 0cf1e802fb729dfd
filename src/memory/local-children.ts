// Child sessions in the process of their parent: the same loop, with a host of their own.
import type { ChildEffects, ChildOutcome, ChildRequest, Effects } from '../core/loop/effects.ts';
import { messageOf } from '../core/base/message-of.ts';
import { runInMemory } from './memory-host.ts';
import type { MemoryHost } from './memory-host.ts';

export function createLocalChildren(
  host: MemoryHost,
  effectsOf: (host: MemoryHost) => Effects,
): ChildEffects {
  return {
    run: async (request, take) => take(await runChild(host, effectsOf, request)),
  };
}

function runChild(
  host: MemoryHost,
  effectsOf: (host: MemoryHost) => Effects,
  { id, input }: ChildRequest,
): Promise<ChildOutcome> {
  return host.stoppable(async (stop): Promise<ChildOutcome> => {
    try {
      const result = await runInMemory(input, (given) => {
        const child = host.openChild(given, id);
        // as when a workflow is cancelled: it ends by itself, and is waited for
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
