// The built-in agent at length, on a real server: hundreds of turns in a window that holds two dozen of them.
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ModelProvider } from '../../src/activities/model/providers/model-provider.ts';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import type { AssistantContent } from '../../src/core/model/messages.ts';
import { textOf } from '../../src/core/model/messages.ts';
import { pinFindingTool } from '../../src/activities/assembly/built-in-tools.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { readChain } from '../support/session-history.ts';

const task = 'Find out why checkout is slow since noon, and quote the line that proves it.';
const turns = 300;
const window = 128_000;
const findings = { 10: 'The pool has 5 connections since 12:03.', 170: 'Deploy 4711 has changed pool.max.' };

const log = defineTool({
  name: 'log',
  description: 'Reads a page of the log.',
  input: z.strictObject({ page: z.int() }),
  effect: 'read',
  run: async ({ page }) => ({ text: `page ${page} `.padEnd(16 * 1024, 'x') }),
});

/** Counts as a provider would, at four characters a token. Keeps the newest request; of the others their size. */
function investigatingModel(steer: (id: string) => Promise<void>) {
  const seen = { largest: 0, last: [] as string[], summaries: [] as string[] };
  const provider: ModelProvider = {
    name: 'scripted',
    async call(request) {
      const { purpose, turn } = request.metadata;
      const texts = request.messages.map(textOf);
      const input = Math.round(texts.reduce((sum, text) => sum + text.length, 0) / 4);
      if (purpose === 'main') {
        seen.last = texts;
        seen.largest = Math.max(seen.largest, input);
      } else seen.summaries.push(texts.join('\n'));
      const content = purpose === 'main' ? say(turn) : [{ type: 'text' as const, text: 'ok' }];
      if (purpose === 'main' && turn % 70 === 0) await steer(`steer-${turn}`);
      return {
        message: {
          role: 'assistant',
          content,
          model: request.model,
          usage: { input, cacheRead: 0, cacheWrite: 0, output: 20 },
          stopReason: purpose === 'main' && turn <= turns ? 'tool_use' : 'stop',
        },
      };
    },
  };
  return { provider, seen };
}

function say(turn: number): AssistantContent[] {
  if (turn > turns) return [{ type: 'text', text: 'Deploy 4711 has cut the pool to 5.' }];
  const call = (name: string, args: object): AssistantContent => ({
    type: 'tool_call',
    callId: `${name}_${turn}`,
    name,
    arguments: JSON.stringify(args),
  });
  const finding = findings[turn as keyof typeof findings];
  return [...(finding ? [call('pin_finding', { text: finding })] : []), call('log', { page: turn })];
}

test(
  '[COND-23b] [COND-10ab] the investigator for 300 turns with 16 KB results, steered, over many condenses and four executions: its last request holds the task and the pinned findings',
  { timeout: 300_000 },
  async () => {
    let steer: (id: string) => Promise<void> = () => Promise.reject(new Error('not started'));
    const { provider, seen } = investigatingModel((id) => steer(id));
    const bench = await createSessionBench({ model: provider, tools: [log, pinFindingTool] });
    const handle = await bench.start({
      agent: 'investigator',
      prompt: task,
      model: { contextWindow: window },
      continueAsNewAfterTurns: 80,
      loop: { maxTurns: 0 },
      budget: { tokens: 1_000_000_000, costUsd: 1_000, wallMs: 3_600_000 },
    });
    steer = (id) =>
      bench.client.workflow.getHandle(handle.workflowId).signal('steer', { id, message: `Look at ${id}.` });
    const result = await handle.result();
    const chain = await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId);

    expect(result).toMatchObject({
      status: 'completed',
      turns: turns + 1,
      toolCalls: turns + 2,
      undelivered: [],
    });
    expect(result.condenses).toBeGreaterThanOrEqual(8);
    expect(result.condenses).toBe(seen.summaries.length);
    expect(chain.length).toBeGreaterThanOrEqual(4);
    // no request is over the window, and what was condensed does not come back
    expect(seen.largest).toBeLessThan(0.9 * window);
    // each summary brings the one before up to date
    for (const prompt of seen.summaries) expect(prompt).toContain(task);
    for (const prompt of seen.summaries.slice(1)) expect(prompt).toContain('Update the notes');
    const [head = ''] = seen.last;
    expect(head).toContain(task);
    for (const text of Object.values(findings)) expect(head).toContain(text);
    const records = await bench.readLog(handle.workflowId);
    expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => index + 1));
    const steered = records.flatMap((record) =>
      record.role === 'user' && record.origin === 'steer' ? [textOf(record)] : [],
    );
    expect(steered).toEqual([70, 140, 210, 280].map((turn) => `Look at steer-${turn}.`));
  },
);
