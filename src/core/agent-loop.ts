// The agent on one page: the state decides the next step, the ports do it, the outcome is recorded. Nothing here
// knows Temporal; everything that waits is a port.
import type { AgentStore } from './agent-store.ts';
import { runCondenseStep } from './condense-step.ts';
import { loopWarning } from './limits.ts';
import { repeats } from './loop-guard.ts';
import { runModelStep } from './model-step.ts';
import { decideNextStep } from './next-step.ts';
import type { LoopPorts } from './ports.ts';
import { assertNever } from './session-machine.ts';
import { runToolBatch } from './tool-batch.ts';

/** Runs a session until it closes, or until it must go on in a new execution. */
export async function runSession(store: AgentStore, ports: LoopPorts): Promise<'closed' | 'hand_over'> {
  for (;;) {
    const step = decideNextStep(store.state, ports.waiting());
    switch (step.type) {
      case 'start_run':
        store.record({ type: 'run_accepted', ...ports.inbox.takePrompt() });
        break;
      case 'assemble_context':
        await assembleContext(store, ports);
        break;
      case 'drain':
        store.record({
          type: 'messages_drained',
          queue: step.queue,
          messages: take(store, ports, step.queue),
        });
        break;
      case 'start_turn':
        store.record({ type: 'turn_started' });
        break;
      case 'call_model':
        await runModelStep(store, ports, step.toolChoice);
        break;
      case 'condense':
        await runCondenseStep(store, ports, step.reason);
        break;
      case 'run_tools':
        await runToolBatch(store, ports);
        break;
      case 'warn_of_loop': {
        const count = repeats(store.state.run?.loop ?? []);
        store.record({ type: 'loop_warned', count, message: loopWarning(count) });
        break;
      }
      case 'finalize':
        store.record({ type: 'finalizing', end: step.end });
        break;
      case 'finish_turn':
        store.record({ type: 'turn_ended' });
        await ports.turnEnded();
        break;
      case 'set_end':
        store.record({ type: 'ending', end: step.end });
        break;
      case 'end_run':
        store.record({ type: 'run_ended' });
        await ports.runEnded();
        break;
      case 'reset':
        store.record({ type: 'was_reset', ...(await ports.reset()) });
        break;
      case 'wait':
        await ports.waitForWork();
        break;
      case 'hand_over':
        return 'hand_over';
      case 'close':
        return 'closed';
      default:
        return assertNever(step);
    }
  }
}

function take(store: AgentStore, ports: LoopPorts, queue: 'steering' | 'followUp') {
  const { run } = store.state;
  return ports.inbox.take(queue, { runId: run?.runId ?? '', turn: (run?.turn ?? 0) + 1 });
}

async function assembleContext(store: AgentStore, ports: LoopPorts): Promise<void> {
  const context = await ports.assembleContext(store.state.run?.runId ?? '');
  // an abort ends the run at the next step; after an interrupting message it is assembled again
  if ('stopped' in context) return;
  if ('failure' in context) {
    store.record({ type: 'ending', end: { status: 'failed', error: context.failure } });
  } else {
    store.record({ type: 'context_assembled', context });
  }
}
