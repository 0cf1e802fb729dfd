// The cost of a reply that is seen while it is written: its heartbeats carry the text, to the server and to whoever watches. Sessions
// whose reply comes in pieces, against sessions whose reply comes whole, after the same time.
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { ModelProvider } from '@holdfast/providers/model-provider';
import { connectClient } from '../../src/config/temporal-connection.ts';
import { agentSessionType } from '../../src/workflows/session/workflow-api.ts';
import { replyOf } from './content.ts';
import { exactly, type Figure, shown } from './figures.ts';
import { weighHistory } from './history-chain.ts';
import { agent, createOurWorker } from './our-side.ts';
import { artifactFolder, type Bench } from './row.ts';
import { spread } from './statistics.ts';

const taskQueue = 'bench-stream';
const sessionsAtOnce = 10;
const pairs = 3;
/** Some 33 KB in 8 s: at the end a heartbeat carries as much as it can. */
const pieces = 160;
const pieceMs = 50;
const piece =
  'The pool of checkout is at its limit of 40 connections since 02:14, and the queue grows by 12 a second. '.repeat(
    2,
  );
/** Clock ticks of Linux, which has 100 a second everywhere. */
const tickMs = 10;

/** CPU in ms, and bytes of history, for a session. */
type Cost = { worker: number; server: number; history: number };

export async function measureStreaming(bench: Bench): Promise<Figure[]> {
  const address = await bench.address();
  const connection = await NativeConnection.connect({ address });
  const clientConnection = await connectClient({ address, namespace: 'default' });
  const client = new Client({ connection: clientConnection });
  const artifactsDir = artifactFolder(bench);
  const worker = await createOurWorker({ connection, taskQueue, artifactsDir }, createModel(), {});
  const running = worker.run();
  const serverPid = await bench.pid();
  const costs: Record<Way, Cost[]> = { pieces: [], whole: [] };
  for (let index = -1; index < pairs; index += 1) {
    for (const way of index % 2 === 0 ? (['whole', 'pieces'] as const) : (['pieces', 'whole'] as const)) {
      const cost = await runMany(client, way, index, serverPid);
      if (index >= 0) costs[way].push(cost);
      bench.say(`stream: ${sessionsAtOnce} replies in 8 s, ${way}`);
    }
  }
  worker.shutdown();
  await running;
  await connection.close();
  await clientConnection.close();
  const seconds = (pieces * pieceMs) / 1_000;
  const more = (part: 'worker' | 'server') =>
    spread(
      costs.pieces.map((cost, index) => (cost[part] - (costs.whole[index]?.[part] ?? Number.NaN)) / seconds),
    );
  const median = (way: Way) => spread(costs[way].map(({ history }) => history)).median;
  return [
    {
      name: 'stream.cpu',
      what: 'CPU of the worker for a second of a reply that is seen while it is written',
      unit: 'ms',
      value: more('worker'),
      detail: `server ${shown(more('server'), 1)} ms`,
    },
    {
      name: 'stream.history',
      what: 'history of a session whose reply came in pieces, over one whose reply came whole',
      unit: 'x',
      value: exactly(median('pieces') / median('whole')),
    },
  ];
}

type Way = 'pieces' | 'whole';

function createModel(): ModelProvider {
  return {
    name: 'bench',
    async call({ metadata: { sessionId } }, { onDelta }) {
      const inPieces = sessionId.includes('pieces');
      for (let sent = 0; sent < pieces; sent += 1) {
        await sleep(pieceMs);
        if (inPieces) onDelta({ type: 'text', text: piece });
      }
      return { message: { ...replyOf(1, 0), content: [{ type: 'text', text: piece.repeat(pieces) }] } };
    },
  };
}

async function runMany(client: Client, way: Way, index: number, serverPid: number): Promise<Cost> {
  const ids = Array.from({ length: sessionsAtOnce }, (_, number) => `bench-stream-${way}-${index}-${number}`);
  const before = { worker: process.cpuUsage(), server: await cpuMsOf(serverPid) };
  await Promise.all(
    ids.map(async (workflowId) => {
      const args = [{ agent, prompt: 'Read all parts.' }];
      await (await client.workflow.start(agentSessionType, { workflowId, taskQueue, args })).result();
    }),
  );
  const { user, system } = process.cpuUsage(before.worker);
  const server = (await cpuMsOf(serverPid)) - before.server;
  const [first = ''] = ids;
  return {
    worker: (user + system) / 1_000 / sessionsAtOnce,
    server: server / sessionsAtOnce,
    history: (await weighHistory(client, first)).bytes,
  };
}

/** User and system time of a process, from Linux; NaN elsewhere. */
async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // the name of the program, in parentheses, may have spaces
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) * tickMs;
}
