// One batch of tool calls: every call of a reply gets exactly one answer, and the answers enter the log in the
// model's order, whatever order they came in (LOOP-03, TOOL-09).
import type { AgentStore } from './agent-store.ts';
import type { BatchCall, ToolAnswer } from './agent-state.ts';
import { stoppedMessage } from './model-step.ts';
import type { LoopPorts } from './ports.ts';
import { deniedKey } from './reduce-tools.ts';
import { runsInWorkflow, runWorkflowTool } from './workflow-tools/workflow-tool.ts';

export async function runToolBatch(store: AgentStore, ports: LoopPorts): Promise<void> {
  store.record({ type: 'tools_begun' });
  const batch = store.state.run?.batch ?? [];
  const open = [...batch.entries()].filter(([, entry]) => !entry.answer);
  await forEachLimited(open, concurrencyOf(store, batch), ([index, entry]) =>
    answerCall(store, ports, index, entry),
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

async function answerCall(
  store: AgentStore,
  ports: LoopPorts,
  index: number,
  entry: BatchCall,
): Promise<void> {
  store.record({ type: 'tool_started', index });
  const { answer, denied } = await answerOf(store, ports, entry);
  store.record({ type: 'tool_answered', index, answer, ...(denied ? { denied } : {}) });
  await ports.callAnswered();
}

type Answered = { answer: ToolAnswer; denied?: boolean };

async function answerOf(store: AgentStore, ports: LoopPorts, entry: BatchCall): Promise<Answered> {
  const { prepared } = entry;
  if (ports.stopRequested()) return notStarted(entry);
  if (skipsForSteering(store, ports)) return skipped(entry);
  if (store.state.run?.end) return { answer: errorAnswer(entry, 'Not run: the run has ended.') };
  if (store.state.run?.final) return { answer: errorAnswer(entry, 'Not run: the turn limit is reached.') };
  if (prepared.status === 'rejected') return { answer: errorAnswer(entry, prepared.reason) };
  const reason = prepared.reason ?? 'the policy does not allow it';
  if (prepared.decision === 'deny') return { answer: errorAnswer(entry, `Denied: ${reason}`), denied: true };
  if (prepared.decision === 'allow') return { answer: await execute(store, ports, entry, undefined) };
  if (store.state.run?.denied.includes(deniedKey(entry))) {
    return { answer: errorAnswer(entry, 'Denied: the same call was denied before in this run.') };
  }
  const decision = await ports.requestApproval(entry);
  // also when a stop and the approval came in the same moment: nothing starts after a stop
  if (decision.type === 'stopped' || (decision.type === 'approved' && ports.stopRequested())) {
    return notStarted(entry);
  }
  if (decision.type === 'approved' && skipsForSteering(store, ports)) return skipped(entry);
  return decision.type === 'approved'
    ? { answer: await execute(store, ports, entry, decision.actor) }
    : { answer: errorAnswer(entry, `Denied: ${decision.reason}`), denied: true };
}

function execute(
  store: AgentStore,
  ports: LoopPorts,
  entry: BatchCall,
  approvedBy: string | undefined,
): Promise<ToolAnswer> {
  return runsInWorkflow(store, ports.workflowTools, entry)
    ? runWorkflowTool(store, ports.workflowTools, entry)
    : ports.runTool(entry, approvedBy);
}

/** What was said since the calls were made may make them pointless (QUEUE-02). */
function skipsForSteering({ state }: AgentStore, ports: LoopPorts): boolean {
  return state.context?.settings.queues.steeringPoint === 'tool' && ports.waiting().steering > 0;
}

function skipped(entry: BatchCall): Answered {
  return { answer: errorAnswer(entry, 'Skipped due to queued user message.') };
}

function notStarted(entry: BatchCall): Answered {
  return { answer: errorAnswer(entry, 'tool execution aborted') };
}

/** An answer that we write because no activity gives one: the model reads it like any failed tool. */
export function errorAnswer({ call }: Pick<BatchCall, 'call'>, text: string): ToolAnswer {
  return {
    message: {
      role: 'tool_result',
      callId: call.callId,
      toolName: call.name,
      content: [{ type: 'text', text }],
      isError: true,
    },
  };
}

/** Starts the work in order, at most `limit` at a time. */
async function forEachLimited<T>(items: T[], limit: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const runner = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(Math.max(limit, 1), items.length) }, runner));
}
