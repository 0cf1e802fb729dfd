// When a person is asked again about the same call, how long, and about which calls at all.
import { expect, test } from 'vitest';
import type { EvaluatePolicyInput } from '@holdfast/vocabulary/activity-contracts';
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import { alertNewsPrefix } from '@holdfast/vocabulary/outer-names';
import type { PreparedCall } from '@holdfast/vocabulary/tool-spec';
import { jsonBytes } from '@holdfast/base/sizes';
import { calls, fails, inTurn, says } from '../../support/memory-model.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { MemorySession, type MemoryOptions } from '../../support/memory-session.ts';
import { resultTexts } from '../../support/result-texts.ts';

const minute = 60_000;
const restart = (id: string) => `${id}:restart:{"service":"web"}`;
const askAnn = (id: string) => `${id}:ask_human:{"question":"Restart it?"}`;

function asking(replies: Parameters<typeof inTurn>, more: Partial<MemoryOptions> = {}) {
  const clock = manualClock();
  const session = new MemorySession({
    model: inTurn(...replies),
    tools: { restart: () => 'restarted', look: () => 'seen' },
    specs: { restart: { effect: 'once' }, ask_human: { runsIn: 'workflow' } },
    policy: { restart: 'ask' },
    keepAlive: true,
    ...clock,
    ...more,
    settings: { approvals: { timeoutMs: 5 * minute }, ...more.settings },
  });
  session.prompt('Look after web.');
  const running = session.run();
  return { session, clock, running };
}

const waits = (session: MemorySession, id: string) => session.until(() => session.approvals.includes(id));
const idle = (session: MemorySession) => session.until(() => !session.busy);
const results = ({ state }: MemorySession) => resultTexts(state.log.records);
const decisions = ({ state }: MemorySession) =>
  state.log.records.flatMap((record) =>
    record.role === 'tool_result' && record.decided ? [record.decided] : [],
  );

test('[MODE-21a] [MODE-10a] after silence a message of a person opens the same call again, and it never runs unasked', async () => {
  const { session, clock } = asking([calls(restart('a')), calls(restart('b')), says('done')]);
  await waits(session, 'a');
  session.steer('s1', 'I was away. Yes, please restart web now.');
  await clock.advance(5 * minute);
  await waits(session, 'b');
  expect(session.ran).toEqual([]);
  expect(results(session)).toEqual([
    'Not run: nobody answered until 1970-01-01 00:05:00 UTC. This is no denial. The same call can be asked about again after the next words of a person.',
  ]);
  session.send('resolveApproval', { id: 'b', approve: true, actor: 'ann' });
  await idle(session);
  expect(session.ran).toEqual(['b']);
});

test('[MODE-21b] without a word of a person nobody is asked again about the same call, and news of alerts are no such word', async () => {
  const { session, clock } = asking([
    calls(restart('a')),
    calls(restart('b')),
    calls(restart('c')),
    says('done'),
  ]);
  await waits(session, 'a');
  session.steer(`${alertNewsPrefix}7`, 'One more alert.');
  await clock.advance(5 * minute);
  await idle(session);
  expect(session.events('approval_requested').map(({ callId }) => callId)).toEqual(['a']);
  expect(session.ran).toEqual([]);
  const again =
    'Not asked again: nobody answered until 1970-01-01 00:05:00 UTC. The same call can be asked about again after the next words of a person.';
  expect(results(session).slice(1)).toEqual([again, again]);
});

test.each([
  ['steer', (session: MemorySession) => session.steer('s1', 'Now you may.')],
  ['follow-up', (session: MemorySession) => session.followUp('f1', 'Now you may.')],
])('[MODE-21c] a denial holds until the next words of a person, a %s', async (_, say) => {
  const { session } = asking([
    calls(restart('a')),
    calls(restart('b')),
    says('not done'),
    calls(restart('c')),
    says('done'),
  ]);
  await waits(session, 'a');
  session.send('resolveApproval', { id: 'a', approve: false, actor: 'tester', reason: 'not before 18:00' });
  await session.until(() => session.requests.length === 3);
  expect(results(session)).toEqual([
    'Denied: not before 18:00',
    expect.stringMatching(/^Not asked again: tester denied it at 1970-01-01 00:00:00 UTC\. The same call/),
  ]);
  say(session);
  await waits(session, 'c');
  session.send('shutdown');
  session.send('abort');
});

test('[MODE-21c] an answer to a question opens a denied call again', async () => {
  const { session } = asking([calls(restart('a')), calls(askAnn('q')), calls(restart('b')), says('done')]);
  await waits(session, 'a');
  session.send('resolveApproval', { id: 'a', approve: false, actor: 'tester', reason: 'ask me first' });
  await session.until(() => session.snapshot.questions.length === 1);
  session.send('answerQuestion', 'q', 'yes', 'ann');
  await waits(session, 'b');
  session.send('shutdown');
  session.send('abort');
});

test('[MODE-21f] a denied call that is open again is asked about, even where a person has allowed the tool since', async () => {
  const { session } = asking([
    calls(restart('a'), 'b:restart'),
    calls('c:restart'),
    calls(restart('d')),
    calls(restart('e')),
    says('done'),
  ]);
  await session.until(() => session.approvals.length === 2);
  session.send('resolveApproval', { id: 'a', approve: false, actor: 'tester', reason: 'not web' });
  session.steer('s1', 'Look at the others.');
  session.send('resolveApproval', { id: 'b', approve: true, actor: 'ann', remember: 'tool' });
  await waits(session, 'd');
  expect(session.ran).toEqual(['b', 'c']);
  session.send('resolveApproval', { id: 'd', approve: true, actor: 'ann' });
  await idle(session);
  expect(session.ran).toEqual(['b', 'c', 'd', 'e']);
});

test('[MODE-21d] the denial of a policy stays one for the run, whatever a person says', async () => {
  const { session } = asking([calls('a:restart'), calls('q:look'), calls('b:restart'), says('done')], {
    context: { tiers: { tiers: ['classifier'], calls: 'changes' } },
    bodies: {
      evaluatePolicy({ calls: asked }) {
        // the run reads it after the denial
        session.steer('s1', 'Do it.');
        return {
          verdicts: asked.map(({ callId }) => ({
            callId,
            decision: 'deny',
            tier: 'classifier',
            reason: 'no',
          })),
        };
      },
    },
  });
  await idle(session);
  session.send('shutdown');
  expect(session.ran).toEqual(['q']);
  expect(results(session).at(-1)).toBe('Denied: the same call was denied before in this run.');
});

test('[MODE-21e] [MODE-10c] the limit of an hour is no denial: it counts from the last words of a person, else for an hour', async () => {
  const other = (id: string) => `${id}:restart:{"service":"${id}"}`;
  const replies = [
    calls(other('a')),
    calls(restart('b')),
    calls(restart('c')),
    calls(other('d')),
    says('done'),
  ];
  const model = inTurn(...replies);
  const { session, clock } = asking([], {
    model(request, signal) {
      if (session.requests.length === 2) session.steer('s1', 'Yes, restart it.');
      return model(request, signal);
    },
    settings: { approvals: { timeoutMs: 120 * minute, perHour: 1 } },
  });
  await waits(session, 'a');
  await clock.advance(1);
  session.send('resolveApproval', { id: 'a', approve: true, actor: 'ann' });
  await waits(session, 'c');
  expect(session.ran).toEqual(['a']);
  expect(decisions(session)).toMatchObject([{ by: 'ann' }, { by: 'limit' }]);
  expect(results(session)[1]).toMatch(
    /^Not run: the limit of 1 approval in an hour is reached\. This is no denial\. The same call can .*$/,
  );
  await clock.advance(60 * minute);
  session.send('resolveApproval', { id: 'c', approve: true, actor: 'ann' });
  await waits(session, 'd');
  session.send('shutdown');
  session.send('abort');
});

test('[MODE-22a] a wait shows the end of the run where that is earlier, and a late answer is told which of the two ended it', async () => {
  for (const [deadlineMs, timeoutMs, end] of [
    [30, 24 * 60, 'the run reached its deadline at 1970-01-01 00:30:00 UTC'],
    [60, 30, 'nobody answered until 1970-01-01 00:30:00 UTC'],
  ] as const) {
    const settings = {
      approvals: { timeoutMs: timeoutMs * minute, questionTimeoutMs: timeoutMs * minute },
      loop: { deadlineMs: deadlineMs * minute },
    };
    const { session, clock } = asking([calls(restart('a'), askAnn('q')), says('done')], { settings });
    await session.until(() => session.snapshot.questions.length + session.approvals.length === 2);
    expect(session.snapshot).toMatchObject({
      approvals: [{ deadline: 30 * minute }],
      questions: [{ deadline: 30 * minute }],
    });
    expect(session.events('approval_requested', 'question_asked')).toMatchObject([
      { deadline: 30 * minute },
      { deadline: 30 * minute },
    ]);
    await clock.advance(31 * minute);
    await idle(session);
    const late = { id: 'a', approve: true, actor: 'ann', argsDigest: '{"service":"web"}' };
    expect(session.send('resolveApproval', late)).toMatchObject({
      reason: `Approval for call a refused: it was closed: ${end}. Waiting: none.`,
    });
    expect(session.send('answerQuestion', 'q', 'yes', 'ann')).toMatchObject({
      reason: `Answer to question q refused: it was closed: ${end}. Waiting: none.`,
    });
  }
});

test.each([
  ['the run was aborted', (session: MemorySession) => session.send('abort')],
  ['a message interrupted the run', (session: MemorySession) => session.steer('s', 'stop', 'interrupt')],
])('[MODE-22b] a late answer is told that %s', async (what, stop) => {
  const { session } = asking([calls(restart('a')), says('done')]);
  await waits(session, 'a');
  stop(session);
  await idle(session);
  expect(session.send('resolveApproval', { id: 'a', approve: false, actor: 'ann' })).toMatchObject({
    reason: `Approval for call a refused: it was closed: ${what} at 1970-01-01 00:00:00 UTC. Waiting: none.`,
  });
});

test.each<[string, (session: MemorySession) => unknown]>([
  ['the run reached its deadline', ({ session }) => session.timeOut('run-1')],
  ['the run was aborted', (session) => session.send('abort')],
  ['a message interrupted the run', (session) => session.steer('s', 'stop', 'interrupt')],
])('[MODE-22f] a call and a question that nobody has answered when %s say so', async (what, stop) => {
  const { session } = asking([calls(restart('a'), askAnn('q')), says('done')]);
  await session.until(() => session.snapshot.questions.length + session.approvals.length === 2);
  stop(session);
  await idle(session);
  const end = `${what} at 1970-01-01 00:00:00 UTC`;
  expect(results(session)).toEqual([
    `Not run: nobody answered before ${end}.`,
    `No answer: nobody answered before ${end}.`,
  ]);
  expect(decisions(session)).toMatchObject([{ approved: false, by: 'stop', reason: end }]);
});

test('[MODE-21g] a call that is not asked again is not decided by the policy, but one that the policy has denied', async () => {
  const { session, clock } = asking([calls(restart('a')), calls(restart('b')), says('done')]);
  await waits(session, 'a');
  await clock.advance(5 * minute);
  await idle(session);
  const reason = 'nobody answered until 1970-01-01 00:05:00 UTC';
  expect(decisions(session)).toMatchObject([
    { by: 'timer', reason },
    { by: 'before', reason },
  ]);
  const denied = asking([calls(restart('a')), calls(restart('b')), says('done')], {
    policy: { restart: 'deny' },
  });
  await idle(denied.session);
  expect(decisions(denied.session)).toMatchObject([{ by: 'policy' }, { by: 'policy' }]);
});

test('[MODE-22c] a wait for an operator names the deadline of the run', async () => {
  const { session } = asking([], {
    model: () => fails('Model.Auth', 'wait_for_operator'),
    settings: { loop: { deadlineMs: 30 * minute } },
  });
  await session.until(() => session.session.operatorReason !== undefined);
  expect(session.snapshot.waitingReason).toBe(
    'It broke: Model.Auth (the run reaches its deadline at 1970-01-01 00:30:00 UTC)',
  );
  session.send('shutdown');
  session.send('abort');
});

test.each([
  ['denies it', 'deny'],
  ['fails', 'fail'],
])(
  '[MODE-23a] a call whose reply is old is judged again before a person is asked: a judge that %s',
  async (_, how) => {
    const judged: string[][] = [];
    const evaluatePolicy = ({ calls: asked }: EvaluatePolicyInput) => {
      judged.push(asked.map(({ callId }) => callId));
      if (how === 'fail') throw new Error('down');
      const verdict = { decision: 'deny', tier: 'rules', reason: 'freeze' } as const;
      return { verdicts: asked.map(({ callId }) => ({ callId, ...verdict })) };
    };
    const { session, clock } = asking([calls(restart('a'), 'b:restart'), says('done')], {
      bodies: { evaluatePolicy },
      settings: { loop: { toolExecution: 'sequential' }, approvals: { timeoutMs: 60 * minute } },
    });
    await waits(session, 'a');
    await clock.advance(2 * minute);
    session.send('resolveApproval', { id: 'a', approve: true, actor: 'ann' });
    await idle(session);
    expect(judged).toEqual([['b']]);
    expect(session.events('approval_requested').map(({ callId }) => callId)).toEqual(['a']);
    expect(results(session)[1]).toMatch(how === 'deny' ? /^Denied: freeze/ : /^Denied: the policy could not/);
  },
);

test('[MODE-23d] a call whose agent has no such tool any more is answered before a person is asked', async () => {
  const prepare = async ({ content }: AssistantMessage) =>
    content.flatMap((part): PreparedCall[] =>
      part.type === 'tool_call'
        ? [
            {
              status: 'ready',
              callId: part.callId,
              effect: 'once',
              decision: 'ask',
              argsDigest: 'd',
              summary: 'gone',
            },
          ]
        : [],
    );
  const { session } = asking([calls('a:gone'), says('done')], { prepare });
  await idle(session);
  expect(session.events('approval_requested')).toEqual([]);
  expect(results(session)).toEqual(['Unknown tool gone']);
});

test('[MODE-21e] a run that news of alerts begin is no word of a person: the limit of the hour stays', async () => {
  const other = (id: string) => `${id}:restart:{"service":"${id}"}`;
  const { session, clock } = asking([calls(other('a')), says('one'), calls(other('b')), says('two')], {
    settings: { approvals: { timeoutMs: 120 * minute, perHour: 1 } },
  });
  await waits(session, 'a');
  session.send('resolveApproval', { id: 'a', approve: true, actor: 'ann' });
  await idle(session);
  await clock.advance(1);
  session.steer(`${alertNewsPrefix}7`, 'One more alert.');
  await session.until(() => session.requests.length === 4);
  expect(results(session).at(-1)).toMatch(/^Not run: the limit of 1 approval in an hour is reached/);
  expect(session.ran).toEqual(['a']);
});

test('[MODE-21c] a denial holds however often the policy denies another call after it, and many denials stay small', async () => {
  const drop = (id: string, table = 't') => calls(`${id}:drop:{"table":"${table}"}`);
  const replies = [
    calls(restart('a')),
    ...Array.from({ length: 120 }, (_, at) => drop(`p${at}`)),
    calls(restart('b')),
    ...Array.from({ length: 120 }, (_, at) => drop(`r${at}`, `${'t'.repeat(60)}${at}`)),
    says('done'),
  ];
  const { session } = asking(replies, {
    policy: { restart: 'ask', drop: 'deny' },
    specs: { restart: { effect: 'once' }, drop: { effect: 'once' } },
    settings: { loop: { maxTurns: 0, stop: 0 } },
  });
  let stored = 0;
  session.onChange = () => {
    session.decisions = 0;
    stored = Math.max(stored, jsonBytes(session.state.run?.denied ?? []));
  };
  await waits(session, 'a');
  session.send('resolveApproval', { id: 'a', approve: false, actor: 'tester', reason: 'no' });
  await idle(session);
  expect(results(session)[121]).toMatch(/^Not asked again: tester denied it/);
  expect(stored).toBeLessThan(8 * 1024);
});
