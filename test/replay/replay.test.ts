// Stored histories against the workflow of today: a change that breaks sessions under way turns red here, offline.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from '@temporalio/worker';
import { beforeAll, expect, test } from 'vitest';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { workerLog } from '../support/worker-log.ts';
import { getWorkflowBundle } from '../../src/worker/workflow-bundle.ts';

const folder = join(import.meta.dirname, 'histories');
const good = await historiesIn(folder);
const wrong = await historiesIn(join(folder, 'negative'));

type Started = { workflowId?: string };
type RecordedHistory = { events: { eventType: string; workflowExecutionStartedEventAttributes?: Started }[] };

async function historiesIn(directory: string): Promise<[string, RecordedHistory][]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file): Promise<[string, RecordedHistory]> => {
      return [file, JSON.parse(await readFile(join(directory, file), 'utf8'))];
    }),
  );
}

/** Errors by what was replayed; undefined where it went well. */
async function replay(
  histories: Record<string, RecordedHistory>,
): Promise<Record<string, string | undefined>> {
  const outcomes: (string | undefined)[] = [];
  const results = Worker.runReplayHistories(
    { workflowBundle: await getWorkflowBundle() },
    // the ids of children begin with that of their parent
    Object.values(histories).map((history) => ({ workflowId: idOf(history), history })),
  );
  // one after the other, in their order
  for await (const { error } of results) outcomes.push(error && `${error.name}: ${error.message}`);
  if (outcomes.length !== Object.keys(histories).length) throw new Error('not every history was replayed');
  return Object.fromEntries(Object.keys(histories).map((name, index) => [name, outcomes[index]]));
}

function idOf({ events: [first] }: RecordedHistory): string {
  return first?.workflowExecutionStartedEventAttributes?.workflowId ?? 'replayed';
}

/** The history as a worker finds it at each workflow task: it ends with the start of that task. */
function cutAtTasks({ events }: RecordedHistory): Record<string, RecordedHistory> {
  const ends = events.flatMap(({ eventType }, index) =>
    eventType === 'EVENT_TYPE_WORKFLOW_TASK_STARTED' ? [index + 1] : [],
  );
  return Object.fromEntries(ends.map((end) => [`until-${end}`, { events: events.slice(0, end) }]));
}

/** Whole, and cut at every workflow task. */
const pieces = Object.fromEntries(
  [...good, ...wrong].flatMap(([file, history]) => {
    const cuts = good.some(([name]) => name === file) ? cutAtTasks(history) : {};
    return Object.entries({ whole: history, ...cuts }).map(([cut, piece]) => [`${file} ${cut}`, piece]);
  }),
);

/** One worker replays them all: to make one takes longer than its replays. */
let outcomes: Record<string, string | undefined> = {};
beforeAll(async () => {
  installRuntime(workerLog());
  outcomes = await replay(pieces);
}, 300_000);

test.each(good)(
  '[CKPT-10a] [FAULT-41] [FAULT-42] %s replays as recorded, whole and cut at every workflow task',
  (file) => {
    const own = Object.entries(outcomes).filter(([piece]) => piece.startsWith(`${file} `));
    expect(own.length).toBeGreaterThan(1);
    expect(own.filter(([, error]) => error !== undefined)).toEqual([]);
  },
);

test.each(wrong)('[CKPT-10a] %s is refused: the replay does see a difference', (file) => {
  expect(outcomes[`${file} whole`]).toMatch(/^DeterminismViolationError/);
});

test('[MEM-02ac] a run with memory has one search in its history, and a replay takes what that found', () => {
  const [, history] = good.find(([file]) => file === 'memory.json') ?? [];
  if (!history) throw new Error('the history memory.json was expected');
  const scheduled = JSON.stringify(history).match(/"name":"searchMemory"/g);
  expect(scheduled).toHaveLength(1);
  // no activity runs in a replay: a second search would be a command that the history does not have
  expect(outcomes).toHaveProperty(['memory.json whole'], undefined);
});
