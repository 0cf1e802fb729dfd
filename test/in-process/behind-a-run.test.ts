// What a session stores of itself comes after the outputs that its calls have left behind.
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { defineHook } from '../../src/activities/hooks/hook-definition.ts';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { functionModel } from '../support/function-model.ts';
import { localSession } from '../support/local-session.ts';
import { lookTool, plainTool } from '../support/plain-tool.ts';
import { until } from '../support/until.ts';
import { readReportNamed } from '@holdfast/stored/stored-session';

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
  // the name is taken before the first call
  const others = () => stored.filter((artifactId) => !/^(tool-|sessions\.json$)/.test(artifactId));
  const first = await until('the session has stored something of itself', () => others()[0]);
  expect(first.startsWith(name)).toBe(true);
  expect(stored.slice(0, 2)).toEqual(['sessions.json', 'tool-call_1_1']);
});

test('[TOOL-27ce] where the store never takes the output, the report by code quotes it from the log', async () => {
  const session = await localSession(
    {
      tools: [lookTool],
      model: functionModel(() => ({ calls: [{ tool: 'look' }] })),
      beforePut: async (artifactId) => {
        if (artifactId.startsWith('tool-')) throw new Error('connect');
      },
    },
    { loop: { maxTurns: 1, onLimit: 'error' } },
  );
  const { report } = await session.ask('Why?');
  const store = await createFileArtifactStore(session.artifactsDir);
  const made = await readReportNamed(store, 'session', report?.artifactId ?? '');
  expect(made?.standsOut).toMatchObject([
    {
      quote: 'pool timeout after 512 ms',
      verified: true,
      position: { artifactId: 'tool-call_1_1', line: 1 },
    },
  ]);
  expect(await store.get('session', 'tool-call_1_1')).toBeUndefined();
});

test('[TOOL-27a] an output that a hook replaces in the log is stored before its result', async () => {
  const order: string[] = [];
  const session = await localSession({
    tools: [lookTool],
    hooks: [defineHook({ name: 'hide', afterToolCall: () => ({ content: 'hidden' }) })],
    agent: { hooks: [{ name: 'hide' }] },
    model: functionModel(({ number, request }) => {
      order.push(`model ${number}`);
      return number === 1 ? { calls: [{ tool: 'look' }] } : { text: request.messages.map(textOf).join(' ') };
    }),
    async beforePut(artifactId) {
      if (artifactId.startsWith('tool-')) await setTimeout(200);
      order.push(artifactId);
    },
  });
  expect((await session.ask('Why?')).answer).toContain('hidden');
  expect(order.slice(0, 4)).toEqual(['sessions.json', 'model 1', 'tool-call_1_1', 'model 2']);
});
