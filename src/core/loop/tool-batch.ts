// One batch of tool calls: every call of a reply gets exactly one answer, and the answers enter the log in the
// model's order, whatever order they came in (LOOP-03, TOOL-09).
import type { AgentStore } from '../session/agent-store.ts';
import type { BatchCall, ToolAnswer } from '../model/agent-state.ts';
import { stoppedMessage } from './model-step.ts';
import { errorAnswer, notStarted, deniedKey } from '../state/reduce-tools.ts';
import type { LoopPorts } from './ports.ts';
import { hasHooks } from './hook-points.ts';
import { afterToolHooks, blockedByHook } from './tool-hooks.ts';
import { runsInWorkflow, runWorkflowTool } from './workflow-tools/workflow-tool.ts';

export async function runToolBatch(store: AgentStore, ports: LoopPorts): Promise<void> {
  store.record({ type: 'tools_begun' });
  const batch = store.state.run?.batch ?? [];
  const open = [...batch.entries()].filter(([, entry]) => !entry.answer);
  const limit = concurrencyOf(store, batch);
  // what may run is settled for all calls before the first of them does (TOOL-11)
  const settled = limit > 1 && hasHooks(store.state) ? await settleAll(store, ports, open) : undefined;
  await forEachLimited(open, limit, ([index, entry]) =>
    answerCall(store, ports, index, entry, settled?.get(index)),
  );
  store.record({ type: 'batch_finished' });
  if (ports.stopRequested() !== 'abort') return;
  store.record({
    type: 'model_stopped',
    message: stoppedMessage(store, 'aborted', 'Stopped while tools ran.'),
  });
}

function concurrencyOf({ state }: AgentStore, batch: BatchCall[]): number {
  const { context } = state;
  if (!context) return 1;
  const sequential = batch.some(
    ({ call }) => context.tools.find((tool) => tool.name === call.name)?.executionMode === 'sequential',
  );
  return sequential || context.settings.toolExecution === 'sequential' ? 1 : context.settings.toolConcurrency;
}

type Answered = { answer: ToolAnswer; denied?: boolean };
/** May it run? An answer says no, and why. */
type Settled = Answered | 'may_run';

async function settleAll(
  store: AgentStore,
  ports: LoopPorts,
  open: [number, BatchCall][],
): Promise<Map<number, Settled>> {
  const settled = new Map<number, Settled>();
  for (const [index, entry] of open) {
    store.record({ type: 'tool_started', index });
    settled.set(index, await settle(store, ports, entry));
  }
  return settled;
}

async function answerCall(
  store: AgentStore,
  ports: LoopPorts,
  index: number,
  entry: BatchCall,
  before: Settled | undefined,
): Promise<void> {
  if (!before) store.record({ type: 'tool_started', index });
  const settled = before ?? (hasHooks(store.state) ? await settle(store, ports, entry) : 'may_run');
  const outcome = settled === 'may_run' ? carryOut(store, ports, entry) : settled;
  const { answer, denied } = outcome instanceof Promise ? await outcome : outcome;
  store.record({ type: 'tool_answered', index, answer, ...(denied ? { denied } : {}) });
  const saving = ports.callAnswered();
  if (saving) await saving;
}

/** Found, valid and allowed by rule, then by the hooks (TOOL-04). */
async function settle(store: AgentStore, ports: LoopPorts, entry: BatchCall): Promise<Settled> {
  const refused = refuse(store, ports, entry);
  if (refused) return refused;
  const answer = await blockedByHook(store, ports, entry);
  return answer ? { answer } : 'may_run';
}

/** Why a call does not run, as far as the state says it. */
function refuse(store: AgentStore, ports: LoopPorts, entry: BatchCall): Answered | undefined {
  const { run } = store.state;
  const { prepared } = entry;
  if (ports.stopRequested()) return { answer: notStarted(entry) };
  if (skipsForSteering(store, ports)) return skipped(entry);
  if (run?.end) return { answer: errorAnswer(entry, 'Not run: the run has ended.') };
  if (run?.final) return { answer: errorAnswer(entry, 'Not run: the turn limit is reached.') };
  if (prepared.status === 'rejected') return { answer: errorAnswer(entry, prepared.reason) };
  if (prepared.decision === 'allow') return undefined;
  const reason = prepared.reason ?? 'the policy does not allow it';
  if (prepared.decision === 'deny') return denied(entry, reason);
  if (!run?.denied.includes(deniedKey(entry))) return undefined;
  return { answer: errorAnswer(entry, 'Denied: the same call was denied before in this run.') };
}

function carryOut(store: AgentStore, ports: LoopPorts, entry: BatchCall): Answered | Promise<Answered> {
  // also where hooks were asked: a stop, a message or a denial may have come since
  const late = refuse(store, ports, entry);
  if (late) return late;
  const asks = entry.prepared.status === 'ready' && entry.prepared.decision === 'ask';
  return asks ? askAndExecute(store, ports, entry) : execute(store, ports, entry, undefined);
}

async function askAndExecute(store: AgentStore, ports: LoopPorts, entry: BatchCall): Promise<Answered> {
  const decision = await ports.requestApproval(entry);
  if (decision.type === 'denied') return denied(entry, decision.reason);
  // also when a stop and the approval came in the same moment: nothing starts after a stop
  if (decision.type === 'stopped' || ports.stopRequested()) return { answer: notStarted(entry) };
  return skipsForSteering(store, ports) ? skipped(entry) : execute(store, ports, entry, decision.actor);
}

function denied(entry: BatchCall, reason: string): Answered {
  return { answer: errorAnswer(entry, `Denied: ${reason}`), denied: true };
}

function execute(
  store: AgentStore,
  ports: LoopPorts,
  entry: BatchCall,
  approvedBy: string | undefined,
): Promise<Answered> {
  const running = runsInWorkflow(store, ports.workflowTools, entry)
    ? runWorkflowTool(store, ports.workflowTools, entry)
    : ports.runTool(entry, approvedBy);
  return running.then((answer) =>
    hasHooks(store.state)
      ? afterToolHooks(store, ports, entry, answer).then((changed) => ({ answer: changed }))
      : { answer },
  );
}

/** What was said since the calls were made may make them pointless (QUEUE-02). */
function skipsForSteering({ state }: AgentStore, ports: LoopPorts): boolean {
  return state.context?.settings.queues.steeringPoint === 'tool' && ports.waiting().steering > 0;
}

function skipped(entry: BatchCall): Answered {
  return { answer: errorAnswer(entry, 'Skipped due to queued user message.') };
}

/** Starts the work in order, at most `limit` at a time. */
function forEachLimited<T>(items: T[], limit: number, work: (item: T) => Promise<void>): Promise<unknown> {
  const [only] = items;
  // the usual batch; every promise costs in the sandbox, which notes where it was made
  if (only !== undefined && items.length === 1) return work(only);
  const queue = [...items];
  const runner = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  return Promise.all(Array.from({ length: Math.min(Math.max(limit, 1), items.length) }, runner));
}
