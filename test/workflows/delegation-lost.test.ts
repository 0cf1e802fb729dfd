// Workers that die in the middle of a delegation of three: nothing is lost, and nothing is done twice.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Snapshot } from '../../src/core/model/snapshot.ts';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { eventsOf, readChain } from '../support/session-history.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';
import { killProcess, startWorkerProcess } from '../support/worker-processes.ts';

test('[SUB-05ab] [FAULT-2] [FAULT-5] workers killed while three children ask their models, and while all three are in a once tool: each task has its one result', async () => {
  const model = functionModel(() => ({ text: 'not asked' }));
  const bench = await createSessionBench({ model, workerless: true });
  const ledger = join(await temporaryFolder(), 'ledger');
  await writeFile(ledger, '');
  const begun = async (what: string): Promise<number> =>
    (await readFile(ledger, 'utf8')).split('\n').filter((line) => line === what).length;
  const handle = await bench.start({ agent: 'leader', prompt: 'Go.' });
  for (const where of ['model', 'once']) {
    const child = startWorkerProcess(bench, ledger, where);
    await until(`three children are in ${where}`, async () => (await begun(where)) === 3);
    await killProcess(child);
  }
  startWorkerProcess(bench, ledger, 'nowhere');
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'All of them are done.' });
  expect(await begun('once')).toBe(3);
  const [result] = (await bench.readLog(handle.workflowId)).filter(({ role }) => role === 'tool_result');
  const text =
    result?.role === 'tool_result' && result.content[0]?.type === 'text' ? result.content[0].text : '';
  // a child answers with what it was told last, its task
  expect(JSON.parse(text)).toEqual(tasks.map(() => ({ agent: 'tester', result: 'done' })));
  const { children } = await handle.query<Snapshot>('snapshot');
  expect(children.map(({ task, state }) => [task, state])).toEqual(tasks.map((task) => [task, 'ended']));
  const events = eventsOf(await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId));
  const started = events.filter((event) => event.startChildWorkflowExecutionInitiatedEventAttributes);
  expect(started).toHaveLength(3);
});

const tasks = ['logs', 'metrics', 'changes'];
