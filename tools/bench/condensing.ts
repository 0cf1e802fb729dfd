// A session that condenses about every 50 turns against the same session that never does, one after the other.
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { ModelProvider } from '@holdfast/providers/model-provider';
import { connectClient } from '../../src/config/temporal-connection.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { agentSessionType } from '../../src/workflows/session/workflow-api.ts';
import { replyOf, summaryReply, tokensOfTurn, withInputTokens } from './content.ts';
import { type Figure, shown } from './figures.ts';
import { agent, createOurWorker } from './our-side.ts';
import { artifactFolder, type Bench } from './row.ts';
import { spread } from './statistics.ts';

const turns = 200;
const pairs = 3;
const everyTurns = 50;
const taskQueue = 'bench-condense';
/** A condense is due at 80 % of it, and keeps two turns. */
const contextWindow = Math.round(((everyTurns + 2) * tokensOfTurn) / 0.8);

export async function measureCondensing(bench: Bench): Promise<Figure[]> {
  const address = await bench.address();
  const connection = await NativeConnection.connect({ address });
  const clientConnection = await connectClient({ address, namespace: 'default' });
  const client = new Client({ connection: clientConnection });
  const counted = { condenses: 0 };
  const setting = { connection, taskQueue, artifactsDir: artifactFolder(bench) };
  const worker = await createOurWorker(setting, createModel(counted), {});
  const running = worker.run();
  const times: Record<Kind, number[]> = { condensing: [], plain: [] };
  // the first pair compiles the code
  for (let index = 0; index <= pairs; index += 1) {
    const order: Kind[] = index % 2 === 0 ? ['condensing', 'plain'] : ['plain', 'condensing'];
    for (const kind of order) {
      const ms = await runOne(client, kind, index);
      if (index > 0) times[kind].push(ms / turns);
    }
  }
  worker.shutdown();
  await running;
  await connection.close();
  await clientConnection.close();
  const { condensing, plain } = times;
  return [
    {
      name: 'condense',
      what: `a turn of a session that condenses, against one that does not`,
      unit: 'x',
      value: spread(condensing.map((ms, index) => ms / (plain[index] ?? Number.NaN))),
      detail: `${shown(spread(condensing), 1)} ms, ${shown(spread(plain), 1)} ms; a condense every ${Math.round(((pairs + 1) * turns) / counted.condenses)} turns`,
    },
  ];
}

type Kind = 'condensing' | 'plain';

async function runOne(client: Client, kind: Kind, index: number): Promise<number> {
  const input: SessionInput = {
    agent,
    prompt: 'Read all parts.',
    loop: { maxTurns: 0 },
    model: { contextWindow: kind === 'condensing' ? contextWindow : 0 },
    condense: { maxPerRun: 0 },
  };
  const startedAt = performance.now();
  await client.workflow.execute(agentSessionType, {
    workflowId: `bench-condense-${kind}-${index}`,
    taskQueue,
    args: [input],
  });
  return performance.now() - startedAt;
}

function createModel(counted: { condenses: number }): ModelProvider {
  return {
    name: 'bench',
    async call({ messages, metadata: { turn, purpose } }) {
      if (purpose === 'condense') {
        counted.condenses += 1;
        return { message: summaryReply };
      }
      return { message: withInputTokens(replyOf(turn, turns), messages.length) };
    },
  };
}
