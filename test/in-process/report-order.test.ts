// A report in one reply with the reads that it quotes, and what is repaired in it, with the real activities.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/config/define-config.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { createReportTool } from '../../src/activities/built-in/report/report.ts';
import { createMemoryArtifactStore } from '../../src/in-process/memory-artifact-store.ts';
import { runTeam } from '../support/team.ts';

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input: z.strictObject({ at: z.string() }),
  effect: 'read',
  async run({ at }) {
    // later than the report would be, if that did not wait
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (at === 'gone') throw new Error('there is no such host');
    return { text: `${at}: pool_size 2 of 2 in use` };
  },
});
const parts = {
  summary: 'The pool is empty.',
  grade: 'Confirmed',
  recommended: [],
  timeline: [],
  impact: { who: 'checkout', since: 'unknown', severity: 'unknown', ongoing: 'yes' },
  rootCause: { component: 'pool', kind: 'capacity', text: 'It is too small.' },
};
const claim = { text: 'The pool is empty.', role: 'cause', confidence: 'High', mood: 'sure' };
const quotes = [{ callId: 'call_1_3', quote: 'pool_size 2 of 2 in use' }];

test.each(['parallel', 'sequential'] as const)(
  '[REPORT-21abd] a report is checked after the reads beside it, whatever its place (%s), and its log keeps the order of the reply',
  async (toolExecution) => {
    const ruledOut = [{ text: 'The host is slow.', quotes }];
    const args = { ...parts, ruledOut, claims: JSON.stringify([{ ...claim, quotes }]) };
    const artifacts = createMemoryArtifactStore();
    const calls = [
      { tool: 'report', args },
      { tool: 'look', args: { at: 'gone' } },
      { tool: 'look', args: { at: 'db-1' } },
    ];
    const team = await runTeam({
      artifacts,
      tools: [look, createReportTool()],
      agent: { loop: { toolExecution } },
      says: { tester: ({ number }) => (number === 1 ? { calls } : { text: 'The pool.' }) },
    });
    expect(team.ended).toMatchObject({
      status: 'completed',
      turns: 2,
      report: { grade: 'likely', agentGrade: 'confirmed', verifiedClaims: 1 },
    });
    const { records: messages } = team.top.state.log;
    const stored = await artifacts.get('top', team.ended.report?.artifactId ?? '');
    const report = Buffer.from(stored ?? []).toString('utf8');
    const results = messages.flatMap((message) => (message.role === 'tool_result' ? [message] : []));
    expect(results.map(({ toolName }) => toolName)).toEqual(['report', 'look', 'look']);
    expect(results[0] && textOf(results[0])).toContain(
      'Left out, because the form has no place for it: claims.mood.',
    );
    // its source is known, and so is the gap beside it
    expect(report).toContain('`look at=db-1`');
    expect(report).toMatch(/## Gaps\n\n- look at=gone: there is no such host/);
    expect(report).toContain('- Left out of what the agent handed in: claims.mood');
  },
);

test('[CORE-06] any tool may come last: it runs after the other calls of its reply, alone', async () => {
  const order: string[] = [];
  const tool = (name: string, executionMode?: 'last') =>
    defineTool({
      name,
      description: 'Does it.',
      input: z.strictObject({}),
      effect: 'read',
      ...(executionMode && { executionMode }),
      async run() {
        order.push(`${name} begins`);
        for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
        order.push(`${name} ends`);
        return { text: 'ok' };
      },
    });
  const calls = ['check', 'read', 'check'].map((name) => ({ tool: name, args: {} }));
  await runTeam({
    tools: [tool('check', 'last'), tool('read')],
    agent: { loop: { toolExecution: 'parallel' } },
    says: { tester: ({ number }) => (number === 1 ? { calls } : { text: 'Done.' }) },
  });
  const once = ['check begins', 'check ends'];
  expect(order).toEqual(['read begins', 'read ends', ...once, ...once]);
});
