// The tool hypotheses: what is written is state with ids by code, before the calls that test it.
import { expect, test } from 'vitest';
import { forkCheckpoint } from '../../../../src/core/checkpoint/fork-checkpoint.ts';
import { hypothesesIn } from '@holdfast/report/hypotheses';
import { textOf } from '@holdfast/vocabulary/messages';
import { look } from '../../../support/condense-sessions.ts';
import { calls, inTurn, says } from '../../../support/memory-model.ts';
import { MemorySession, type MemoryModel } from '../../../support/memory-session.ts';
import { resultTexts } from '../../../support/result-texts.ts';
import { documentOf } from '../../../support/session-document.ts';

const specs = { hypotheses: { runsIn: 'workflow' } } as const;
const write = (callId: string, args: object) => `${callId}:hypotheses:${JSON.stringify(args)}`;
const pool = {
  statement: 'The pool is too small.',
  component: 'pool',
  kind: 'capacity',
  predictions: [
    { call: 'read the pool', expect: 'all in use' },
    { call: 'read the database', expect: 'it is idle', refutes: true },
  ],
};
const disk = {
  ...pool,
  statement: 'The disk is full.',
  component: 'disk',
  predictions: [{ call: 'df', expect: '100 %' }],
};
const tested = { id: 'h1.1', callId: 'x', quote: '2 of 2 in use' };

function session(model: MemoryModel): MemorySession {
  return new MemorySession({ model, specs, keepAlive: true });
}
const lastText = ({ state }: MemorySession) => resultTexts(state.log.records).at(-1);

test('[HYP-01a] hypotheses and predictions get their ids by code; more predictions leave the words of one as they are', async () => {
  const made = session(
    inTurn(
      calls(write('a', { add: [pool, disk] })),
      calls(
        write('b', {
          add: [{ id: 'h2', statement: 'Other words.', predictions: [{ call: 'ls', expect: 'a dump' }] }],
        }),
      ),
      says('ok'),
    ),
  );
  await made.ask('go');
  expect(made.state.hypotheses).toMatchObject([
    {
      id: 'h1',
      component: 'pool',
      kind: 'capacity',
      seq: 2,
      predictions: [{ id: 'h1.1' }, { id: 'h1.2', refutes: true }],
    },
    {
      id: 'h2',
      statement: 'The disk is full.',
      predictions: [
        { id: 'h2.1', seq: 2, tests: [] },
        { id: 'h2.2', call: 'ls', seq: 4 },
      ],
    },
  ]);
});

test('[HYP-01bc] a call answers a prediction, every answer has all of them, and without arguments they are read', async () => {
  const made = session(
    inTurn(
      calls(write('0', {})),
      calls(write('a', { add: pool })),
      calls('x', 'y'),
      calls(write('b', { test: [tested, { id: 'h1.2', callId: 'y', quote: 'busy', opposite: true }] })),
      calls(write('c', {})),
      says('ok'),
    ),
  );
  await made.ask('go');
  expect(made.state.hypotheses?.[0]?.predictions.map(({ tests }) => tests)).toEqual([
    [{ callId: 'x', quote: '2 of 2 in use' }],
    [{ callId: 'y', quote: 'busy', opposite: true }],
  ]);
  const texts = resultTexts(made.state.log.records);
  expect(texts[0]).toMatch(/no hypotheses yet/);
  expect(texts[1]).toBe(
    [
      'h1 [open] pool (capacity): The pool is too small.',
      '  h1.1 read the pool: all in use - not tested',
      '  h1.2 read the database: it is idle (else refuted) - not tested',
    ].join('\n'),
  );
  expect(texts.at(-1)).toBe(texts.at(-2));
  expect(texts.at(-1)).toMatch(/^h1 \[tested\].*answered by call x\n.*the opposite in call y$/s);
});

test.each([
  [
    'an unknown hypothesis',
    { add: { id: 'h7', predictions: pool.predictions } },
    /no h7: known are h1, h1\.1, h1\.2/,
  ],
  ['no words', { add: { predictions: pool.predictions } }, /h2 lacks statement, component, kind/],
  ['no predictions', { add: { ...disk, predictions: [] } }, /h2 lacks predictions/],
  ['a prediction without a call', { add: { ...disk, predictions: [{ expect: 'x' }] } }, /h2\.1 lacks call/],
  ['an unknown prediction', { test: { ...tested, id: 'h1.9' } }, /no h1\.9/],
  ['a test without a quote', { test: { ...tested, quote: ' ' } }, /h1\.1 lacks quote/],
  ['a call from before', { test: { ...tested, callId: 'before' } }, /not written before call before/],
  ['a call of the same reply', { test: { ...tested, callId: 'beside' } }, /not written before call beside/],
  ['too much', { add: { ...disk, statement: 'x'.repeat(8_192) } }, /bytes more than there is room for/],
])('[HYP-01d] with %s nothing is changed, although the rest is right', async (_, args, reason) => {
  const made = session(
    inTurn(
      calls('before'),
      calls(write('a', { add: pool }), 'beside'),
      calls('x'),
      calls(write('b', { ...args, add: ['add' in args ? args.add : undefined, disk].filter(Boolean) })),
      says('ok'),
    ),
  );
  await made.ask('go');
  expect(lastText(made)).toMatch(/^Nothing was changed: /);
  expect(lastText(made)).toMatch(reason);
  expect(made.state.hypotheses).toHaveLength(1);
  expect(made.events('tool_execution_end').at(-1)?.isError).toBe(true);
});

test('[HYP-02a] they outlive a run and a hand-over, and a reset ends them', async () => {
  const first = session(inTurn(calls(write('a', { add: pool })), says('ok')));
  await first.ask('go');
  const next = new MemorySession(
    {
      model: inTurn(calls('x'), calls(write('b', { test: tested })), says('ok'), says('ok')),
      specs,
      keepAlive: true,
    },
    first.carry(),
  );
  await next.ask('and then?');
  expect(next.state.hypotheses).toMatchObject([
    { id: 'h1', predictions: [{ tests: [{ callId: 'x' }] }, {}] },
  ]);
  next.send('reset');
  await next.ask('again');
  expect(next.state.hypotheses).toBeUndefined();
});

test('[HYP-02a] after a condense their words are in the head of the view', async () => {
  const folded = new MemorySession({
    model: ({ input: { turn } }) => {
      if (turn === 1) return calls(write('a', { add: pool }));
      return turn < 9 ? look(turn, turn === 6 ? 95_000 : 100) : says('Done.');
    },
    specs,
    settings: { model: { contextWindow: 100_000 } },
  });
  await folded.ask('go');
  const head = folded.requests.at(-1)?.messages[0];
  expect(head && textOf(head)).toContain('Your hypotheses, as they were then:\nh1 [open] pool');
});

test('[HYP-02b] a fork has them as they were at its point; a log from before a reset adds none', async () => {
  const made = session(
    inTurn(
      calls(write('a', { add: [pool, disk] })),
      calls('x'),
      calls(write('b', { test: tested })),
      says('ok'),
      calls(write('c', { add: disk })),
      says('ok'),
    ),
  );
  await made.ask('go');
  const document = documentOf(made);
  const at = (atTurn: number) => {
    const forked = forkCheckpoint(document, { atTurn });
    return forked.ok ? forked.value.session?.state.hypotheses : undefined;
  };
  expect(at(1)?.map(({ id, predictions }) => [id, predictions[0]?.tests.length])).toEqual([
    ['h1', 0],
    ['h2', 0],
  ]);
  expect(at(3)).toEqual(made.state.hypotheses);
  made.send('reset');
  await made.ask('again');
  expect(hypothesesIn([...made.archived, ...made.state.log.records])).toEqual(made.state.hypotheses);
  expect(made.state.hypotheses).toMatchObject([{ id: 'h1', component: 'disk' }]);
});

test('[HYP-02cd] each change raises an event, and the snapshot says which are tested', async () => {
  const made = session(
    inTurn(
      calls(write('a', { add: [pool, disk] })),
      calls('x'),
      calls(write('b', { test: tested })),
      says('ok'),
    ),
  );
  await made.ask('go');
  expect(made.events('hypotheses_update')).toMatchObject([
    { hypotheses: 2, predictions: 3, tested: 0 },
    { hypotheses: 2, predictions: 3, tested: 1, text: expect.stringMatching(/^h1 \[tested\]/) },
  ]);
  expect(made.snapshot.hypotheses?.map(({ id, status }) => [id, status])).toEqual([
    ['h1', 'tested'],
    ['h2', 'open'],
  ]);
});
