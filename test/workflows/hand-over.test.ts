// A session over many executions: nothing is lost or doubled where one hands over to the next, and nothing differs
// from a session in one.
import { expect, test } from 'vitest';
import type { AgentEvent } from '../../src/core/model/events.ts';
import { textOf } from '../../src/core/model/messages.ts';
import type { SessionInput } from '../../src/core/model/session-input.ts';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import { z } from 'zod';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { eventsOf, readChain, signalsOf } from '../support/session-history.ts';

const work = {
  name: 'work',
  description: 'Does a piece of work.',
  input: z.strictObject({ turn: z.int() }),
  effect: 'read' as const,
};

test('[CKPT-06] [CKPT-07] [QUEUE-07] [QUEUE-10] [FAULT-25] [FAULT-31] 64 turns over 4 hand-overs, steered all the while and inside each of them: every message once, in order', async () => {
  const sent = new Set<string>();
  let steer: (id: string) => Promise<void> = () => Promise.reject(new Error('not started'));
  const insideHandOver: string[] = [];
  const bench = await createSessionBench({
    model: functionModel(({ number }) =>
      number <= 64 ? { calls: [{ tool: 'work', args: { turn: number } }] } : { text: 'done' },
    ),
    tools: [
      defineTool({
        ...work,
        run: async ({ turn }) => {
          if (turn % 4 === 0) await steer(`tool-${turn}`);
          // the same id again, some of them long after its delivery in another execution
          if (turn % 16 === 1)
            for (const id of ['tool-4', `tool-${turn - 5}`]) if (sent.has(id)) await steer(id);
          return { text: `${turn} `.padEnd(32_000, 'x') };
        },
      }),
    ],
    beforePut: async (artifactId) => {
      if (!artifactId.startsWith('log-')) return;
      const id = `inside-${insideHandOver.length + 1}`;
      insideHandOver.push(id);
      await steer(`${id}-a`);
      await steer(`${id}-b`);
    },
  });
  const handle = await bench.start({ prompt: 'Go.', continueAsNewAfterTurns: 14, maxTurns: 0 });
  steer = async (id) => {
    sent.add(id);
    await bench.client.workflow
      .getHandle(handle.workflowId)
      .signal('steer', { id, message: `message ${id}` });
  };
  const ended = handle.result();
  // a third sender that knows nothing of turns; it stops early enough to be read by the 64 turns
  for (let count = 1; count <= 25; count++) await steer(`pump-${count}`);
  const result = await ended;
  const chain = await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId);
  const log = await bench.readLog(handle.workflowId);

  expect(result).toMatchObject({ status: 'completed', answer: 'done', toolCalls: 64, undelivered: [] });
  expect(chain.length).toBeGreaterThanOrEqual(4);
  expect(insideHandOver.length).toBeGreaterThanOrEqual(3);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  const accepted = [...new Set(signalsOf(eventsOf(chain), 'steer').map((signal) => idOf(signal)))];
  const delivered = log.flatMap((record) =>
    record.role === 'user' && record.origin === 'steer' ? [record.messageId] : [],
  );
  expect(delivered).toEqual(accepted);
  expect(new Set(delivered)).toEqual(sent);
  const results = log.flatMap((record) =>
    record.role === 'tool_result' ? [Number.parseInt(textOf(record), 10)] : [],
  );
  expect(results).toEqual(Array.from({ length: 64 }, (_, index) => index + 1));
});

function idOf(signal: unknown): string {
  if (typeof signal === 'object' && signal !== null && 'id' in signal) return String(signal.id);
  throw new Error('a steer signal without an id');
}

test('[CKPT-07] [CKPT-09] [EVENT-07] a hand-over after every turn changes no request, no record, no event number and no result', async () => {
  const whole = await playSteeredRun({});
  const pieces = await playSteeredRun({ continueAsNewAfterTurns: 1 });
  expect(whole.executions).toBe(1);
  expect(pieces.executions).toBeGreaterThanOrEqual(6);
  expect(pieces.requests).toEqual(whole.requests);
  expect(pieces.log).toEqual(whole.log);
  expect(pieces.events).toEqual(whole.events);
  expect(pieces.result).toEqual(whole.result);
});

/** Six turns with steering and a follow-up, sent by the tools themselves, so that both runs get them alike. */
async function playSteeredRun(input: SessionInput) {
  const events: AgentEvent[] = [];
  let visit: (turn: number) => Promise<void> = () => Promise.reject(new Error('not started'));
  const model = functionModel(({ number }) =>
    [4, 6].includes(number)
      ? { text: `answer ${number}` }
      : { calls: ['a', 'b'].map(() => ({ tool: 'work', args: { turn: number } })) },
  );
  const bench = await createSessionBench({
    model,
    tools: [
      defineTool({
        ...work,
        run: async ({ turn }, { callId }) => {
          if (callId.endsWith('_1')) await visit(turn);
          // more than a hand-over carries
          return { text: `result of ${callId}`.padEnd(3_000, '.') };
        },
      }),
    ],
  });
  const handle = await bench.start({ prompt: 'Go.', ...input, toolExecution: 'sequential' });
  const session = bench.client.workflow.getHandle(handle.workflowId);
  const readEvents = async (): Promise<void> => {
    for await (const item of pageEvents(session, events.at(-1)?.seq ?? 0)) events.push(item);
  };
  visit = async (turn) => {
    if (turn === 2)
      for (const id of ['s1', 's2']) await session.signal('steer', { id, message: `steer ${id}` });
    if (turn === 3) await session.signal('followUp', { id: 'f1', message: 'and then?' });
    if (turn === 3) await session.signal('steer', { id: 's1', message: 'again' });
    await readEvents();
  };
  const result = await handle.result();
  await readEvents();
  const chain = await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId);
  const log = await bench.readLog(handle.workflowId);
  return {
    executions: chain.length,
    requests: model.requests.map(({ metadata: _, ...request }) => JSON.stringify(request)),
    log: log.map(withoutTime),
    // a checkpoint is stored under the session's name
    events: events.map(({ ...event }) =>
      withoutTime(event.type === 'checkpoint_saved' ? { ...event, artifactId: '' } : event),
    ),
    result: {
      ...withoutTime(result),
      newMessages: { ...result.newMessages, messages: result.newMessages.messages?.map(withoutTime) },
    },
  };
}

async function* pageEvents(
  session: { query<T>(name: string, afterSeq: number): Promise<T> },
  afterSeq: number,
): AsyncGenerator<AgentEvent> {
  const page = await session.query<{ events: AgentEvent[]; truncated: boolean }>('getEvents', afterSeq);
  if (page.truncated) throw new Error('events are missing');
  yield* page.events;
}

/** Two runs differ in their times and in the session's own id; in nothing else. */
function withoutTime<T extends object>(value: T): Record<string, unknown> {
  const { at: _, startedAt: __, endedAt: ___, sessionId: ____, ...rest } = value as Record<string, unknown>;
  return rest;
}

test('[CKPT-06] 3,000 events are a reason to hand over, whatever their size', async () => {
  const bench = await createSessionBench({
    model: functionModel(({ number }) =>
      number <= 20
        ? {
            calls: Array.from({ length: 50 }, (_, index) => ({
              ...{ tool: 'work', args: { turn: number * 100 + index } },
            })),
          }
        : { text: 'done' },
    ),
    tools: [
      defineTool({
        ...work,
        run: async ({ turn }) => ({ text: `worked ${turn}` }),
      }),
    ],
  });
  const handle = await bench.start({ prompt: 'Go.', toolConcurrency: 50 });
  expect(await handle.result()).toMatchObject({ status: 'completed', toolCalls: 1_000 });
  const chain = await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId);
  expect(chain).toHaveLength(2);
  const length = eventsOf(chain.slice(0, 1)).length;
  expect(length).toBeGreaterThanOrEqual(3_000);
  // before the server would suggest it
  expect(length).toBeLessThan(4_096);
});
