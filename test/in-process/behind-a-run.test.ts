// What a session stores of itself comes after the outputs that its calls have left behind.
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { SessionInput } from '../../src/core/model/session-input.ts';
import { functionModel } from '../support/function-model.ts';
import { localSession } from '../support/local-session.ts';
import { plainTool } from '../support/plain-tool.ts';
import { until } from '../support/until.ts';

test.each<[string, string, SessionInput]>([
  ['a result with its checkpoint', 'log.json', {}],
  ['a checkpoint after a turn', 'log.json', { loop: { checkpointEvery: 'turn' } }],
  ['a segment of a hand-over', 'log-1-', { continueAsNewAfterTurns: 3 }],
  ['a report by code', 'report-of-run-1', { loop: { maxTurns: 1, onLimit: 'error' } }],
])('[TOOL-27b] %s', async (_what, name, input) => {
  const stored: string[] = [];
  const session = await localSession(
    {
      tools: [plainTool('look', 'read', () => Promise.resolve({ text: 'pool timeout\n'.repeat(800) }))],
      model: functionModel(({ number }) => (number < 4 ? { calls: [{ tool: 'look' }] } : { text: 'done' })),
      async beforePut(artifactId) {
        // much longer than the rest of the run takes
        if (artifactId.startsWith('tool-')) await setTimeout(500);
        stored.push(artifactId);
      },
    },
    input,
  );
  await session.ask('Why?');
  const others = () => stored.filter((artifactId) => !artifactId.startsWith('tool-'));
  const first = await until('the session has stored something of itself', () => others()[0]);
  expect(first.startsWith(name)).toBe(true);
  expect(stored[0]).toBe('tool-call_1_1');
});
