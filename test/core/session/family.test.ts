// What waits for people in the subagents of a session, seen and answered at the top: sessions that send to each other, without
// any loop.
import { expect, test } from 'vitest';
import type { BatchCall } from '@holdfast/vocabulary/agent-state';
import type { RequestName } from '../../../src/core/session/requests.ts';
import { approvesUnseen } from '../../../src/core/session/answers.ts';
import { queryRules } from '../../../src/core/session/queries.ts';
import { carryOut, requests, takeSignal } from '../../../src/core/session/requests.ts';
import { Session } from '../../../src/core/session/session.ts';
import { childUpdateBytes, jsonBytes } from '@holdfast/base/sizes';
import type { ChildUpdate } from '@holdfast/vocabulary/child-update';

type Sent = { to: string; signal: string; payload: unknown };

/** Sessions of one process; what is sent arrives at once, and is kept. */
class Family {
  readonly sessions = new Map<string, Session>();
  readonly sent: Sent[] = [];
  now = 0;

  open(id: string, parent?: string): Session {
    const name = id.split('/').at(-1) ?? '';
    const within = { mode: 'act' as const, budget: {} };
    const link = { sessionId: parent ?? '', name, depth: 1, parent: '', callId: 'd', within };
    const session: Session = new Session(parent === undefined ? {} : { parent: link }, {
      id,
      executionId: id,
      now: () => this.now,
      changed: () => undefined,
      stop: () => undefined,
      send: async (to, signal, payload) => {
        this.sent.push({ to, signal, payload });
        const target = this.sessions.get(to);
        if (target) takeSignal(target, signal as RequestName, payload === undefined ? [] : [payload]);
        return target !== undefined;
      },
    });
    this.sessions.set(id, session);
    const child = { id, name, agent: name, prefix: '🤖', depth: 1, task: 't', callId: 'd', index: 0 };
    if (parent !== undefined) this.get(parent).record({ type: 'child_started', child, parent: '' });
    return session;
  }

  get(id: string): Session {
    const session = this.sessions.get(id);
    if (!session) throw new Error(`no ${id}`);
    return session;
  }

  to(id: string): Sent[] {
    return this.sent.filter(({ to }) => to === id);
  }
}

function entry(callId: string, args = '{"of":"x"}'): BatchCall {
  return {
    call: { type: 'tool_call', callId, name: 'change', arguments: args },
    prepared: {
      status: 'ready',
      callId,
      effect: 'once',
      decision: 'ask',
      argsDigest: `digest of ${callId}`,
      summary: `change ${callId}`,
    },
    started: false,
  };
}

/** A session sends its next report when the one before has arrived. */
const arrived = () => new Promise((resolve) => setImmediate(resolve));

function ask(session: Session, callId: string, args?: string, more: object = {}) {
  const { prepared, ...rest } = entry(callId, args);
  const asked = session.approvals.ask({ ...rest, prepared: { ...prepared, ...more } }, wait, 100);
  session.changed();
  if (!asked) throw new Error('not asked');
  return asked;
}

const wait = { turn: 1, requestedAt: 0, deadline: 9 };
const resolve = (session: Session, answer: object) =>
  carryOut(session, requests.resolveApproval(session, answer));

function threeLevels() {
  const family = new Family();
  const top = family.open('top');
  const middle = family.open('top/a', 'top');
  const leaf = family.open('top/a/b', 'top/a');
  return { family, top, middle, leaf };
}

test('[MODE-09a] an approval of a subagent waits at every session above it, and its answer goes down to it', () => {
  const { family, top, middle, leaf } = threeLevels();
  const asked = ask(leaf, 'c1');
  expect(queryRules.pendingApprovals(middle)).toMatchObject([
    { id: 'b/c1', child: { name: 'b', sessionId: 'top/a/b' } },
  ]);
  expect(queryRules.pendingApprovals(top)).toEqual([
    { ...asked.pending, id: 'a/b/c1', child: { name: 'a/b', sessionId: 'top/a/b' } },
  ]);
  expect(queryRules.snapshot(top)).toMatchObject({ waitingFor: 'approval', waitingReason: 'a: b' });
  const answer = { id: 'a/b/c1', approve: true, actor: 'kim', reason: 'ok', argsDigest: 'digest of c1' };
  expect(resolve(top, answer)).toEqual({ ok: true, value: { approved: true } });
  const { id: _, ...rest } = answer;
  expect(asked.answer).toEqual(rest);
  expect([queryRules.pendingApprovals(top), queryRules.pendingApprovals(middle)]).toEqual([[], []]);
  expect([top.waitingFor, middle.waitingFor, leaf.waitingFor]).not.toContain('approval');
  expect(family.to('top/a/b')).toEqual([
    { to: 'top/a/b', signal: 'resolveApproval', payload: { ...rest, id: 'c1' } },
  ]);
});

test('[MODE-09f] answers that a subagent could not take are refused at the top, before anything is sent', () => {
  const { family, top, leaf } = threeLevels();
  ask(leaf, 'c1');
  const sent = family.sent.length;
  const yes = { approve: true, actor: 'kim' };
  expect(resolve(top, { ...yes, id: 'a/b/other' })).toMatchObject({
    code: 'NotPending',
    reason: expect.stringContaining('In subagents: a/b/c1.'),
  });
  expect(resolve(top, { ...yes, id: 'a/b/c1', argsDigest: 'of what was before' })).toMatchObject({
    reason: expect.stringContaining('other arguments'),
  });
  expect(family.sent).toHaveLength(sent);
  resolve(top, { ...yes, id: 'a/b/c1' });
  expect(resolve(top, { ...yes, id: 'a/b/c1', actor: 'lee' })).toMatchObject({
    code: 'NotPending',
    reason: expect.stringContaining('approved by kim'),
  });
});

test.each(['', 'a/b/'])(
  '[MODE-09o] an answer of the other kind is told what waits under the id, and how it is answered (%j)',
  async (path) => {
    const { top, leaf } = threeLevels();
    const session = path === '' ? leaf : top;
    ask(leaf, 'c1');
    leaf.questions.ask({ id: 'q1', question: 'Which?', ...wait }, 10);
    leaf.changed();
    await arrived();
    expect(resolve(session, { id: `${path}q1`, approve: true, actor: 'kim', argsDigest: '' })).toMatchObject({
      code: 'IsQuestion',
      reason: expect.stringMatching(/q1 is a question of the agent.*"holdfast answer".*\/answer/),
    });
    expect(requests.answerQuestion(session, `${path}c1`, 'yes', 'kim')).toMatchObject({
      code: 'IsApproval',
      reason: expect.stringMatching(/c1 is a call that waits for approval.*"holdfast approve".*\/approve/),
    });
  },
);

test.each(['', 'a/b/'])(
  '[MODE-09p] the id that the Temporal UI shows names the call and the arguments that were seen (%j)',
  async (path) => {
    const { top, leaf } = threeLevels();
    const session = path === '' ? leaf : top;
    const digest = '0123456789abcdef'.repeat(2);
    ask(leaf, 'c1', undefined, { argsDigest: digest });
    const yes = { approve: true, actor: 'kim' };
    const other = { ...yes, id: `${path}c1@${'f'.repeat(16)}` };
    expect(resolve(session, other)).toMatchObject({ reason: expect.stringContaining('other arguments') });
    expect(resolve(session, { ...yes, id: `${path}c1`, argsDigest: '' }).ok).toBe(false);
    expect(resolve(session, { ...yes, id: `${path}c1`, argsDigest: digest.slice(0, 15) }).ok).toBe(false);
    const shown = `${path}c1@${digest.slice(0, 16)}`;
    expect(approvesUnseen({ ...yes, id: shown })).toBe(false);
    expect(approvesUnseen({ ...yes, id: `${path}c1` })).toBe(true);
    expect(resolve(session, { ...yes, id: shown })).toEqual({ ok: true, value: { approved: true } });
    await arrived();
    expect(queryRules.pendingApprovals(top)).toEqual([]);
  },
);

test.each(['', 'a/b/'])(
  '[MODE-09q] what cannot be remembered is refused with that reason (%j)',
  async (path) => {
    const { top, leaf } = threeLevels();
    ask(leaf, 'c1', undefined, { actionsDigest: 'of restart' });
    const answer = { id: `${path}c1`, approve: true, actor: 'kim', remember: 'tool' };
    expect(resolve(path === '' ? leaf : top, answer)).toMatchObject({
      code: 'NotRememberable',
      reason: expect.stringContaining('remember this call'),
    });
  },
);

test('[MODE-09f] an answer that came too late is refused by the subagent, which says again what waits', async () => {
  const family = new Family();
  const top = family.open('top');
  const child = family.open('top/a', 'top');
  const asked = ask(child, 'c1');
  ask(child, 'c2');
  await arrived();
  // the deadline of the first one has passed, and the top has not heard of it
  child.approvals.settle(asked, 'nobody answered until noon');
  expect(resolve(top, { id: 'a/c1', approve: true, actor: 'kim' }).ok).toBe(true);
  expect(child.events.page(0).events.at(-1)).toMatchObject({
    type: 'warning',
    code: 'Message.NotPending',
    message: expect.stringContaining('it was closed: nobody answered until noon'),
  });
  await arrived();
  expect(top.allApprovals.map(({ id }) => id)).toEqual(['a/c2']);
});

test('[MODE-22d] what waits in a subagent ends with the run of its session, and a late answer at the top is told when it ended', async () => {
  const family = new Family();
  const top = family.open('top');
  const child = family.open('top/a', 'top');
  const first = ask(child, 'c1');
  ask(child, 'c2');
  await arrived();
  top.input = { ...top.input, deadlineAt: 5 };
  top.record({ type: 'run_accepted', messages: [], polled: false, continued: false });
  expect(top.allApprovals.map(({ deadline }) => deadline)).toEqual([5, 5]);
  family.now = 9;
  child.approvals.settle(first, 'nobody answered');
  child.changed();
  await arrived();
  expect(resolve(top, { id: 'a/c1', approve: true, actor: 'kim' })).toMatchObject({
    reason: 'Approval for call a/c1 refused: it was open until 1970-01-01 00:00:00 UTC, in a.',
  });
  family.now = 3;
  top.childWaits.forget('top/a', 3);
  expect(resolve(top, { id: 'a/c2', approve: true, actor: 'kim' })).toMatchObject({
    reason: expect.stringContaining('it was closed at 1970-01-01 00:00:00 UTC, in a'),
  });
});

test('[MODE-11ab] a question of a subagent is answered at the top, in the words and by the name of who answers', () => {
  const { top, leaf } = threeLevels();
  const question = { id: 'q1', question: 'Which one?', ...wait };
  const asked = leaf.questions.ask(question, 10);
  leaf.changed();
  expect(queryRules.snapshot(top)).toMatchObject({
    waitingFor: 'question',
    questions: [{ id: 'a/b/q1', question: 'Which one?' }],
  });
  const answer = requests.answerQuestion(top, 'a/b/q1', 'the first', 'kim');
  expect(carryOut(top, answer)).toEqual({ ok: true, value: { answered: 'a/b/q1' } });
  expect(asked?.answer).toEqual({ text: 'the first', actor: 'kim' });
  expect(requests.answerQuestion(top, 'a/b/q1', 'no, the other', 'lee')).toMatchObject({
    code: 'NotPending',
    reason: expect.stringContaining('answered by kim'),
  });
});

test('[STATE-14b] a subagent that waits for an operator is named at the top, and resume there reaches it', () => {
  const { top, leaf } = threeLevels();
  leaf.operatorReason = 'no credit left';
  leaf.changed();
  expect(top).toMatchObject({ waitingFor: 'operator', waitingReason: 'a: b: no credit left' });
  carryOut(top, requests.resume(top));
  expect(leaf.inbox.resume).toBe(true);
});

test('only what waits is told, and only when it changes', () => {
  const { family, top, leaf } = threeLevels();
  leaf.announce({ type: 'warning', code: 'x', message: 'y' });
  leaf.announce({ type: 'turn_start' });
  expect(family.sent).toEqual([]);
  ask(leaf, 'c1');
  leaf.announce({ type: 'turn_start' });
  expect(family.sent.map(({ to, signal }) => [to, signal])).toEqual([
    ['top/a', 'childUpdate'],
    ['top', 'childUpdate'],
  ]);
  // it is gone, with whatever waited in it
  const end = { status: 'aborted' as const, usage: {}, costUsd: 0, toolCalls: 0, result: { agent: 'a' } };
  top.record({ type: 'run_accepted', messages: [], polled: false, continued: false });
  top.record({ type: 'child_ended', childId: 'top/a', parent: '', ...end });
  expect(top.allApprovals).toEqual([]);
});

test('[CALL-03b] reports are sent one at a time, so that none overtakes another', async () => {
  const sent: ChildUpdate[] = [];
  const arrivals: (() => void)[] = [];
  const session = new Session(
    { notify: { workflowId: 'caller', signal: 'news' } },
    {
      id: 'one',
      executionId: 'one',
      now: () => 0,
      changed: () => undefined,
      stop: () => undefined,
      send: (_to, _signal, payload) => {
        sent.push(payload as ChildUpdate);
        return new Promise((resolve) => arrivals.push(() => resolve(true)));
      },
    },
  );
  const waiting = () => sent.map(({ approvals }) => approvals.map(({ id }) => id));
  ask(session, 'c1');
  ask(session, 'c2');
  await arrived();
  expect(waiting()).toEqual([['c1']]);
  expect(session.sending.isBusy).toBe(true);
  arrivals.shift()?.();
  await arrived();
  expect(waiting()).toEqual([['c1'], ['c1', 'c2']]);
  arrivals.shift()?.();
  await arrived();
  expect(session.sending.isBusy).toBe(false);
});

test('a signal of one that is no subagent here, or of a former one, is refused', () => {
  const { top } = threeLevels();
  const update: ChildUpdate = { name: 'a', sessionId: 'elsewhere', approvals: [], questions: [] };
  expect(requests.childUpdate(top, update)).toMatchObject({ code: 'NoSuchSubagent' });
  expect(requests.childUpdate(top, { ...update, approvals: [{ id: 1 }] })).toMatchObject({
    code: 'InvalidChildUpdate',
  });
  expect(requests.childUpdate(top, undefined)).toMatchObject({ code: 'InvalidChildUpdate' });
});

test('[MODE-09f] a report that overtook an answer shows the call again; the first answer counts, and the next report ends it', async () => {
  const family = new Family();
  const top = family.open('top');
  const child = family.open('top/a', 'top');
  const asked = ask(child, 'c1');
  const [{ payload: before } = {}] = family.to('top');
  resolve(top, { id: 'a/c1', approve: true, actor: 'kim' });
  takeSignal(top, 'childUpdate', [before]);
  expect(top.allApprovals.map(({ id }) => id)).toEqual(['a/c1']);
  resolve(top, { id: 'a/c1', approve: false, actor: 'lee' });
  expect(asked.answer).toMatchObject({ approve: true, actor: 'kim' });
  takeSignal(top, 'childUpdate', [before]);
  child.approvals.settle(asked);
  child.changed();
  const next = ask(child, 'c2');
  await arrived();
  expect(top.allApprovals.map(({ id }) => id)).toEqual(['a/c2']);
  resolve(top, { id: 'a/c2', approve: true, actor: 'kim' });
  expect(next.answer).toMatchObject({ approve: true });
});

test('a report that comes after the result of its subagent changes nothing, and is a warning', () => {
  const family = new Family();
  const top = family.open('top');
  const child = family.open('top/a', 'top');
  ask(child, 'c1');
  const [{ payload: late } = {}] = family.to('top');
  top.record({ type: 'run_accepted', messages: [], polled: false, continued: false });
  const end = { status: 'completed' as const, usage: {}, costUsd: 0, toolCalls: 0, result: { agent: 'a' } };
  top.record({ type: 'child_ended', childId: 'top/a', parent: '', ...end });
  const { state, waitingFor } = top;
  takeSignal(top, 'childUpdate', [late]);
  expect(top.allApprovals).toEqual([]);
  expect([top.state.children, top.waitingFor]).toEqual([state.children, waitingFor]);
  expect(top.events.page(0).events.at(-1)).toMatchObject({
    type: 'warning',
    code: 'Message.NoSuchSubagent',
    message: expect.stringContaining('a is no subagent of this session that runs'),
  });
});

test('[MODE-09h] what does not fit into a signal is cut, and can be denied but not approved at the top', async () => {
  const family = new Family();
  const top = family.open('top');
  const child = family.open('top/a', 'top');
  const short = ask(child, 'short');
  const long = ask(child, 'long', JSON.stringify({ of: 'x'.repeat(80 * 1024) }));
  await arrived();
  for (const { payload } of family.sent) expect(jsonBytes(payload)).toBeLessThanOrEqual(childUpdateBytes);
  expect(top.allApprovals).toMatchObject([{ id: 'a/short' }, { id: 'a/long', isCut: true }]);
  expect(top.allApprovals[0]?.isCut).toBeUndefined();
  expect(resolve(top, { id: 'a/long', approve: true, actor: 'kim' })).toMatchObject({
    code: 'NotShown',
    reason: expect.stringContaining('Open session top/a.'),
  });
  expect(long.answer).toBeUndefined();
  resolve(top, { id: 'a/long', approve: false, actor: 'kim' });
  expect(long.answer).toMatchObject({ approve: false, actor: 'kim' });
  for (let more = 0; more < 60; more++) ask(child, `many-${more}`, JSON.stringify({ of: 'y'.repeat(4_000) }));
  await arrived();
  for (const { payload } of family.sent) expect(jsonBytes(payload)).toBeLessThanOrEqual(childUpdateBytes);
  const shown = top.allApprovals.length;
  expect(shown).toBeLessThan(60);
  resolve(top, { id: 'a/short', approve: true, actor: 'kim' });
  expect(short.answer).toMatchObject({ approve: true });
  // as soon as it is settled there is room for the next one
  child.approvals.settle(short);
  child.changed();
  await arrived();
  expect(top.allApprovals.map(({ id }) => id)).toContain('a/many-0');
});

test('[QUEUE-07a] [QUEUE-18a] a message for a subagent is passed on once, under its own id, at every level', async () => {
  const { family, top, middle, leaf } = threeLevels();
  const message = { id: 'm1', message: 'look at the pool', mode: 'interrupt', to: 'a/b' };
  for (let sent = 0; sent < 3; sent++) takeSignal(top, 'steer', [message]);
  expect(top.inbox.receipt('m1')).toMatchObject({ state: 'forwarded', to: 'a/b' });
  expect(middle.inbox.receipt('m1')).toMatchObject({ state: 'forwarded', to: 'b' });
  expect(leaf.inbox.receipt('m1')).toMatchObject({ state: 'queued' });
  expect(family.to('top/a/b')).toHaveLength(1);
  expect(top.inbox.waiting('steering')).toBe(0);
  takeSignal(top, 'steer', [{ id: 'm2', message: 'for the first', to: 'a' }]);
  await arrived();
  expect(middle.inbox.ids('steering')).toEqual(['m2']);
});

test('[QUEUE-18a] a message for nobody is a warning that names who runs, and its id is not used up', async () => {
  const { family, top, leaf } = threeLevels();
  const warnings = (session: Session) =>
    session.events.page(0).events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
  takeSignal(top, 'steer', [{ id: 'm1', message: 'hello', to: 'nobody' }]);
  expect(warnings(top)).toEqual([expect.stringContaining('no subagent of that name runs; running: a')]);
  expect(top.inbox.receipt('m1')).toMatchObject({ state: 'refused', reason: 'NoSuchSubagent' });
  takeSignal(top, 'steer', [{ id: 'm1', message: 'hello', to: 'a/b' }]);
  expect(leaf.inbox.ids('steering')).toEqual(['m1']);
  // it ends before the signal reaches it
  family.sessions.delete('top/a');
  takeSignal(top, 'steer', [{ id: 'm2', message: 'hello', to: 'a' }]);
  await arrived();
  expect(top.inbox.receipt('m2')).toMatchObject({ state: 'undelivered' });
  expect(warnings(top).at(-1)).toMatch(/^Message m2 was not delivered/);
  expect(top.end().undelivered).toEqual(['m2']);
});

test('[QUEUE-15] [QUEUE-18a] a message that a subagent has not taken when it ends is undelivered at every level', () => {
  const { top, middle, leaf } = threeLevels();
  takeSignal(top, 'steer', [{ id: 'm1', message: 'too late', to: 'a/b' }]);
  const nothing = { status: 'completed' as const, usage: {}, costUsd: 0, toolCalls: 0, parent: '' };
  for (const session of [middle, top])
    session.record({ type: 'run_accepted', messages: [], polled: false, continued: false });
  const { undelivered: ofLeaf } = leaf.end();
  middle.record({
    type: 'child_ended',
    childId: leaf.id,
    ...nothing,
    result: { agent: 'b' },
    undelivered: ofLeaf,
  });
  const { undelivered: ofMiddle } = middle.end();
  top.record({
    type: 'child_ended',
    childId: middle.id,
    ...nothing,
    result: { agent: 'a' },
    undelivered: ofMiddle,
  });
  expect([ofLeaf, ofMiddle, top.end().undelivered]).toEqual([['m1'], ['m1'], ['m1']]);
  expect(top.inbox.receipt('m1')).toMatchObject({ state: 'undelivered' });
  expect(top.events.page(0).events.at(-1)).toMatchObject({ type: 'warning', code: 'Message.NotDelivered' });
});

test('[QUEUE-20cd] what a subagent has not read is said of a session that ends, with what waits in its own queues', async () => {
  const { family, top } = threeLevels();
  family.sessions.delete('top/a');
  takeSignal(top, 'steer', [{ id: 'm1', message: 'too late', to: 'a' }]);
  await arrived();
  takeSignal(top, 'steer', [{ id: 'm2', message: 'too late as well' }]);
  expect(top.unread).toMatch(/^No run has read 2 messages of people: .*fork top/);
  top.end();
  expect(top.unread).toMatch(/^No run has read 2 messages/);
});
