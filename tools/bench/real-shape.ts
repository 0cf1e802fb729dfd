// A turn of the real shape against a bare workflow with the same activities. The bare payloads are as large as those that
// a session has just put into its history.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createBuiltInTools } from '../../src/activities/assembly/built-in-tools.ts';
import { connectClient } from '../../src/config/temporal-connection.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { tuneWorker } from '../../src/worker/worker-options.ts';
import { bareCode } from './bare-side.ts';
import { createBareShapeActivities } from './bare-shape-activities.ts';
import type { BareActivityName, BareShapeInput, Sizes } from './bare-shape-workflow.ts';
import { type Figure, kib, shown } from './figures.ts';
import { weighHistory } from './history-chain.ts';
import { createOurWorker } from './our-side.ts';
import { Pace } from './pace.ts';
import { artifactFolder, type Bench } from './row.ts';
import { readBytes, readPath, reads, type ShapeFolders, shapeReplyOf, logText } from './shape-content.ts';
import { shutdownGraceMs, runSide, type Side } from './side.ts';
import { spread } from './statistics.ts';

const blocks = 6;
const blockTurns = 3;
/** The first block compiles the code. */
const turns = blockTurns * (blocks + 1);
const agent = 'shape';
const ids = { ours: 'bench-shape-ours', bare: 'bench-shape-bare' };

export async function measureRealShape(bench: Bench): Promise<Figure[]> {
  const address = await bench.address();
  const folders = await makeFolders(bench);
  const connection = await NativeConnection.connect({ address });
  const clientConnection = await connectClient({ address, namespace: 'default' });
  const client = new Client({ connection: clientConnection });
  const pace = new Pace();
  const setting = { connection, client, pace, folders, artifactsDir: artifactFolder(bench) };
  const ours = await openOurs(setting);
  await begin(pace, ours, ids.ours);
  const bare = await openBare(setting, await sizesOf(client, ids.ours));
  await begin(pace, bare, ids.bare);
  for (const name of ['ours', 'bare'] as const) await pace.runTo(ids[name], blockTurns);
  const times: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  for (let block = 1; block <= blocks; block += 1) {
    const order = block % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
    for (const name of order)
      times[name].push((await pace.runTo(ids[name], blockTurns * (block + 1))) / blockTurns);
  }
  for (const side of [ours, bare]) {
    pace.free(ids[side.name === 'ours' ? 'ours' : 'bare']);
    await side.ended(ids[side.name === 'ours' ? 'ours' : 'bare']);
  }
  const weights = { ours: await kibOfTurn(client, ids.ours), bare: await kibOfTurn(client, ids.bare) };
  for (const side of [ours, bare]) await side.stop();
  await connection.close();
  await clientConnection.close();
  return [
    {
      name: 'real-shape',
      what: 'a turn with 8 reads of 32 KB, a shell command and a write of 220 KB, one after the other, against the bare workflow',
      unit: 'x',
      value: spread(times.ours.map((ms, index) => ms / (times.bare[index] ?? Number.NaN))),
      detail: `ours ${shown(spread(times.ours), 1)} ms, bare ${shown(spread(times.bare), 1)} ms; history ${weights.ours} KiB a turn, bare ${weights.bare}`,
    },
  ];
}

async function makeFolders({ dir }: Bench): Promise<ShapeFolders> {
  const folders = { readable: join(dir, 'shape-read'), writable: join(dir, 'shape-written') };
  await mkdir(folders.readable);
  await mkdir(folders.writable);
  for (let part = 0; part < reads; part += 1)
    await writeFile(join(folders.readable, readPath(part)), logText(readBytes));
  return folders;
}

async function begin(pace: Pace, side: Side, id: string): Promise<void> {
  pace.hold(id);
  await side.start(id, { turns });
  await pace.arrival(id);
  await pace.runTo(id, 1);
}

type Setting = {
  connection: NativeConnection;
  client: Client;
  pace: Pace;
  folders: ShapeFolders;
  artifactsDir: string;
};

async function openOurs({ connection, client, pace, folders, artifactsDir }: Setting): Promise<Side> {
  const tools = createBuiltInTools({
    roots: [folders.readable, folders.writable],
    writable: [folders.writable],
    httpAllow: [],
    shell: {
      sandbox: 'dangerously-off',
      changes: 'sandbox',
      network: false,
      unixSockets: false,
      writable: [],
      hidden: [],
      open: [],
      ownPaths: [],
      environment: {},
      limits: {},
      timeoutMs: 600_000,
    },
  }).filter(({ spec }) => ['read', 'bash', 'write'].includes(spec.name));
  const taskQueue = 'bench-shape-ours';
  const agents = {
    [agent]: { instructions: 'You measure.', tools: ['read', 'bash', 'write'], mode: 'act' as const },
  };
  const model = {
    name: 'bench',
    async call({ metadata: { sessionId, turn } }: { metadata: { sessionId: string; turn: number } }) {
      await pace.reach(sessionId, turn);
      return { message: shapeReplyOf(turn, turns, folders) };
    },
  };
  const worker = await createOurWorker({ connection, taskQueue, artifactsDir }, model, agents, tools);
  const toInput = (): SessionInput => ({
    agent,
    prompt: 'Read all parts.',
    loop: { maxTurns: 0 },
    model: { contextWindow: 0 },
  });
  return runSide({ name: 'ours', client, worker, taskQueue, workflowType: 'agentSession', toInput });
}

async function openBare(
  { connection, client, pace, folders }: Setting,
  sizes: BareShapeInput['sizes'],
): Promise<Side> {
  const taskQueue = 'bench-shape-bare';
  const worker = await Worker.create({
    ...tuneWorker(shutdownGraceMs),
    connection,
    taskQueue,
    ...(await bareCode(join(import.meta.dirname, 'bare-shape-workflow.ts'))),
    activities: createBareShapeActivities(pace, turns, folders),
  });
  const toInput = (sessionId: string): BareShapeInput => ({ sessionId, sizes, reads });
  return runSide({ name: 'bare', client, worker, taskQueue, workflowType: 'bareShape', toInput });
}

const counterparts: Record<BareActivityName, string> = {
  shapeModel: 'callModel',
  shapeRead: 'tool.read',
  shapeBash: 'tool.bash',
  shapeWrite: 'tool.write',
};

/** Payload sizes of the newest ended call of each activity. Throws if one has failed: a comparison is then meaningless. */
async function sizesOf(client: Client, id: string): Promise<BareShapeInput['sizes']> {
  const { events } = await client.workflow.getHandle(id).fetchHistory();
  const found: Partial<Record<string, Sizes>> = {};
  for (const { activityTaskCompletedEventAttributes: end } of events ?? []) {
    const scheduled = events?.find(({ eventId }) => String(eventId) === String(end?.scheduledEventId));
    const call = scheduled?.activityTaskScheduledEventAttributes;
    const result = end?.result?.payloads?.[0]?.data;
    if (!call || !result) continue;
    const text = Buffer.from(result).toString();
    if (text.includes('"isError":true'))
      throw new Error(`A call of the real shape failed: ${text.slice(0, 1_000)}`);
    found[call.activityType?.name ?? ''] = {
      input: call.input?.payloads?.[0]?.data?.length ?? 0,
      result: result.length,
    };
  }
  const sizes = Object.entries(counterparts).map(([name, ours]) => [name, found[ours] ?? missing(ours)]);
  return Object.fromEntries(sizes) as BareShapeInput['sizes'];
}

function missing(activity: string): never {
  throw new Error(`The session of the real shape has no call of ${activity} that has ended.`);
}

async function kibOfTurn(client: Client, id: string): Promise<string> {
  return kib((await weighHistory(client, id)).bytes / turns).toFixed(0);
}
