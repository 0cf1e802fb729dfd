// What is saved of a session on its way and at its end, with the store that ships.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import type { Checkpoint } from '@holdfast/vocabulary/session-input';
import { functionModel } from '../support/function-model.ts';
import { localSession } from '../support/local-session.ts';
import { until } from '../support/until.ts';

async function readTask(artifactsDir: string, taskId: string): Promise<Checkpoint> {
  const file = join(artifactsDir, 'sessions', 'checkpoints', `${taskId}.json`);
  return JSON.parse(await readFile(file, 'utf8')) as Checkpoint;
}

const working = () =>
  functionModel(({ number, newTexts }) => {
    if (newTexts.includes('Fail.')) throw ApplicationFailure.nonRetryable('it broke', 'Model.NotFound');
    if (newTexts.includes('Answer.')) return { text: 'done' };
    return { calls: [{ tool: 'echo', args: { text: String(number), times: 9_000 } }] };
  });

test.each([
  ['Answer.', {}, 'completed', 2],
  ['Fail.', {}, 'failed', 1],
  ['Loop.', { loop: { maxTurns: 2, onLimit: 'error' as const } }, 'in_progress', 3],
  ['Loop.', { budget: { toolCalls: 1 } }, 'in_progress', 2],
])(
  '[CKPT-03a] [CKPT-02c] at the end of a run under the id of its task: %s %j',
  async (prompt, input, status, iteration) => {
    const { ask, session, artifactsDir } = await localSession(
      { model: working() },
      { taskId: 'task-7', ...input },
    );
    await ask(prompt);
    const saved = await until('it is saved', () => readTask(artifactsDir, 'task-7').catch(() => undefined));
    expect(saved).toMatchObject({ status, task_id: 'task-7', iteration });
    expect(saved.messages.records).toEqual(session.state.log.records);
  },
);

describe('on the way', () => {
  const savings = [
    ['turn', ['-', '-', '-', '2/0/4', '2/0/4', '2/0/4', '3/0/7']],
    ['tool', ['-', '-', '2/1/2', '2/2/2', '2/2/2', '3/1/5', '3/2/5']],
  ] as const;

  test.each(savings)('[CKPT-03b] checkpointEvery %s saves on the way', async (checkpointEvery, expected) => {
    const seen: string[] = [];
    // iteration, answered calls and messages of what is stored, as each model call and each tool finds it
    const look = async (): Promise<void> => {
      const saved = await readTask(played.artifactsDir, 'task').catch(() => undefined);
      const batch = saved?.session?.state.run?.batch ?? [];
      const answered = batch.filter(({ answer }) => answer).length;
      seen.push(saved ? `${saved.iteration}/${answered}/${saved.messages.records?.length}` : '-');
    };
    const played = await localSession(
      {
        model: functionModel(async ({ number }) => {
          await look();
          return number < 3 ? { calls: [{ tool: 'look' }, { tool: 'look' }] } : { text: 'done' };
        }),
        tools: [
          defineTool({
            name: 'look',
            description: 'look',
            input: z.strictObject({}),
            effect: 'read',
            run: async () => look().then(() => ({ text: `${seen.length}` })),
          }),
        ],
      },
      { taskId: 'task', loop: { checkpointEvery, toolExecution: 'sequential' } },
    );
    await played.ask('Go.');
    expect(seen).toEqual(expected);
  });

  test('[CKPT-03c] a store that is down costs a warning, not the run', async () => {
    let down = true;
    const played = await localSession(
      {
        model: functionModel(({ number }) => {
          down = number === 1;
          return number === 1 ? { calls: [{ tool: 'echo', args: { text: 'a' } }] } : { text: 'done' };
        }),
        beforePut: async (artifactId) => {
          if (down && !artifactId.startsWith('tool-')) throw new Error('read-only');
        },
      },
      { loop: { checkpointEvery: 'tool' } },
    );
    expect(await played.ask('Go.')).toMatchObject({ status: 'completed', answer: 'done' });
    expect(played.session.events.page(0).events).toContainEqual(
      expect.objectContaining({ code: 'Checkpoint.NotSaved' }),
    );
  });
});
