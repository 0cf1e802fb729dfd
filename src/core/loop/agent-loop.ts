// The agent on one page: the state decides the next step, the ports do it, the outcome is recorded. Nothing here
// knows Temporal; everything that waits is a port.
import type { AgentStore } from '../session/agent-store.ts';
import { runCondenseStep } from './condense-step.ts';
import { endOfError, loopWarning } from '../state/limits.ts';
import { repeats } from '../state/loop-guard.ts';
import { leaveTurn, runModelStep } from './model-step.ts';
import { decideNextStep } from './next-step.ts';
import type { NextStep } from './next-step.ts';
import type { LoopPorts } from './ports.ts';
import { hasHooks } from './hook-points.ts';
import { runEndHooks, runStartHooks, runTurnEndHooks } from './run-hooks.ts';
import { assertNever } from '../state/draft.ts';
import { runToolBatch } from './tool-batch.ts';

/** Runs a session until it closes, or until it must go on in a new execution. */
export async function runSession(store: AgentStore, ports: LoopPorts): Promise<'closed' | 'hand_over'> {
  for (;;) {
    const step = decideNextStep(store.state, ports.waiting());
    if (step.type === 'hand_over') return 'hand_over';
    if (step.type === 'close') return 'closed';
    try {
      const waiting = perform(step, store, ports);
      // most steps only change the state: a promise for each of them would be paid for in every turn
      if (waiting) await waiting;
    } catch (error) {
      store.record({ type: 'ending', end: endOfError(store.state, error) });
    }
  }
}

type Step = Exclude<NextStep, { type: 'hand_over' | 'close' }>;

function perform(step: Step, store: AgentStore, ports: LoopPorts): Promise<void> | void {
  switch (step.type) {
    case 'start_run':
      return store.record({ type: 'run_accepted', ...ports.inbox.takePrompt() });
    case 'assemble_context':
      return assembleContext(store, ports);
    case 'drain':
      return store.record({ ...step, type: 'messages_drained', messages: take(store, ports, step.queue) });
    case 'start_turn':
      return store.record({ type: 'turn_started' });
    case 'call_model':
      return runModelStep(store, ports, step.toolChoice);
    case 'leave_turn':
      return leaveTurn(store);
    case 'condense':
      return runCondenseStep(store, ports, step.reason);
    case 'run_tools':
      return runToolBatch(store, ports);
    case 'warn_of_loop': {
      const count = repeats(store.state.run?.loop ?? []);
      return store.record({ type: 'loop_warned', count, message: loopWarning(count) });
    }
    case 'finalize':
      return store.record({ type: 'finalizing', end: step.end });
    case 'finish_turn':
      store.record({ type: 'turn_ended' });
      return hasHooks(store.state) ? endTurn(store, ports) : ports.turnEnded();
    case 'set_end':
      return store.record({ type: 'ending', end: step.end });
    case 'end_run':
      return endRun(store, ports);
    case 'reset':
      return reset(store, ports);
    case 'wait':
      return ports.waitForWork();
    default:
      return assertNever(step);
  }
}

function take(store: AgentStore, ports: LoopPorts, queue: 'steering' | 'followUp') {
  const { run } = store.state;
  return ports.inbox.take(queue, { runId: run?.runId ?? '', turn: (run?.turn ?? 0) + 1 });
}

async function assembleContext(store: AgentStore, ports: LoopPorts): Promise<void> {
  const { runId = '', settings = {} } = store.state.run ?? {};
  const context = await ports.assembleContext(runId, settings);
  // an abort ends the run at the next step; after an interrupting message it is assembled again
  if ('stopped' in context) return;
  if ('failure' in context) {
    store.record({ type: 'ending', end: { status: 'failed', error: context.failure } });
  } else {
    store.record({ type: 'context_assembled', context });
    if (hasHooks(store.state)) await runStartHooks(store, ports);
  }
}

async function endTurn(store: AgentStore, ports: LoopPorts): Promise<void> {
  await runTurnEndHooks(store, ports);
  await ports.turnEnded();
}

async function endRun(store: AgentStore, ports: LoopPorts): Promise<void> {
  if (hasHooks(store.state)) await runEndHooks(store, ports);
  const output = await ports.readOutput();
  store.record({ type: 'run_ended', ...(output ? { output } : {}) });
  await ports.runEnded();
}

async function reset(store: AgentStore, ports: LoopPorts): Promise<void> {
  store.record({ type: 'was_reset', ...(await ports.reset()) });
  // only now: nothing may be continued from a view that is on its way out
  ports.inbox.resetDone();
}
