// What travels at a hand-over is as large in a long session as in a short one.
import { expect, test } from 'vitest';
import { jsonBytes } from '@holdfast/base/sizes';
import type { Carried } from '../../../src/core/session/carried.ts';
import { toolCallsOf } from '@holdfast/vocabulary/messages';
import { calls } from '../../support/memory-model.ts';
import { textAnswer } from '../../../src/core/state/own-answers.ts';
import { MemorySession, type MemoryOptions } from '../../support/memory-session.ts';

const turnsOfExecution = 10;
const callsOfTurn = 8;

/** Of the last of `executions`, each of which ends with a hand-over; every call is new, all stored. */
async function carriedAfter(executions: number): Promise<Carried> {
  let turn = 100_000;
  const options: MemoryOptions = {
    model: () => {
      turn += 1;
      return calls(
        ...Array.from({ length: callsOfTurn }, (_, at) => `c${turn}-${at}:look:{"at":"${turn}-${at}"}`),
      );
    },
    tools: {
      look: ({ callId, args }) => {
        const { message, digest = '' } = textAnswer({ call: { callId, name: 'look' } }, `saw ${args}`);
        return { message: { ...message, artifactId: `tool-${callId}` }, digest };
      },
    },
    prepare: (message) =>
      Promise.resolve(
        toolCallsOf(message).map(({ callId, arguments: args }) => ({
          status: 'ready',
          callId,
          effect: 'read',
          decision: 'allow',
          argsDigest: args,
          summary: `look ${args}`,
        })),
      ),
    settings: { loop: { maxTurns: 0 }, model: { contextWindow: 20_000 }, condense: { maxPerRun: 0 } },
  };
  let carried: Carried | undefined;
  for (let execution = 0; execution < executions; execution++) {
    const session: MemorySession = new MemorySession(options, carried);
    if (!carried) session.prompt('Look at everything.');
    session.onChange = () => {
      session.decisions = 0;
      session.handOver = session.session.turns >= turnsOfExecution;
    };
    expect(await session.run()).toBe('hand_over');
    carried = session.carry();
  }
  if (!carried) throw new Error('no execution was asked for');
  return carried;
}

test('[CKPT-06b] the carried state is as large after 1,200 turns as after 120', async () => {
  const [short, long] = [await carriedAfter(12), await carriedAfter(120)];
  expect(long.state.run?.turn).toBe(10 * (short.state.run?.turn ?? 0));
  expect(jsonBytes(long) / jsonBytes(short)).toBeLessThan(1.03);
  expect(jsonBytes(long)).toBeLessThan(40 * 1024);
});
