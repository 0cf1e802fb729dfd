// What a condense that fails costs: a warning, or under overflow what the agent's owner has chosen.
import { expect, test } from 'vitest';
import { textOf } from '@holdfast/vocabulary/messages';
import { answer, look, looker, refused, task } from '../../support/condense-sessions.ts';
import { MemorySession, type MemoryOptions } from '../../support/memory-session.ts';

type OnFailure = 'wrap_up' | 'drop_old' | 'ask';

/** Six turns, then the window is refused once; every condense fails until `mended`. */
function overflowing(onFailure: OnFailure, change: Partial<MemoryOptions> = {}) {
  const status = { mended: false, refusals: 0, tries: 0 };
  const session = new MemorySession({
    model: ({ input }) => {
      if (input.turn < 6) return look(input.turn, 100);
      return status.refusals++ === 0 ? refused : answer('Done.');
    },
    tools: { look: ({ args }) => `saw ${args}` },
    condense: () => {
      status.tries++;
      if (!status.mended) throw new Error('summariser down');
      return 'Pool is 2.';
    },
    settings: { model: { contextWindow: 1_000 }, loop: { maxTurns: 0 }, condense: { onFailure } },
    ...change,
  });
  return { session, status };
}

test('[COND-16cf] wrap_up, the default: a refused request ends the run as context_exhausted', async () => {
  const { session, status } = overflowing('wrap_up');
  expect(session.context.settings.condense.onFailure).toBe('wrap_up');
  const result = await session.ask(task);
  expect(result).toMatchObject({ status: 'context_exhausted', cause: 'overflow', condenses: 0 });
  expect([result.failedCondenses, session.snapshot.failedCondenses]).toEqual([1, 1]);
  expect(status.tries).toBe(1);
  expect(session.events('warning').map(({ code }) => code)).toContain('Condense.Failed');
});

test('[COND-16dh] drop_old: the old part leaves without a summary, pairs whole; the task and the newest stay, the run goes on', async () => {
  const { session } = overflowing('drop_old');
  expect(await session.ask(task)).toMatchObject({ status: 'completed', condenses: 0, answer: 'Done.' });
  const last = session.requests.at(-1)?.messages ?? [];
  expect(last.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool_result',
    'assistant',
    'tool_result',
  ]);
  expect(last[0] && textOf(last[0])).toBe(`The task, as it was given:\n${task}`);
  expect(last.map(textOf).at(-1)).toBe('saw {"n":5}');
  // the log has it all
  expect(session.state.log.records[0]?.seq).toBe(1);
  // one condense, which folded nothing; what left the view is said apart
  expect(session.events('condense_end')).toHaveLength(1);
  expect(session.events('context_warning')).toMatchObject([
    { message: expect.stringContaining('without a summary') },
  ]);
});

test('[COND-16d] drop_old is no way around a second refusal', async () => {
  const { session } = overflowing('drop_old', {
    model: ({ input }) => (input.turn < 6 ? look(input.turn, 100) : refused),
  });
  expect(await session.ask(task)).toMatchObject({ status: 'context_exhausted', cause: 'overflow' });
  expect(session.requests.filter(({ input }) => input.turn === 6)).toHaveLength(2);
});

test('[COND-16e] ask: the run waits for an operator, tries again when resumed, and an abort ends it', async () => {
  const { session, status } = overflowing('ask');
  const asked = session.ask(task);
  await session.until(() => session.session.operatorReason !== undefined);
  expect(session.state.run).toBeDefined();
  // still not mended: it asks again
  session.send('resume');
  await session.until(() => status.tries === 2 && session.session.operatorReason !== undefined);
  status.mended = true;
  session.send('resume');
  expect(await asked).toMatchObject({ status: 'completed', condenses: 1, answer: 'Done.' });

  const stopped = overflowing('ask').session;
  const ended = stopped.ask(task);
  await stopped.until(() => stopped.session.operatorReason !== undefined);
  stopped.send('abort');
  expect(await ended).toMatchObject({ status: 'aborted' });
});

test('[COND-09bc] [WORD-08a] a spent quota and a real overflow: the run ends with what it has, the session is idle, the next run has a new quota', async () => {
  let condenses = 0;
  const session = new MemorySession({
    model: ({ input }) => {
      if (input.runId === 'run-2')
        return looker(6, (turn) => (turn === 5 ? 900 : 100))({ input, messages: [], toolChoice: 'auto' });
      if (input.turn === 9)
        return {
          ...look(9, 100),
          content: [{ type: 'text', text: 'The pool is 2.' }, ...look(9, 100).content],
        };
      return input.turn < 9 ? look(input.turn, input.turn === 5 ? 900 : 100) : refused;
    },
    tools: { look: () => 'ok' },
    condense: () => `s${++condenses}`,
    keepAlive: true,
    settings: { model: { contextWindow: 1_000 }, loop: { maxTurns: 0 } },
  });
  const first = await session.ask(task);
  expect(first).toMatchObject({
    status: 'context_exhausted',
    cause: 'overflow',
    condenses: 1,
    toolCalls: 9,
    answer: expect.stringMatching(/^The run ended because the context window of its model was full\./),
    content: expect.stringContaining('The pool is 2.'),
  });
  expect(first.newMessages).toMatchObject({ fromSeq: 1, toSeq: session.state.log.nextSeq - 1 });
  expect(session.state.status).toBe('idle');
  expect(await session.ask('And now?')).toMatchObject({ status: 'completed', condenses: 1 });
});

test('[COND-31c] condenses that fail one after the other come further and further apart; a success begins the count anew', async () => {
  const turnsApart = async (works: (attempt: number) => boolean): Promise<number[]> => {
    let attempt = 0;
    const session = new MemorySession({
      model: looker(30, () => 900),
      tools: { look: ({ args }) => `saw ${args}` },
      condense: () => {
        if (!works(++attempt)) throw new Error('summariser down');
        return 'Pool is 2.';
      },
      settings: {
        model: { contextWindow: 1_000 },
        loop: { maxTurns: 0, stop: 0 },
        condense: { maxPerRun: 0 },
      },
    });
    expect(await session.ask(task)).toMatchObject({ status: 'completed' });
    const turns = session.events('condense_start').map(({ turn = 0 }) => turn);
    return turns.slice(1).map((turn, index) => turn - (turns[index] ?? 0));
  };
  expect(await turnsApart(() => false)).toEqual([1, 1, 2, 3, 5, 9]);
  expect(new Set(await turnsApart((attempt) => attempt % 3 === 0))).toEqual(new Set([1]));
});

test('[COND-31c] one that works because the provider refused the request ends the pause of those that failed before', async () => {
  let isDown = true;
  const model = looker(25, () => 900);
  const session = new MemorySession({
    model: (request) => {
      if (request.input.turn !== 17 || !isDown) return model(request);
      isDown = false;
      return refused;
    },
    tools: { look: ({ args }) => `saw ${args}` },
    condense: () => {
      if (isDown) throw new Error('summariser down');
      return 'Pool is 2.';
    },
    settings: { model: { contextWindow: 1_000 }, loop: { maxTurns: 0, stop: 0 }, condense: { maxPerRun: 0 } },
  });
  expect(await session.ask(task)).toMatchObject({ status: 'completed' });
  const turns = session.events('condense_start').map(({ turn = 0 }) => turn);
  expect(turns.slice(turns.indexOf(17)).slice(0, 3)).toEqual([17, 18, 19]);
});
