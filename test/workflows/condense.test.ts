// A long session over a real server: results of 16 KB in a window that does not hold them.
import { expect, test } from 'vitest';
import { textOf } from '../../src/core/messages.ts';
import type { AssistantMessage } from '../../src/core/messages.ts';
import type { ModelProvider } from '../../src/activities/providers/model-provider.ts';
import type { ModelRequest } from '../../src/core/model.ts';
import { createSessionBench } from '../support/session-bench.ts';

const task = 'Find out why checkout is slow, and quote the line that proves it.';

/** Counts what it is sent as a provider would, and refuses nothing. */
function countingModel(turns: number): ModelProvider & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  let asked = 0;
  return {
    name: 'scripted',
    requests,
    call: (request) => {
      requests.push(request);
      const input = Math.round(JSON.stringify(request.messages).length / 4);
      const main = request.metadata.purpose === 'main';
      if (main) asked++;
      const last = asked > turns;
      const message: AssistantMessage = {
        role: 'assistant',
        content:
          !main || last
            ? [{ type: 'text', text: 'ok' }]
            : [
                {
                  type: 'tool_call',
                  callId: `call_${asked}`,
                  name: 'echo',
                  arguments: JSON.stringify({ text: `line ${asked} `, times: 2_000 }),
                },
              ],
        model: request.model,
        usage: { input, cacheRead: 0, cacheWrite: 0, output: 20 },
        stopReason: !main || last ? 'stop' : 'tool_use',
      };
      return Promise.resolve({ message });
    },
  };
}

test('[COND-22] [COND-15] 50 turns with 16 KB results need one condense, and the last request holds the task', async () => {
  const model = countingModel(50);
  const bench = await createSessionBench({ model });
  const handle = await bench.start({ prompt: task, contextWindow: 128_000 });
  const result = await handle.result();
  expect(result).toMatchObject({ status: 'completed', condenses: 1, turns: 51 });
  const last = model.requests.at(-1);
  expect(last?.messages.map(textOf).join('\n')).toContain(task);
  const summaries = model.requests.filter(({ metadata }) => metadata.purpose === 'condense');
  expect(summaries).toHaveLength(1);
  expect(summaries[0]?.messages.map(textOf).join('\n')).toContain(task);
  expect(result.usage.condense?.output).toBe(20);
});
