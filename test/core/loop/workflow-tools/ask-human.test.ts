// ask_human: the words of a person become the result of the call; silence and a stop do too, and say so.
import { expect, test } from 'vitest';
import { textOf } from '@holdfast/vocabulary/messages';
import { calls, inTurn, says } from '../../../support/memory-model.ts';
import { MemorySession, type MemoryModel, type MemoryOptions } from '../../../support/memory-session.ts';

const ask = (id: string, question: string, options?: string[]) =>
  `${id}:ask_human:${JSON.stringify({ question, options })}`;

async function asking(
  model: MemoryModel,
  count = 1,
  more: Partial<MemoryOptions> = {},
): Promise<MemorySession> {
  const specs = { ask_human: { runsIn: 'workflow' } } as const;
  const session = new MemorySession({ model, specs, keepAlive: true, ...more });
  session.prompt('go');
  void session.run();
  await session.until(() => session.snapshot.questions.length === count);
  return session;
}

function results(session: MemorySession): [text: string, isError: boolean, details: unknown][] {
  return session.state.log.records.flatMap((record) =>
    record.role === 'tool_result' ? [[textOf(record), record.isError, record.details]] : [],
  );
}

const idle = (session: MemorySession) => session.until(() => !session.busy);

test('[MODE-11ab] [TOOL-17] [EVENT-01b] questions wait side by side, each gets its answer in any order, and nothing else runs for them', async () => {
  const model = inTurn(calls(ask('a', 'On purpose?', ['yes', 'no']), ask('b', 'Since when?')), says('ok'));
  const session = await asking(model, 2);
  expect(session.snapshot).toMatchObject({
    waitingFor: 'question',
    questions: [
      {
        id: 'a',
        question: 'On purpose?',
        options: ['yes', 'no'],
        turn: 1,
        requestedAt: 0,
        deadline: 300_000,
      },
      { id: 'b', question: 'Since when?' },
    ],
  });
  expect(session.send('answerQuestion', { id: 'b', text: 'noon', actor: 'lee' }).ok).toBe(true);
  expect(session.send('answerQuestion', 'b', 'one')).toMatchObject({
    code: 'NotPending',
    reason: 'Answer to question b refused: it was answered by lee at 1970-01-01 00:00:00 UTC. Waiting: a.',
  });
  session.steer('s1', 'yes');
  expect(session.snapshot.questions).toHaveLength(1);
  session.send('answerQuestion', 'a', 'in part: see d-5', 'kim');
  await idle(session);
  expect(results(session)).toEqual([
    ['in part: see d-5', false, { answeredBy: 'kim' }],
    ['noon', false, { answeredBy: 'lee' }],
  ]);
  expect(session.ran).toEqual([]);
  expect(session.events('question_asked', 'question_answered')).toMatchObject([
    { callId: 'a', question: 'On purpose?', options: ['yes', 'no'], deadline: 300_000 },
    { callId: 'b', question: 'Since when?' },
    { callId: 'b', actor: 'lee', text: 'noon' },
    { callId: 'a', actor: 'kim', text: 'in part: see d-5' },
  ]);
});

test.each(['abort', 'interrupt'])(
  '[MODE-11b] %s ends the wait, and an answer comes too late then',
  async (how) => {
    const session = await asking(inTurn(calls(ask('a', 'On purpose?')), says('ok')));
    if (how === 'abort') session.send('abort');
    else session.steer('s1', 'Never mind.', 'interrupt');
    await idle(session);
    const what = how === 'abort' ? 'the run was aborted' : 'a message interrupted the run';
    const text = `No answer: nobody answered before ${what} at 1970-01-01 00:00:00 UTC.`;
    expect(results(session)).toEqual([[text, true, undefined]]);
    expect(session.events('question_answered')).toMatchObject([{ callId: 'a', actor: 'stop' }]);
    expect(session.send('answerQuestion', 'a', 'yes')).toMatchObject({
      reason: expect.stringMatching(/it was closed: (the run was aborted|a message interrupted the run) at /),
    });
  },
);

test('[MODE-11b] people are asked no more than so often in an hour', async () => {
  const model = inTurn(calls(ask('a', 'One?'), ask('b', 'Two?'), ask('c', 'Three?')), says('ok'));
  const session = await asking(model, 2, { settings: { approvals: { perHour: 2 } } });
  for (const id of ['a', 'b']) session.send('answerQuestion', id, 'yes');
  await idle(session);
  expect(results(session)[2]).toEqual([
    expect.stringMatching(/^No answer: the limit of 2 questions in an hour is reached\. Continue without it/),
    true,
    undefined,
  ]);
});

test('[MODE-11a] a question without words is no question', async () => {
  const session = await asking(inTurn(calls(ask('a', ' ')), says('ok')), 0);
  await idle(session);
  expect(results(session)).toEqual([['Nothing was asked: expected {question, options?}.', true, undefined]]);
});
