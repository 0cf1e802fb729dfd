// What a model reads of the calls that were folded: in every strategy, over hand-overs, and the same bytes in an epoch.
import { expect, test } from 'vitest';
import { forkCheckpoint } from '../../../src/core/checkpoint/fork-checkpoint.ts';
import type { CondenseStrategyName } from '@holdfast/vocabulary/agent-spec';
import { textOf, userMessage } from '@holdfast/vocabulary/messages';
import { textTokens } from '@holdfast/base/text-tokens';
import { callIndexText } from '@holdfast/view/call-index';
import { estimateViewTokens } from '@holdfast/view/estimate';
import { strategies } from '@holdfast/view/condense/strategies';
import { look, looker, refused, task } from '../../support/condense-sessions.ts';
import { says } from '../../support/memory-model.ts';
import { delegating, runTeam } from '../../support/team.ts';
import { textAnswer } from '../../../src/core/state/own-answers.ts';
import {
  MemorySession,
  type MemoryOptions,
  type MemoryRequest,
  type MemoryTool,
} from '../../support/memory-session.ts';
import { documentOf } from '../../support/session-document.ts';

const names = Object.keys(strategies) as CondenseStrategyName[];

/** Its outputs are stored. */
const stored: MemoryTool = ({ callId, args }) => {
  const answer = textAnswer({ call: { callId, name: 'look' } }, `saw ${args} ${'and more '.repeat(800)}`);
  return { ...answer, message: { ...answer.message, artifactId: `tool-${callId}` } };
};

function optionsOf(change: Partial<MemoryOptions> = {}): MemoryOptions {
  return {
    model: looker(24, (turn) => (turn % 6 === 0 ? 9_500 : 100)),
    tools: { look: stored },
    ...change,
    settings: {
      model: { contextWindow: 10_000 },
      loop: { maxTurns: 0 },
      condense: { maxPerRun: 0 },
      ...change.settings,
    },
  };
}

function wordsOf({ system = '', messages }: MemoryRequest): string {
  return [system, ...messages.map((message) => (message.role === 'user' ? textOf(message) : ''))].join('\n');
}

/** Ids that the model can see: in the words before the messages, and in the messages. */
function visible(request: MemoryRequest): string[] {
  const inMessages = request.messages.flatMap((message) =>
    message.role === 'tool_result' ? [message.callId] : [],
  );
  const inWords = [...wordsOf(request).matchAll(/\bc\d+\b/g)].map(([id]) => id);
  return [...inWords, ...inMessages];
}

test.each(names)(
  '[REPORT-12b] after several condenses every call is in sight once (%s)',
  async (strategy) => {
    const session = new MemorySession(optionsOf({ settings: { condense: { strategy, maxPerRun: 0 } } }));
    expect(await session.ask(task)).toMatchObject({ status: 'completed' });
    const last = session.requests.at(-1);
    expect(session.state.lastResult?.condenses).toBeGreaterThan(2);
    expect(last && visible(last).sort()).toEqual(Array.from({ length: 24 }, (_, at) => `c${at + 1}`).sort());
  },
);

test('[REPORT-12b] and where the old part was dropped, because no summary could be made', async () => {
  let requests = 0;
  const session = new MemorySession(
    optionsOf({
      model: ({ input }) => {
        if (++requests === 8) return refused;
        return input.turn < 10 ? look(input.turn, 100) : says('Done.');
      },
      condense: () => Promise.reject(new Error('no summary')),
      settings: { condense: { maxPerRun: 0, onFailure: 'drop_old' } },
    }),
  );
  await session.ask(task);
  const request = session.requests[8];
  expect(request && visible(request)).toEqual(['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7']);
  expect(request && wordsOf(request)).not.toContain('Context of previous work');
});

test('[REPORT-12b] the words are the same in every request of an epoch, and over a hand-over', async () => {
  const options = optionsOf();
  let session = new MemorySession(options);
  session.prompt(task);
  const heads: string[] = [];
  for (let turn = 0; ;) {
    session.onChange = () => {
      // at every second boundary
      const { run } = session.state;
      if (run?.cursor === 'boundary' && run.turn > turn + 1) session.handOver = true;
    };
    const ended = (await session.run()) === 'closed';
    for (const { messages, input } of session.requests) {
      const head = textOf(messages[0] ?? says(''));
      if (head.startsWith('Context of')) heads.push(`${input.view.epoch} ${head}`);
    }
    turn = session.state.run?.turn ?? 0;
    if (ended) break;
    session = new MemorySession(options, session.carry());
  }
  const epochs = new Set(heads.map((head) => head.split(' ')[0]));
  expect(epochs.size).toBeGreaterThan(3);
  expect(new Set(heads).size).toBe(epochs.size);
  expect(heads.at(-1)).toContain('c1');
});

test('[REPORT-12b] the words of the index count in the estimate of the view', async () => {
  const session = new MemorySession(optionsOf());
  await session.ask(task);
  const { state } = session;
  const { calls: _, ...view } = state.view;
  const words = callIndexText(state.view.calls);
  expect(words).toContain('c1');
  const more = estimateViewTokens(state) - estimateViewTokens({ ...state, view });
  expect(more).toBeGreaterThanOrEqual(Math.floor(textTokens(words)));
});

test('[REPORT-12b] a call without a stored output cannot be quoted, and is not named', async () => {
  const session = new MemorySession(optionsOf({ tools: { look: () => 'ok' } }));
  await session.ask(task);
  const last = session.requests.at(-1);
  expect(last && wordsOf(last)).not.toMatch(/\bc\d+\b/);
});

test('[REPORT-12b] the index outlives runs, and a reset ends it', async () => {
  const session = new MemorySession({ ...optionsOf(), keepAlive: true });
  await session.ask(task);
  expect(session.state.view.calls?.calls.map(([, id]) => id)).toContain('c1');
  session.send('reset');
  await session.until(() => session.state.view.calls === undefined);
  expect(session.state.calls).toBeUndefined();
});

test('[REPORT-12b] a fork shows its calls again, and may fold them again', async () => {
  const session = new MemorySession(optionsOf());
  await session.ask(task);
  const forked = forkCheckpoint(documentOf(session), { atTurn: 3 });
  expect(forked.ok && forked.value.session?.state.calls?.calls.map(([, id]) => id)).toEqual([
    'c1',
    'c2',
    'c3',
  ]);
});

test('[REPORT-12b] calls of a subagent that its result names are in the index, under the name that a report quotes them by', async () => {
  const team = await runTeam({
    says: {
      tester: ({ number }) => (number === 1 ? delegating({ agent: 'analyst' }) : { text: 'Answered.' }),
      analyst: ({ number }) =>
        number === 1
          ? {
              calls: [
                { tool: 'echo', args: { text: 'pool timeout' } },
                { tool: 'echo', args: { text: 'fine' } },
              ],
            }
          : {
              calls: [
                { tool: 'task_complete', args: { status: 'completed', summary: 'pool timeout (call_1_1)' } },
              ],
            },
    },
    agents: { analyst: {} },
  });
  const { calls: index } = team.top.state;
  expect(index?.calls.map(([, id, words]) => `${words}: ${id}`)).toEqual([
    'echo pool timeout (by analyst-pool-1, to be quoted only): analyst-pool-1/call_1_1',
  ]);
  // folded with the result that names them
  const result = team.top.state.log.records.find(({ role }) => role === 'tool_result');
  expect(index?.calls[0]?.[0]).toBe(result?.seq);
});

test('[REPORT-12b] a view that a hook replaced, and condensed, gives its calls back when the run is over', async () => {
  let turns = 0;
  const session = new MemorySession({
    ...optionsOf({ model: looker(12, (turn) => (turn % 6 === 0 ? 9_500 : 100)) }),
    hooks: [
      {
        name: 'other',
        prepareNextTurn: () => (++turns === 3 ? { context: { messages: [userMessage('Start over.')] } } : {}),
      },
    ],
  });
  await session.ask(task);
  const { calls: waiting, view } = session.state;
  expect(session.state.lastResult?.condenses).toBeGreaterThan(0);
  const known = [...(view.calls?.calls ?? []), ...(waiting?.calls ?? [])].map(([, id]) => id);
  expect(known).toEqual(Array.from({ length: 12 }, (_, at) => `c${at + 1}`));
  // the session's own view shows them all again
  expect([view.fromSeq, view.calls]).toEqual([1, undefined]);
});
