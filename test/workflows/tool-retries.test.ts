// What a tool activity's failure leads to, by the effect of the tool: tried again, or told to the model.
import { expect, test } from 'vitest';
import { ToolInfrastructureError } from '../../src/activities/tools/run-handler.ts';
import type { ToolEffect } from '@holdfast/vocabulary/tool-spec';
import { textOf } from '@holdfast/vocabulary/messages';
import { callsFirst } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { fakeTool } from '../support/tool-calls.ts';

test('[TOOL-08abcd] lost infrastructure is tried again for read and, with the same key, for idempotent tools; never for once; a tool error is told once', async () => {
  const attempts: string[] = [];
  const lost = (effect: ToolEffect) =>
    fakeTool(
      (_, { attempt, idempotencyKey }) => {
        attempts.push(`${effect} ${attempt} ${idempotencyKey.split('/')[1]}`);
        if (attempt === 1) throw new ToolInfrastructureError('The store is gone.');
        return { text: `${effect} is done` };
      },
      { name: effect, effect },
    );
  const wrong = fakeTool(
    (_, { attempt }) => {
      attempts.push(`wrong ${attempt}`);
      throw new Error('no such file');
    },
    { name: 'wrong' },
  );
  const bench = await createSessionBench({
    model: callsFirst(
      ['read', 'idempotent', 'once', 'wrong'].map((tool) => ({ tool })),
      'ok',
    ),
    tools: [lost('read'), lost('idempotent'), lost('once'), wrong],
    policy: [{ tool: '*', decision: 'allow' }],
  });
  const handle = await bench.start({ prompt: 'Go.' });
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'ok', toolCalls: 4 });
  expect(attempts.sort()).toEqual([
    'idempotent 1 call_1_2',
    'idempotent 2 call_1_2',
    'once 1 call_1_3',
    'read 1 call_1_1',
    'read 2 call_1_1',
    'wrong 1',
  ]);
  const log = await bench.readLog(handle.workflowId);
  const results = log.flatMap((record) =>
    record.role === 'tool_result' ? [[textOf(record), record.isError]] : [],
  );
  expect(results).toEqual([
    ['read is done', false],
    ['idempotent is done', false],
    [
      'Outcome unknown: the tool failed: The store is gone. It may have taken effect: verify before you repeat it.',
      true,
    ],
    ['no such file', true],
  ]);
});
