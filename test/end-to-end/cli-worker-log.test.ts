// What `holdfast worker` writes of a run, counts, and answers to probes, over a kill: each thing once, nothing of its content.
import getPort from 'get-port';
import { expect, test } from 'vitest';
import { type RunningCli, callCli, runCli, startCli } from '../support/cli.ts';
import { makeAskingFolder } from '../support/cli-folder.ts';
import { until } from '../support/until.ts';

type Line = { level: string; message: string; session?: string; [field: string]: unknown };

test('a worker logs a run, its approval and its end once over a kill, without its content, and is ready until it drains', async () => {
  const folder = await makeAskingFolder('worker-log');
  const first = startCli(['worker', '--log-format', 'json', '--health', '0'], folder);
  const [, ready = ''] = await first.until(/health (\S+)/);
  await until('it is ready', async () => (await fetch(ready)).status === 200);
  await runCli(['run', '--detach', '--session', 'logged', 'find the hidden treasure'], folder);
  await first.until(/approval asked/);
  first.child.kill('SIGKILL');
  const before = await linesOf(first);
  const port = await getPort();
  const second = startCli(['worker', '--log-format', 'json', '--metrics', `${port}`], folder);
  await second.until(/worker on/);
  await callCli(['approve', 'logged', '--reason', 'treasure'], folder);
  await second.until(/run completed/);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  second.child.kill('SIGTERM');
  const after = await linesOf(second);

  const shown = ({ level, message, run }: Line) => [level, message, run];
  expect(before.map(shown)).toEqual([
    ['info', 'run begins', 'run-1'],
    ['info', 'approval asked', 'run-1'],
  ]);
  // the second one has replayed all that the first one wrote
  expect(after.filter(({ level }) => level !== 'warning').map(shown)).toEqual([
    ['info', 'approval given', 'run-1'],
    ['info', 'run completed', 'run-1'],
  ]);
  expect(before[1]).toMatchObject({ tool: 'read', call: expect.any(String), deadline: expect.any(String) });
  expect(after.find(({ message }) => message === 'approval given')).toMatchObject({
    actor: expect.any(String),
    waitedMs: expect.any(Number),
  });
  expect(after.find(({ message }) => message === 'run completed')).toMatchObject({
    outcome: 'completed',
    turns: 2,
    toolCalls: 1,
    costUsd: 0,
    durationMs: expect.any(Number),
  });
  expect(JSON.stringify([before, after])).not.toMatch(/treasure|shop\.log|That is all/);
  expect(valuesIn(metrics)).toEqual({
    'holdfast_runs_ended_total completed': '1',
    // the answer after the kill; the reply before it was another worker's
    holdfast_turns_total: '1',
    'holdfast_tool_calls_total read ok read': '1',
    'holdfast_answers_total approved approval': '1',
  });
  await expect(fetch(ready)).rejects.toThrow();
  await folder.remove();
});

/** Counters of ours, by name and the labels that say what was counted. */
function valuesIn(metrics: string): Record<string, string> {
  const counters = metrics.matchAll(/^(holdfast_(?:runs|turns|tool|answers)\w*_total)\{(.*)\} (\S+)$/gm);
  const told = /\b(?:outcome|effect|result|tool|answer|kind)="([^"]*)"/g;
  return Object.fromEntries(
    [...counters].map(([, name, labels = '', value = '']) => [
      [name, ...[...labels.matchAll(told)].map(([, label]) => label)].join(' '),
      value,
    ]),
  );
}

/** Those of the session, when the worker is gone. */
async function linesOf({ ended }: RunningCli): Promise<Line[]> {
  const { stderr } = await ended;
  const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line): Line => JSON.parse(line)).filter(({ session }) => session === 'logged');
}
