// holdfast board as people type it: the first task opens the board, and what agents do is shown.
import { expect, test } from 'vitest';
import { callCli } from '../support/cli.ts';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';

test('[CLI-20] board add, list, show, release and close, in words and as JSON', async () => {
  const { taskQueue, address, artifactsDir, holdfast, name } = await createSessionBench({
    model: functionModel(() => ({ text: 'done' })),
  });
  const environment = { TEMPORAL_ADDRESS: address, HOLDFAST_TASK_QUEUE: taskQueue };
  const board = (...words: string[]) => callCli(['board', ...words], { cwd: artifactsDir, environment });
  expect(await board('list', name)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`no open task board "${name}"`),
  });
  expect(
    await board('add', name, 'Read', 'the', 'logs.', '--id', 'logs', '--notes', 'of checkout'),
  ).toMatchObject({ code: 0, stdout: `Added logs to ${name}.\n` });
  expect((await board('add', name, 'Read the metrics.', '--json')).lines).toEqual([
    { board: name, id: 't1', text: 'Read the metrics.', status: 'open' },
  ]);
  await holdfast.board(name).claim('logs', 'analyst-logs-1');
  expect((await board('list', name)).stdout).toBe(
    'logs         claimed   Read the logs. (analyst-logs-1)\nt1           open      Read the metrics.\n',
  );
  expect((await board('show', name, 'logs')).stdout).toContain('\n  of checkout\n');
  expect(await board('show', name, 'x')).toMatchObject({
    code: 7,
    stderr: expect.stringContaining('has no task "x": expected one of logs, t1.'),
  });
  expect(await board('release', name, 'x')).toMatchObject({
    code: 7,
    stderr: expect.stringContaining('expected one of logs, t1.'),
  });
  expect((await board('release', name, 'logs')).stdout).toBe('Task logs is open.\n');
  expect((await board('list', name, '--json')).lines).toMatchObject([
    { id: 'logs', status: 'open' },
    { id: 't1' },
  ]);
  expect((await board('close', name)).stdout).toBe(`Board ${name} is closed.\n`);
  expect(await board('list', 'not a name')).toMatchObject({ code: 2 });
});
