// A long session with the activities that ship: results of 16 KB in a window that does not hold them.
import { expect, test } from 'vitest';
import { textOf } from '@holdfast/vocabulary/messages';
import { functionModel } from '../support/function-model.ts';
import { localSession } from '../support/local-session.ts';

const notes = `Lines such as 12 were read, and nothing was in them. ${'Look further. '.repeat(15)}`;
const task = 'Find out why checkout is slow, and quote the line that proves it.';

test('[COND-22] [COND-11a] 50 turns with 16 KB results need one condense, and the last request holds the task behind the same system text', async () => {
  const model = functionModel(
    ({ request: { metadata } }) =>
      metadata.purpose === 'main' && metadata.turn <= 50
        ? { calls: [{ tool: 'echo', args: { text: `line ${metadata.turn} `, times: 2_000 } }] }
        : { text: metadata.purpose === 'main' ? 'ok' : notes },
    // as a provider counts
    ({ messages }) => Math.round(JSON.stringify(messages).length / 4),
  );
  const { ask } = await localSession({ model }, { model: { contextWindow: 128_000 } });
  const result = await ask(task);
  expect(result).toMatchObject({ status: 'completed', condenses: 1, turns: 51 });
  const [summary, ...others] = model.requests.filter(({ metadata }) => metadata.purpose === 'condense');
  expect(others).toEqual([]);
  const last = model.requests.at(-1);
  expect(last?.systemPrompt).toBe(model.requests[0]?.systemPrompt);
  for (const request of [summary, last]) expect(request?.messages.map(textOf).join('\n')).toContain(task);
  expect(result.usage.condense?.output).toBe(5);
});
