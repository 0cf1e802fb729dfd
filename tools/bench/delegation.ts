// The cost of a delegation: a session that gives one task to a subagent, against the same session started bare. Both in
// one process, one after the other, each first in turn.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { ModelProvider } from '@holdfast/providers/model-provider';
import { connectClient } from '../../src/config/temporal-connection.ts';
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import { agentSessionType, queries } from '../../src/workflows/session/workflow-api.ts';
import { replyOf } from './content.ts';
import { type Figure, shown } from './figures.ts';
import { agent as childAgent, createOurWorker } from './our-side.ts';
import { artifactFolder, type Bench } from './row.ts';
import { spread } from './statistics.ts';

const delegatedTurns = 20;

/** ms of one pair. `call`: the call of `delegate` from start to end; `whole`: the parent from start to close. */
type Delegation = { bare: number; call: number; whole: number };

const parentAgent = 'bench-parent';
const taskQueue = 'bench-delegation';
const warmUps = 3;
const pairs = 12;
/** The latency of a fast model: without any, a session is only its own bookkeeping. */
const modelLatencyMs = 30;

export async function measureDelegation(bench: Bench): Promise<Figure[]> {
  const address = await bench.address();
  const connection = await NativeConnection.connect({ address });
  const clientConnection = await connectClient({ address, namespace: 'default' });
  const client = new Client({ connection: clientConnection });
  const agents = {
    [parentAgent]: { instructions: 'You measure.', tools: [], delegation: { agents: [childAgent] } },
  };
  const worker = await createOurWorker(
    { connection, taskQueue, artifactsDir: artifactFolder(bench) },
    createModel(),
    agents,
  );
  const running = worker.run();
  const measured: Delegation[] = [];
  for (let index = -warmUps; index < pairs; index += 1) {
    const runs: Record<string, Run> = {};
    const order = index % 2 === 0 ? [childAgent, parentAgent] : [parentAgent, childAgent];
    for (const agent of order) runs[agent] = await runOne(client, agent, `delegation-${agent}-${index}`);
    const { [childAgent]: bare, [parentAgent]: parent } = runs;
    if (index >= 0 && bare && parent) measured.push({ bare: bare.ms, call: parent.callMs, whole: parent.ms });
  }
  worker.shutdown();
  await running;
  await connection.close();
  await clientConnection.close();
  const of = (part: keyof Delegation) => shown(spread(measured.map((pair) => pair[part])), 0);
  return [
    {
      name: 'delegation',
      what: "a delegated task, against the subagent's session alone",
      unit: 'x',
      value: spread(measured.map(({ call, bare }) => call / bare)),
      detail: `call ${of('call')} ms, session alone ${of('bare')} ms, all of the parent ${of('whole')} ms`,
    },
  ];
}

function createModel(): ModelProvider {
  return {
    name: 'bench',
    async call({ metadata: { agent, turn } }) {
      await sleep(modelLatencyMs);
      return { message: agent === parentAgent ? parentReply(turn) : replyOf(turn, delegatedTurns) };
    },
  };
}

function parentReply(turn: number): AssistantMessage {
  const tasks = [{ agent: childAgent, task: 'Read all parts.', context: 'What is known so far.' }];
  const last = replyOf(1, 0);
  if (turn > 1) return last;
  const call = {
    type: 'tool_call',
    callId: 'call-d',
    name: 'delegate',
    arguments: JSON.stringify({ tasks }),
  } as const;
  return { ...last, content: [call], stopReason: 'tool_use' };
}

type Run = { ms: number; callMs: number };

async function runOne(client: Client, agent: string, workflowId: string): Promise<Run> {
  const args = [{ agent, prompt: 'Read all parts.', loop: { maxTurns: 0 }, model: { contextWindow: 0 } }];
  const handle = await client.workflow.start(agentSessionType, { workflowId, taskQueue, args });
  await handle.result();
  const { startTime, closeTime } = await handle.describe();
  const { events } = await handle.query(queries.getEvents, 0);
  return { ms: (closeTime?.getTime() ?? Number.NaN) - startTime.getTime(), callMs: callMsOf(events) };
}

function callMsOf(events: AgentEvent[]): number {
  const at = (type: AgentEvent['type']): number =>
    events.find((event) => event.type === type && 'tool' in event && event.tool === 'delegate')?.at ?? 0;
  return at('tool_execution_end') - at('tool_execution_start');
}
