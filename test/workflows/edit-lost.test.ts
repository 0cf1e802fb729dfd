// A worker that dies while it edits a file: the edit is made once, whatever moment it was. Real processes, killed at a known
// place.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEditTool } from '../../src/activities/tools/built-in/files/edit.ts';
import { textOf } from '../../src/core/model/messages.ts';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { SessionBench } from '../support/session-bench.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';

const childFile = resolve(import.meta.dirname, '../support/edit-worker-child.ts');
const idleModel = functionModel(() => ({ text: 'not asked' }));

async function resultsOf(bench: SessionBench, id: string): Promise<string[]> {
  const log = await bench.readLog(id);
  return log.flatMap((record) => (record.role === 'tool_result' ? [textOf(record)] : []));
}

test.each([
  ['before', /^Changed a\.ini: 1 line added, 0 lines removed\./],
  ['after', /^a\.ini has this text already: nothing was written\./],
])(
  '[TOOL-08c] [FAULT-4] a worker killed %s its edit: the next attempt makes it, or finds it made, and it is there once',
  async (where, text) => {
    const bench = await createSessionBench({ model: idleModel, workerless: true });
    const folder = await temporaryFolder();
    const ledger = join(await temporaryFolder(), 'ledger');
    await writeFile(ledger, '');
    await writeFile(join(folder, 'a.ini'), 'count = 1\n');
    const start = (place: string): ChildProcess => {
      const { address, taskQueue, artifactsDir } = bench;
      const args = [childFile, address, taskQueue, artifactsDir, folder, ledger, place];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    };
    const lines = async (): Promise<string[]> => (await readFile(ledger, 'utf8')).split('\n').filter(Boolean);
    const handle = await bench.start({ prompt: 'Go.', loop: { heartbeatTimeoutMs: 2_000 } });
    const child = start(where);
    await until(`the worker is ${where} its edit`, async () => (await lines()).at(-1) === where);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    start('nowhere');
    expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'Done.' });
    expect(await readFile(join(folder, 'a.ini'), 'utf8')).toBe('count = 1\ncount = 1\n');
    expect(await resultsOf(bench, handle.workflowId)).toEqual([expect.stringMatching(text)]);
    expect(await readdir(folder)).toEqual(['a.ini']);
  },
);

test('[TOOL-10d] [FAULT-82] edits of one reply run one after the other, asked about with their diff; the second of one file is a conflict', async () => {
  const folder = await temporaryFolder();
  for (const name of ['a.ini', 'b.ini']) await writeFile(join(folder, name), 'size = 5\n');
  const edit = createEditTool({ roots: [folder], writable: { folders: [folder] } });
  const running: string[] = [];
  const bench = await createSessionBench({
    model: functionModel(({ number }) => {
      const call = (path: string, size: number) => ({
        tool: 'edit',
        args: { path, edits: [{ old: 'size = 5', new: `size = ${size}` }] },
      });
      const calls = [call('a.ini', 6), call('b.ini', 7), call('a.ini', 8)];
      return number === 1 ? { calls } : { text: 'Done.' };
    }),
    tools: [
      {
        ...edit,
        async run(args, context) {
          running.push(`begin ${context.callId}`);
          // others would begin in this time if they could
          await new Promise((resume) => setImmediate(resume));
          const result = await Promise.resolve(edit.run(args, context)).finally(() =>
            running.push(`end ${context.callId}`),
          );
          return result;
        },
      },
    ],
  });
  const handle = await bench.start({ prompt: 'Go.', loop: { toolConcurrency: 8 } });
  type Waiting = { id: string; preview?: string; reason?: string };
  const previews: unknown[] = [];
  for (const [asked] of [1, 2, 3].entries()) {
    const pending = await until(`question ${asked + 1}`, async () => {
      const [first] = await handle.query<Waiting[]>('pendingApprovals');
      return first;
    });
    previews.push([pending.reason, pending.preview]);
    await handle.executeUpdate('resolveApproval', { args: [pending.id, { approve: true, actor: 'me' }] });
  }
  expect(await handle.result()).toMatchObject({ status: 'completed' });
  const question = (name: string, size: number) => [
    `It changes the file ${name}: 1 line added, 1 line removed.`,
    `@@ -1,1 +1,1 @@\n-size = 5\n+size = ${size}`,
  ];
  expect(previews).toEqual([question('a.ini', 6), question('b.ini', 7), question('a.ini', 8)]);
  const ids = ['call_1_1', 'call_1_2', 'call_1_3'];
  expect(running).toEqual(ids.flatMap((id) => [`begin ${id}`, `end ${id}`]));
  expect(await resultsOf(bench, handle.workflowId)).toEqual([
    expect.stringMatching(/^Changed a\.ini/),
    expect.stringMatching(/^Changed b\.ini/),
    expect.stringMatching(/^Conflict: a\.ini has changed since this call was prepared/),
  ]);
  expect(await readFile(join(folder, 'a.ini'), 'utf8')).toBe('size = 6\n');
});
