// The tree of a session on the command line: seen, steered, approved and followed at the top session.
import { expect, inject, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import { callCli } from '../support/cli.ts';
import type { CliResult } from '../support/cli.ts';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { delegating } from '../support/team.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';

test('[MODE-09b] [EVENT-13c] show --tree, steer --to, approvals, approve, watch and list know the subagents of a session', async () => {
  const bench = await createSessionBench({
    model: functionModel(({ number, newTexts, request: { metadata } }) => {
      if (metadata.agent === 'fixer') {
        if (number === 1) return { calls: [{ tool: 'change', args: { target: 'pool' } }] };
        return { text: `Done; I heard: ${newTexts.join()}` };
      }
      return number === 1
        ? delegating({ agent: 'fixer', task: 'Make the pool larger.' })
        : { text: 'The pool is larger.' };
    }),
    tools: [
      defineTool({
        name: 'change',
        description: 'Changes something.',
        effect: 'once',
        input: z.strictObject({ target: z.string() }),
        run: ({ target }) => ({ text: `changed ${target}` }),
      }),
    ],
    policy: [{ tool: 'change', decision: 'ask' }],
    agent: { delegation: { agents: ['*'] } },
    agents: { fixer: {} },
  });
  const cwd = await temporaryFolder();
  const environment = { TEMPORAL_ADDRESS: inject('temporalAddress'), HOLDFAST_TASK_QUEUE: bench.taskQueue };
  const cli = (...args: string[]): Promise<CliResult> => callCli(args, { cwd, environment });
  const handle = await bench.start({ prompt: 'Checkout is slow.' });
  const id = handle.workflowId;
  const top = bench.holdfast.session(id);
  await until('the top waits', async () => (await top.snapshot()).approvals.length === 1);

  const tree = await cli('show', id, '--tree');
  expect(tree.stdout.trimEnd().split('\n')).toEqual([
    '🤖 tester  waiting for approval (fixer-make-1) · 1 turn · $0.00',
    '│ Checkout is slow.',
    '└─ 🤖 fixer-make-1  waiting for approval · 1 turn · $0.00',
    '     Make the pool larger.',
  ]);
  const json = JSON.parse((await cli('show', id, '--tree', '--json')).stdout);
  expect(json).toMatchObject({ type: 'tree', tree: { children: [{ sessionId: `${id}/fixer-make-1` }] } });

  const refused = await cli('steer', id, '--to', 'nobody', 'hello');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain(`No subagent "nobody" of session ${id} runs; running: fixer-make-1.`);
  const steered = await cli('steer', id, '--to', 'fixer-make-1', '--id', 'm1', 'Only', 'a', 'little.');
  expect(steered.stdout).toContain('fixer-make-1 reads it before its next turn');

  const listed = await cli('approvals', id);
  expect(listed.stdout).toContain('of subagent fixer-make-1:');
  expect(listed.stdout).toContain(`approve ${id} fixer-make-1/call_1_1`);
  const approved = await cli('approve', id, '--actor', 'kim');
  expect(approved.stdout).toContain('Approved fixer-make-1/call_1_1: change {"target":"pool"}');
  expect(await handle.result()).toMatchObject({ answer: 'The pool is larger.' });

  const watched = (await cli('watch', id)).stdout.split('\n');
  const own = watched.filter((line) => line.startsWith('  fixer-make-1 │ '));
  expect(own).toEqual([
    expect.stringContaining('→ change'),
    expect.stringContaining('approval needed'),
    expect.stringContaining('change {"target":"pool"}'),
    expect.stringContaining('denied without an answer'),
    expect.stringContaining('steering enqueued'),
    expect.stringContaining('approved by kim'),
    expect.stringContaining('✓ change'),
    expect.stringContaining('steering delivered'),
    '  fixer-make-1 │ Done; I heard: Only a little.',
  ]);
  const begun = watched.findIndex((line) => line.startsWith('  🤖 fixer-make-1: Make the pool larger.'));
  const ended = watched.findIndex((line) => line.startsWith('  🤖 fixer-make-1 completed'));
  expect(begun).toBeLessThan(watched.indexOf(own[0] ?? ''));
  expect(watched.indexOf(own.at(-1) ?? '')).toBeLessThan(ended);
  const events = (await cli('watch', id, '--json')).stdout
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  expect(events.filter(({ event }) => event?.sessionId === `${id}/fixer-make-1`).length).toBeGreaterThan(5);

  const ids = async (...more: string[]) =>
    (await cli('list', '--limit', '500', ...more, '--json')).stdout
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line).sessionId]));
  await expect.poll(async () => ids('--children'), { timeout: 20_000 }).toContain(`${id}/fixer-make-1`);
  expect(await ids()).not.toContain(`${id}/fixer-make-1`);
}, 120_000);
