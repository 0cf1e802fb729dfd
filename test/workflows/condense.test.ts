// Condensing on a real server: by an update while idle, with what a failed one has cost, and within its own time.
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import type { AgentEvent, EventPage } from '@holdfast/vocabulary/events';
import { textOf, userMessage } from '@holdfast/vocabulary/messages';
import { functionModel } from '../support/function-model.ts';
import type { Saying } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { until } from '../support/until.ts';

const task = 'Find out why checkout is slow, and quote the line that proves it.';

test('[COND-06b] update condense: accepted when idle, its outcome in condense_end, paid for where it fails; refused without an event before a run and during one', async () => {
  const calling = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  const summaries = ['', 'Pool is 2.'];
  const model = functionModel(
    async ({ number, request, newTexts }): Promise<Saying> => {
      if (request.metadata.purpose === 'condense') return { text: summaries.shift() ?? '' };
      if (newTexts.at(-1) === 'Slowly.') {
        calling.resolve();
        await mayAnswer.promise;
      }
      return number <= 4
        ? { calls: [{ tool: 'echo', args: { text: `line ${number}` } }] }
        : { text: 'Done.' };
    },
    ({ metadata }) => (metadata.purpose === 'condense' ? 90_000 : 10),
  );
  const bench = await createSessionBench({ model });
  const handle = await bench.start({ keepAlive: true });
  const session = bench.holdfast.session(handle.workflowId);
  const condense = () => handle.executeUpdate('condense');
  await expect(condense()).rejects.toMatchObject({ cause: { type: 'NothingToCondense' } });
  const prompt = (text: string) => handle.executeUpdate('prompt', { args: [text] });
  await prompt(task);
  await session.result({ runId: 'run-1' });
  const ends = (count: number) =>
    until(`${count} condenses have ended`, async () => {
      const { events } = await handle.query<EventPage, [number]>('getEvents', 0);
      const ended = events.filter((event): event is EndOfCondense => event.type === 'condense_end');
      return ended.length === count && ended;
    });
  expect(await condense()).toEqual({ accepted: true });
  await ends(1);
  expect((await session.snapshot()).usage.condense).toMatchObject({ input: 90_000 });
  expect(await condense()).toEqual({ accepted: true });
  expect((await ends(2))[1]).toMatchObject({ kept: 5 });
  expect(await session.snapshot()).toMatchObject({ state: 'idle', usage: { condense: { input: 180_000 } } });
  const events = async () => (await handle.fetchHistory()).events?.length ?? 0;
  await prompt('Slowly.');
  await calling.promise;
  const before = await events();
  await expect(condense()).rejects.toMatchObject({ cause: { type: 'RunInProgress' } });
  expect(await events()).toBe(before);
  mayAnswer.resolve();
  await session.result({ runId: 'run-2' });
  await handle.signal('shutdown');
  await handle.result();
  const first = model.requests.find(({ messages }) =>
    messages.some((message) => textOf(message) === 'Slowly.'),
  );
  // and the calls that were folded (REPORT-12)
  const [head, calls] = textOf(first?.messages[0] ?? userMessage('')).split('\n\nTool calls ');
  expect(head).toBe(`Context of previous work:\n\nPool is 2.\n\nThe task, as it was given:\n${task}`);
  expect(calls).toMatch(/:\n- echo line 1: call_1_1\n/);
});

type EndOfCondense = Extract<AgentEvent, { type: 'condense_end' }>;

test('[COND-19f] [COND-16a] the summary call of token_tail has 60 s, and is retried', async () => {
  let failures = 1;
  const model = functionModel(
    ({ request: { metadata } }): Saying => {
      if (metadata.purpose !== 'condense')
        return metadata.turn <= 12
          ? { calls: [{ tool: 'echo', args: { text: `line ${metadata.turn} `, times: 500 } }] }
          : { text: 'Done.' };
      if (failures-- > 0) throw ApplicationFailure.create({ type: 'Model.Overloaded', message: 'later' });
      return { text: `Lines such as 12 were read. ${'Pool is 2. '.repeat(20)}` };
    },
    (request) => Math.round(JSON.stringify(request.messages).length / 4),
  );
  const bench = await createSessionBench({ model, agent: { condense: { strategy: 'token_tail' } } });
  const handle = await bench.start({
    prompt: task,
    model: { contextWindow: 12_000, maxResponseTokens: 1_000 },
  });
  expect(await handle.result()).toMatchObject({ status: 'completed', condenses: 1 });
  const { events = [] } = await handle.fetchHistory();
  const scheduled = events?.flatMap(({ activityTaskScheduledEventAttributes: of }) =>
    of?.activityType?.name === 'summarize' ? [Number(of.startToCloseTimeout?.seconds)] : [],
  );
  expect(scheduled).toEqual([60]);
});
