// A condense that a person asks for while idle, and the states that a condense goes through.
import { expect, test } from 'vitest';
import { textOf } from '@holdfast/vocabulary/messages';
import { looker, task } from '../../support/condense-sessions.ts';
import { gate } from '../../support/memory-model.ts';
import { MemorySession, type MemoryOptions } from '../../support/memory-session.ts';

function session(change: Partial<MemoryOptions> = {}): MemorySession {
  return new MemorySession({
    model: looker(6, () => 100),
    tools: { look: () => 'ok' },
    condense: () => 'Pool is 2.',
    keepAlive: true,
    settings: { model: { contextWindow: 1_000, maxResponseTokens: 100 }, loop: { maxTurns: 0 } },
    ...change,
  });
}

async function afterOneRun(of: MemorySession): Promise<Promise<unknown>> {
  const closed = of.run();
  of.prompt(task);
  await of.until(() => of.state.runs === 1 && !of.busy);
  return closed;
}

function moves(of: MemorySession): string[] {
  return of.events('state_changed').map(({ from, to }) => `${from}-${to}`);
}

test('[COND-06bcd] on request when idle: idle, condensing, idle; condense_end says what came of it', async () => {
  const idle = session();
  const closed = afterOneRun(idle);
  await idle.until(() => idle.state.runs === 1 && !idle.busy);
  const before = moves(idle).length;
  idle.send('condense');
  await idle.until(() => idle.events('condense_end').length === 1);
  expect(moves(idle).slice(before)).toEqual(['idle-condensing', 'condensing-idle']);
  expect(idle.events('condense_start')[0]).toMatchObject({ reason: 'requested' });
  const [end] = idle.events('condense_end');
  // the last call with its result, the answer: four, grown to whole pairs
  expect(end).toMatchObject({ kept: 5 });
  expect(end?.tokensAfter).toBeLessThan(end?.tokensBefore ?? 0);
  expect(idle.state.condenseRequested).toBeUndefined();
  // what was asked for stands beside the summary in the next run, though that has another task
  idle.prompt('And now?');
  await idle.until(() => idle.state.runs === 2 && !idle.busy);
  const first = idle.requests.find(({ input }) => input.runId === 'run-2');
  expect(first?.messages[0] && textOf(first.messages[0])).toBe(
    `Context of previous work:\n\nPool is 2.\n\nThe task, as it was given:\n${task}`,
  );
  expect(idle.state.lastResult?.condenses).toBe(0);
  idle.send('shutdown');
  await closed;
});

test('[COND-06c] on request with nothing to fold, or when it fails, condense_end tells it by equal numbers', async () => {
  const short = session({ model: looker(0, () => 1) });
  const closed = afterOneRun(short);
  await short.until(() => short.state.runs === 1 && !short.busy);
  short.send('condense');
  await short.until(() => short.events('condense_end').length === 1);
  const [end] = short.events('condense_end');
  expect(end?.tokensAfter).toBe(end?.tokensBefore);
  expect(short.state.view.summary).toBeUndefined();
  short.send('shutdown');
  await closed;

  const failing = session({
    condense: () => {
      throw new Error('down');
    },
  });
  const done = afterOneRun(failing);
  await failing.until(() => failing.state.runs === 1 && !failing.busy);
  failing.send('condense');
  await failing.until(() => failing.events('condense_end').length === 1);
  expect(failing.events('warning').map(({ code }) => code)).toEqual(['Condense.Failed']);
  expect(failing.state).toMatchObject({ status: 'idle', view: { epoch: 1 } });
  failing.send('shutdown');
  await done;
});

test('[SAFE-03bd] what one on request has cost counts for the work that is continued, and not for a new task', async () => {
  const idle = session({
    model: looker(20, () => 100),
    condense: () => ({ summary: 'Pool is 2.', costUsd: 5 }),
    settings: { loop: { maxTurns: 6, onLimit: 'error' }, budget: { costUsd: 1 } },
  });
  const closed = afterOneRun(idle);
  await idle.until(() => idle.state.runs === 1 && !idle.busy);
  idle.send('condense');
  await idle.until(() => idle.events('condense_end').length === 1);
  idle.continue();
  await idle.until(() => idle.state.runs === 2 && !idle.busy);
  expect(idle.state.lastResult).toMatchObject({ status: 'budget_exceeded', costUsd: 0 });
  expect(idle.state.lastResult?.error?.message).toContain('budget of 1 USD is used up (5)');
  expect(idle.requests).toHaveLength(6);
  idle.prompt('And now?');
  await idle.until(() => idle.state.runs === 3 && !idle.busy);
  expect(idle.state.lastResult).toMatchObject({ status: 'max_iterations' });
  expect(idle.state.costUsd).toBe(5);
  idle.send('shutdown');
  await closed;
});

test('[COND-06d] a prompt that comes meanwhile starts right after, with the new view', async () => {
  const idle = session({
    condense: () => {
      idle.prompt('And now?');
      return 'Pool is 2.';
    },
  });
  const closed = afterOneRun(idle);
  await idle.until(() => idle.state.runs === 1 && !idle.busy);
  idle.send('condense');
  await idle.until(() => idle.state.runs === 2 && !idle.busy);
  expect(idle.requests.find(({ input }) => input.runId === 'run-2')?.input.view.epoch).toBe(2);
  idle.send('shutdown');
  await closed;
});

test('[COND-06acd] in a run it happens before a request, never inside a batch, and goes back to thinking', async () => {
  const busy = session({ model: looker(8, (turn) => (turn === 6 ? 900 : 100)), keepAlive: false });
  await busy.ask(task);
  const kinds = busy.seen.map(({ type }) => type);
  const at = kinds.indexOf('condense_start');
  expect(kinds.slice(0, at).filter((type) => type === 'tool_execution_start')).toHaveLength(
    kinds.slice(0, at).filter((type) => type === 'tool_execution_end').length,
  );
  expect(kinds.lastIndexOf('turn_end', at)).toBeGreaterThan(kinds.lastIndexOf('tool_execution_end', at));
  const end = kinds.indexOf('condense_end');
  expect(kinds.slice(at, end + 3)).toEqual([
    'condense_start',
    'condense_end',
    'state_changed',
    'message_start',
  ]);
  expect(moves(busy).filter((move) => move.includes('condensing'))).toEqual([
    'thinking-condensing',
    'condensing-thinking',
  ]);
});

test('[STATE-09bc] [COND-21b] an abort while an idle session condenses stops it: the old view, no run, and the next prompt is taken', async () => {
  let stopped = false;
  const begun = gate<void>();
  const idle = session({
    condense: (_, signal) =>
      new Promise((__, refuse) => {
        begun.open();
        signal.addEventListener('abort', () => {
          stopped = true;
          refuse(new Error('cancelled'));
        });
      }),
  });
  const closed = afterOneRun(idle);
  await idle.until(() => idle.state.runs === 1 && !idle.busy);
  const before = moves(idle).length;
  const { view } = idle.state;
  idle.send('condense');
  await begun.promise;
  idle.send('abort');
  await idle.until(() => idle.state.status === 'idle');
  expect(stopped).toBe(true);
  // no run was aborted: nothing of it is left for the next one
  expect(moves(idle).slice(before)).toEqual(['idle-condensing', 'condensing-idle']);
  expect(idle.state).toMatchObject({ view, runs: 1 });
  expect(idle.state.condenseRequested).toBeUndefined();
  expect([idle.events('condense_end').length, idle.events('warning').length]).toEqual([1, 0]);
  expect(idle.inbox.abort).toBe(false);
  idle.prompt('And now?');
  await idle.until(() => idle.state.runs === 2 && !idle.busy);
  expect(idle.state.lastResult).toMatchObject({ runId: 'run-2', status: 'completed' });
  idle.send('shutdown');
  await closed;
});

test.each([
  ['the flush of memory', 'memory'],
  ['the archive', 'archive'],
])(
  '[COND-21d] an abort while idle during %s, before the summary is asked for, is not lost',
  async (_, at) => {
    let summaries = 0;
    const abort = (): void => {
      if (idle.state.status === 'condensing') idle.send('abort');
    };
    const idle = session({
      condense: () => `s${++summaries}`,
      bodies:
        at === 'archive'
          ? { archiveFolded: (messages) => (abort(), { ...messages, artifactId: 'log', sha256: '' }) }
          : { flushMemory: () => (abort(), 1) },
      askModel: () => '["The pool is 2."]',
    });
    const closed = afterOneRun(idle);
    await idle.until(() => idle.state.runs === 1 && !idle.busy);
    const { view } = idle.state;
    idle.send('condense');
    await idle.until(() => idle.events('condense_end').length === 1);
    expect([summaries, idle.state.view]).toEqual([0, view]);
    // nothing of it is left: the next one is made
    idle.send('condense');
    await idle.until(() => idle.events('condense_end').length === 2);
    idle.send('shutdown');
    await closed;
  },
);

test('[COND-21e] an interrupting message while idle ends a condense, and its run begins at once; a held one waits', async () => {
  for (const idleMessages of ['run', 'hold'] as const) {
    const held = gate<string>();
    const stops: string[] = [];
    const idle = session({
      condense: (_, signal) => {
        signal.addEventListener('abort', () => {
          stops.push(idleMessages);
          held.refuse(new Error('stopped'));
        });
        idle.steer('now', 'Look at the database now.', 'interrupt');
        return held.promise;
      },
      input: { queues: { idleMessages } },
      settings: {
        model: { contextWindow: 1_000, maxResponseTokens: 100 },
        loop: { maxTurns: 0 },
        queues: { idleMessages },
      },
    });
    const closed = afterOneRun(idle);
    await idle.until(() => idle.state.runs === 1 && !idle.busy);
    const { view } = idle.state;
    idle.send('condense');
    await idle.until(() => idle.inbox.receipt('now') !== undefined);
    if (idleMessages === 'hold') held.open('Pool is 2.');
    await idle.until(() => idle.events('condense_end').length === 1);
    if (idleMessages === 'run') await idle.until(() => idle.state.runs === 2 && !idle.busy);
    expect(stops).toEqual(idleMessages === 'run' ? ['run'] : []);
    expect(idle.state.view.epoch).toBe(idleMessages === 'run' ? view.epoch : view.epoch + 1);
    idle.send('shutdown');
    await closed;
  }
});
