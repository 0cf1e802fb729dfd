// An agent that goes in circles, because each condense makes it forget what it did: warned, then stopped.
import { mergeOptions } from '@holdfast/vocabulary/merge-options';
import { describe, expect, test } from 'vitest';
import { textOf } from '@holdfast/vocabulary/messages';
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import type { Carried } from '../../../src/core/session/carried.ts';
import { refused, task } from '../../support/condense-sessions.ts';
import { calls, says } from '../../support/memory-model.ts';
import { textAnswer } from '../../../src/core/state/own-answers.ts';
import { MemorySession, type MemoryOptions, type MemoryTool } from '../../support/memory-session.ts';

const window = 10_000;
/** The same for the same arguments, and stored. */
const look: MemoryTool = ({ callId, args }) => {
  const answer = textAnswer({ call: { callId, name: 'look' } }, `saw ${args}`);
  return { ...answer, message: { ...answer.message, artifactId: `tool-${callId}` } };
};

/** `turn` gives what is looked at in it, many things as a batch; every `condenseEvery`th turn is counted as near the window. */
function circling(
  turn: (turn: number) => string | string[],
  condenseEvery = 1,
  change: Partial<MemoryOptions> = {},
  carried?: Carried,
): MemorySession {
  const model = ({ input }: { input: { turn: number } }): AssistantMessage => {
    if (input.turn > 60) return says('I give up.');
    const things = [turn(input.turn)].flat();
    const message = calls(...things.map((thing, at) => `t${input.turn}-${at}:look:{"at":"${thing}"}`));
    const full = input.turn % condenseEvery === 0;
    return { ...message, usage: { ...message.usage, input: full ? 0.9 * window : 100 } };
  };
  const condense = { strategy: 'summary_only' as const, maxPerRun: 0 };
  const options: MemoryOptions = {
    model,
    tools: { look },
    ...change,
    settings: mergeOptions(
      { model: { contextWindow: window }, loop: { maxTurns: 0 } },
      { condense, ...change.settings },
    ),
  };
  return new MemorySession(options, carried);
}

const inTurns =
  (...things: string[]) =>
  (turn: number) =>
    things[(turn - 1) % things.length] ?? '';
const warningsOf = (session: MemorySession): string[] =>
  [...session.archived, ...session.state.log.records]
    .filter((record) => record.role === 'user' && record.origin === 'injected')
    .map(textOf);

describe('condenses without a call that is new', () => {
  test('[SAFE-09ac] a circle over condenses, which went on for 1,143 of them, ends within a few turns, with a warning before', async () => {
    const session = circling(inTurns('pool', 'cache'));
    const result = await session.ask(task);
    expect(result).toMatchObject({
      status: 'loop_detected',
      error: { code: 'Run.Loop' },
      turns: 5,
      condenses: 4,
    });
    expect(warningsOf(session)).toEqual([
      expect.stringMatching(
        /^You are going in a circle: 2 condenses without a call that was new .*\(look; look\)/,
      ),
    ]);
    expect(result.error?.message).toMatch(/^The agent went in a circle, also after a warning: 3 condenses/);
    // all its calls are answered, and the last one came after the warning
    const { records } = session.state.log;
    expect(records.at(-1)).toMatchObject({ role: 'tool_result', callId: 't5-0' });
    const reading = session.requests.filter(({ messages }) =>
      messages.some((message) => textOf(message).startsWith('You are going')),
    );
    expect(reading).not.toHaveLength(0);
  });

  test('[SAFE-09a] over hand-overs as in one execution', async () => {
    let session = circling(inTurns('pool', 'cache'));
    session.prompt(task);
    let executions = 1;
    for (; ; executions++) {
      const { turn } = session.state.run ?? { turn: 0 };
      session.onChange = () => {
        if ((session.state.run?.turn ?? 0) > turn && session.state.run?.cursor === 'boundary')
          session.handOver = true;
      };
      if ((await session.run()) === 'closed') break;
      session = circling(inTurns('pool', 'cache'), 1, {}, session.carry());
    }
    expect(executions).toBeGreaterThan(3);
    expect(session.state.lastResult).toMatchObject({ status: 'loop_detected', turns: 5, condenses: 4 });
  });

  test('[SAFE-09a] a call that is new takes the warning back', async () => {
    const things = ['pool', 'cache', 'pool', 'cache', 'disk', 'pool', 'cache', 'disk'];
    const session = circling((turn) => things[turn - 1] ?? 'disk');
    expect(await session.ask(task)).toMatchObject({ status: 'loop_detected', turns: 8 });
    expect(warningsOf(session)).toHaveLength(2);
  });

  test('[SAFE-09a] [SAFE-01c] polling with changing results is no circle', async () => {
    let polls = 0;
    const poll: MemoryTool = ({ callId }) =>
      textAnswer({ call: { callId, name: 'look' } }, `at ${++polls} %`);
    const session = circling(inTurns('deploy', 'queue'), 1, { tools: { look: poll } });
    expect(await session.ask(task)).toMatchObject({ status: 'completed', turns: 61 });
    expect(warningsOf(session)).toEqual([]);
  });

  test('[SAFE-09a] a message from a person begins the count anew', async () => {
    const session: MemorySession = circling((turn) => {
      if (turn === 4) session.steer('s1', 'Look again.');
      return inTurns('pool', 'cache')(turn);
    });
    // warned at turn 4, then both are new again
    expect(await session.ask(task)).toMatchObject({ status: 'loop_detected', turns: 9 });
    expect(warningsOf(session)).toHaveLength(2);
  });

  test('[SAFE-09a] a view that is dropped for want of a summary counts as condensed', async () => {
    const refusedIn = new Set<number>();
    const session = circling(() => '', 1, {
      model: ({ input: { turn } }) => {
        const mayRefuse = turn > 3 && !refusedIn.has(turn);
        refusedIn.add(turn);
        return mayRefuse ? refused : calls(`t${turn}:look:${turn % 2}`);
      },
      condense: () => Promise.reject(new Error('no summary')),
      settings: { condense: { maxPerRun: 0, onFailure: 'drop_old' } },
    });
    expect(await session.ask(task)).toMatchObject({ status: 'loop_detected', turns: 6, condenses: 0 });
    expect(warningsOf(session)).toHaveLength(1);
  });
});

describe('a cycle of calls', () => {
  test('[SAFE-09bc] three times with a condense in it: a warning that names the calls; a fourth time: the end', async () => {
    const things = Array.from({ length: 6 }, (_, at) => `log ${at}`);
    const session = circling(inTurns(...things), 10);
    const result = await session.ask(task);
    // 3 and 4 times 6 calls; a condense after turn 10 and 20
    expect(result).toMatchObject({ status: 'loop_detected', turns: 24, condenses: 2 });
    expect(warningsOf(session)).toEqual([
      expect.stringContaining(
        'the same 6 calls, with the same results, 3 times in a row and over a condense (look; look; look; look; look and 1 other call)',
      ),
    ]);
    expect(result.error?.message).toContain('4 times in a row');
  });

  test('[SAFE-09b] of ten calls too; of eleven no more, unless condenses tell it', async () => {
    const cycle = (length: number) => inTurns(...Array.from({ length }, (_, at) => `log ${at}`));
    expect(await circling(cycle(10), 29).ask(task)).toMatchObject({ status: 'loop_detected', turns: 40 });
    expect(await circling(cycle(11), 35).ask(task)).toMatchObject({ status: 'completed' });
    expect(await circling(cycle(11), 12).ask(task)).toMatchObject({ status: 'loop_detected' });
  });

  test('[SAFE-09b] without a condense in it the model sees for itself what it does', async () => {
    const session = circling(inTurns('pool', 'cache'), 100);
    expect(await session.ask(task)).toMatchObject({ status: 'completed' });
    expect(warningsOf(session)).toEqual([]);
  });

  test("[SAFE-09b] [SAFE-02ab] equal calls are the other guard's: warned of at three, ended at five", async () => {
    const session = circling(() => 'pool', 2);
    expect(await session.ask(task)).toMatchObject({ status: 'loop_detected', turns: 5 });
    expect(warningsOf(session).every((text) => text.startsWith('You have made the same tool call'))).toBe(
      true,
    );
  });

  test('[SAFE-09c] with condenses in every turn both guards see them: one word at a time', async () => {
    const session = circling(() => 'pool');
    expect(await session.ask(task)).toMatchObject({ status: 'loop_detected', turns: 5 });
    const turns = [...session.archived, ...session.state.log.records]
      .filter((record) => record.role === 'user' && record.origin === 'injected')
      .map(({ turn }) => turn);
    expect(turns).toEqual([...new Set(turns)]);
    expect(turns).not.toEqual([]);
  });

  test('[SAFE-09c] four times within one batch: the warning comes first', async () => {
    const batches = [['a'], ['b', 'a', 'b'], ['a', 'b', 'a', 'b']];
    const session = circling((turn) => batches[turn - 1] ?? ['a', 'b']);
    expect(await session.ask(task)).toMatchObject({ status: 'loop_detected', turns: 4 });
    expect(warningsOf(session)).toHaveLength(1);
  });
});

describe('options and rules', () => {
  test('[SAFE-09c] [SAFE-02d] loop.stop 0: warned only; loop.warn 0: ended without a warning; both 0: neither', async () => {
    const outcome = async (warn: number, stop: number) => {
      const session = circling(inTurns('pool', 'cache'), 1, { settings: { loop: { warn, stop } } });
      const { status, turns } = await session.ask(task);
      return { status, turns, warnings: warningsOf(session).length };
    };
    expect(await outcome(3, 0)).toEqual({ status: 'completed', turns: 61, warnings: 1 });
    expect(await outcome(0, 5)).toEqual({ status: 'loop_detected', turns: 5, warnings: 0 });
    expect(await outcome(0, 0)).toEqual({ status: 'completed', turns: 61, warnings: 0 });
  });
});
