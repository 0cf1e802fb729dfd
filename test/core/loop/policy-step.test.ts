// The tiers of the policy beside its rules, as the loop asks them: when, about what, and what becomes of a call.
import { expect, test } from 'vitest';
import type { EvaluatePolicyInput, EvaluatePolicyResult } from '@holdfast/vocabulary/activity-contracts';
import type { FrozenTiers } from '@holdfast/vocabulary/frozen-context';
import type { PolicyDecision } from '@holdfast/vocabulary/tool-spec';
import { calls, inTurn, says } from '../../support/memory-model.ts';
import { textAnswer } from '../../../src/core/state/own-answers.ts';
import {
  MemorySession,
  stopped,
  type MemoryOptions,
  type ScriptedBodies,
} from '../../support/memory-session.ts';
import { resultTexts } from '../../support/result-texts.ts';

const changes: FrozenTiers = { tiers: ['classifier'], calls: 'changes' };

function verdicts(decision: PolicyDecision, reason = 'because') {
  return ({ calls: asked }: EvaluatePolicyInput): EvaluatePolicyResult => ({
    verdicts: asked.map(({ callId }) => ({ callId, decision, tier: 'classifier', reason })),
  });
}

type Judge = Pick<ScriptedBodies, 'evaluatePolicy'>;
type Asked = { session: MemorySession; asked: EvaluatePolicyInput[] };

/** `look` reads, `move` changes. */
function withTiers(more: Partial<MemoryOptions> & Pick<MemoryOptions, 'model'> & Judge): Asked {
  const asked: EvaluatePolicyInput[] = [];
  const { evaluatePolicy = verdicts('allow'), ...options } = more;
  const session = new MemorySession({
    tools: { look: () => 'seen', move: () => 'moved' },
    specs: { move: { effect: 'once' } },
    context: { tiers: changes },
    ...options,
    bodies: {
      evaluatePolicy(input, signal) {
        asked.push(input);
        return evaluatePolicy(input, signal);
      },
    },
  });
  return { session, asked };
}

function resultsOf({ state }: MemorySession): string[] {
  return resultTexts(state.log.records);
}

test('[MODE-05b] only calls that change something are judged; reads run as before', async () => {
  const newest: unknown[] = [];
  const { session, asked } = withTiers({
    model: inTurn(calls('a:look', 'b:move'), says('done')),
    evaluatePolicy(input) {
      newest.push(session.state.log.records.at(-1)?.role);
      return verdicts('allow')(input);
    },
  });
  await session.ask('Move it.');
  expect(newest, 'the reply is recorded before').toEqual(['assistant']);
  expect(asked).toMatchObject([
    { task: 'Move it.', tags: [], calls: [{ callId: 'b', tool: 'move', args: {} }] },
  ]);
  expect(session.ran).toEqual(['a', 'b']);
});

test('[MODE-05b] without tiers nothing is asked', async () => {
  const session = new MemorySession({
    model: inTurn(calls('a:move'), says('done')),
    tools: { move: () => 'moved' },
    specs: { move: { effect: 'once' } },
  });
  await session.ask('Move it.');
  expect(session.ran).toEqual(['a']);
});

test('[MODE-06b] [MODE-05c] [EVENT-01b] a denial of a tier is an error result with its reason, and the same call is not judged again', async () => {
  const { session, asked } = withTiers({
    model: inTurn(calls('a:move'), calls('b:move'), says('done')),
    evaluatePolicy: verdicts('deny', 'it destroys'),
  });
  await session.ask('Move it.');
  expect(session.ran).toEqual([]);
  expect(asked).toHaveLength(1);
  expect(resultsOf(session)).toEqual(['Denied: it destroys', expect.stringContaining('denied before')]);
  expect(session.seen).toContainEqual(
    expect.objectContaining({ type: 'policy_decision', callId: 'a', decision: 'deny', tier: 'classifier' }),
  );
});

test('[MODE-05g] a tier that is down, and one that forgets a call, deny', async () => {
  const tiers = [() => Promise.reject(new Error('connection refused')), () => ({ verdicts: [] })];
  for (const evaluatePolicy of tiers) {
    const { session } = withTiers({ model: inTurn(calls('a:move'), says('done')), evaluatePolicy });
    await session.ask('Move it.');
    expect(session.ran).toEqual([]);
    expect(resultsOf(session)).toEqual([expect.stringContaining('the policy could not be evaluated')]);
  }
});

test('[MODE-05cf] a tier can make a call wait for a person, and allows nothing that the rules ask about', async () => {
  for (const [rule, tier] of [
    ['allow', 'ask'],
    ['ask', 'allow'],
  ] as const) {
    const { session } = withTiers({
      model: inTurn(calls('a:move'), says('done')),
      policy: { move: rule },
      evaluatePolicy: verdicts(tier),
    });
    session.onChange = () => {
      const [pending] = session.session.approvals.pending;
      if (pending) session.send('resolveApproval', { id: pending.id, approve: true, actor: 'ann' });
    };
    await session.ask('Move it.');
    expect(session.seen).toContainEqual(expect.objectContaining({ type: 'approval_requested', callId: 'a' }));
    expect(session.ran).toEqual(['a']);
  }
});

test('[MODE-05b] a denial by rule is not sent to a tier', async () => {
  const { session, asked } = withTiers({
    model: inTurn(calls('a:move'), says('done')),
    policy: { move: 'deny' },
  });
  await session.ask('Move it.');
  expect(asked).toEqual([]);
});

test('[MODE-08] once a result had a sensitivity tag, every later proposal is judged with it, reads too', async () => {
  const tagged = {
    ...textAnswer({ call: { callId: 'a', name: 'look' } }, 'names'),
    sensitivity: ['customer-data'],
  };
  let first = true;
  const { session, asked } = withTiers({
    model: inTurn(calls('a:look'), calls('b:look'), calls('c:move'), says('done')),
    tools: {
      look: ({ callId }) => {
        const answer = first ? tagged : textAnswer({ call: { callId, name: 'look' } }, 'more');
        first = false;
        return answer;
      },
      move: () => 'moved',
    },
  });
  await session.ask('Look.');
  expect(asked.map(({ tags, calls: [call] }) => [tags, call?.callId])).toEqual([
    [['customer-data'], 'b'],
    [['customer-data'], 'c'],
  ]);
});

test.each(['sequential', 'parallel'] as const)(
  '[MODE-08] a sensitive read leaves the other calls of its reply as they were proposed (%s)',
  async (toolExecution) => {
    const { session, asked } = withTiers({
      model: inTurn(calls('a:look', 'b:look', 'c:look'), calls('d:look'), says('done')),
      settings: { loop: { toolExecution } },
      tools: {
        look: ({ callId }) => ({
          ...textAnswer({ call: { callId, name: 'look' } }, `names ${callId}`),
          sensitivity: ['customer-data'],
        }),
      },
      specs: {},
    });
    await session.ask('Look.');
    expect(resultsOf(session)).toEqual(['names a', 'names b', 'names c', 'names d']);
    expect(asked.map(({ calls: [call] }) => call?.callId)).toEqual(['d']);
  },
);

test('a stop while a tier judges: the call does not run, and is answered', async () => {
  const { session } = withTiers({
    model: inTurn(calls('a:move'), says('done')),
    evaluatePolicy: () => {
      session.send('abort');
      throw stopped;
    },
  });
  expect(await session.ask('Move it.')).toMatchObject({ status: 'aborted' });
  expect(session.ran).toEqual([]);
  expect(resultsOf(session)).toEqual(['tool execution aborted']);
});
