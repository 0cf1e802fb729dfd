// Remembered approvals: they answer calls that would ask, never more than the person meant, until they are taken back.
import { expect, test } from 'vitest';
import { toolCallsOf } from '@holdfast/vocabulary/messages';
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import type { PreparedCall } from '@holdfast/vocabulary/tool-spec';
import { agentDefaults } from '@holdfast/vocabulary/agent-spec';
import { forkCheckpoint } from '../../../src/core/checkpoint/fork-checkpoint.ts';
import { toImportedState } from '../../../src/core/checkpoint/import-checkpoint.ts';
import { withRecords } from '../../../src/core/checkpoint/checkpoint.ts';
import { queryRules } from '../../../src/core/session/queries.ts';
import { calls, inTurn, says } from '../../support/memory-model.ts';
import { MemorySession, type MemoryModel, type MemoryOptions } from '../../support/memory-session.ts';
import { resultTexts } from '../../support/result-texts.ts';

const approvedBy: (string | undefined)[] = [];

function options(model: MemoryModel, more: Partial<MemoryOptions> = {}): MemoryOptions {
  approvedBy.length = 0;
  const change = (call: { approvedBy?: string }): string => {
    approvedBy.push(call.approvedBy);
    return 'changed';
  };
  return {
    model,
    policy: { change: 'ask', other: 'ask' },
    keepAlive: true,
    ...more,
    tools: { change, other: change },
  };
}

const change = (id: string, target: string, tool = 'change') => `${id}:${tool}:${JSON.stringify({ target })}`;

/** Runs until the session rests; answers each call that asks, and gives the ids of those. */
async function run(session: MemorySession, answer: object = {}): Promise<string[]> {
  const asked: string[] = [];
  session.onChange = () => {
    const id = session.approvals.find((waiting) => !asked.includes(waiting));
    if (id === undefined) return;
    asked.push(id);
    const request = session.send('resolveApproval', { id, approve: true, actor: 'kim', ...answer });
    if (!request.ok) session.send('resolveApproval', { id, approve: false, actor: request.reason });
  };
  await rest(session);
  return asked;
}

const running = new Set<MemorySession>();

async function rest(session: MemorySession): Promise<void> {
  session.prompt('go');
  if (!running.has(session)) void session.run();
  running.add(session);
  await session.until(() => !session.busy);
}

function results(session: MemorySession): string[] {
  return resultTexts(session.state.log.records);
}

test('[MODE-09gh] an approval for the session answers the same call again, and no other; the record names who gave it', async () => {
  const model = inTurn(
    calls(change('a', 'x')),
    calls(change('b', 'x')),
    calls(change('c', 'y')),
    calls(change('d', 'x', 'other')),
    says('ok'),
  );
  const session = new MemorySession(options(model));
  expect(await run(session, { remember: 'call' })).toEqual(['a', 'c', 'd']);
  expect(approvedBy).toEqual(['kim', 'kim (allowance-1)', 'kim', 'kim']);
  expect(session.snapshot.allowances).toMatchObject([
    { id: 'allowance-1', tool: 'change', scope: 'call', argsDigest: '{"target":"x"}', by: 'kim', at: 0 },
    { id: 'allowance-2', tool: 'change', scope: 'call', argsDigest: '{"target":"y"}' },
    { id: 'allowance-3', tool: 'other', scope: 'call' },
  ]);
  const resolved = session.events('approval_resolved');
  expect(resolved.slice(0, 2)).toMatchObject([
    { callId: 'a', approved: true, actor: 'kim', allowance: 'allowance-1', remember: 'call' },
    { callId: 'b', approved: true, actor: 'kim', allowance: 'allowance-1' },
  ]);
  expect(resolved[1]).not.toHaveProperty('remember');
});

test('[EVENT-01b] one for the tool answers every call of it, also in a later run and after a hand-over, until it is taken back', async () => {
  const first = new MemorySession(
    options(inTurn(calls(change('a', 'x'), change('b', 'x', 'other')), says('ok'))),
  );
  expect(await run(first, { remember: 'tool' })).toEqual(['a', 'b']);
  const model = inTurn(
    calls(change('c', 'y')),
    says('ok'),
    calls(change('d', 'z'), change('e', 'z', 'other')),
    says('ok'),
  );
  const next = new MemorySession(options(model), first.carry());
  expect(await run(next)).toEqual([]);
  expect(approvedBy).toEqual(['kim (allowance-1)']);
  expect(next.send('forgetAllowance', { id: 'allowance-1', actor: 'lee' })).toMatchObject({ ok: true });
  expect(next.events('allowance_forgotten')).toMatchObject([
    { allowance: 'allowance-1', tool: 'change', actor: 'lee' },
  ]);
  expect(await run(next)).toEqual(['d']);
  // the one that does not wait runs first
  expect(approvedBy).toEqual(['kim (allowance-1)', 'kim (allowance-2)', 'kim']);
  expect(next.snapshot.allowances).toMatchObject([{ id: 'allowance-2', tool: 'other' }]);
  // ids are not used again
  const again = new MemorySession(options(inTurn(calls(change('f', 'z')), says('ok'))), next.carry());
  expect(await run(again, { remember: 'call' })).toEqual(['f']);
  expect(again.snapshot.allowances.map(({ id }) => id)).toEqual(['allowance-2', 'allowance-3']);
});

test('a denial of the policy stays one, and what was denied by a person in this run is not asked again', async () => {
  const decisions = new Map([['c', 'deny']]);
  const prepare = async (message: AssistantMessage): Promise<PreparedCall[]> =>
    toolCallsOf(message).map(({ callId, arguments: argsDigest }) => ({
      status: 'ready',
      callId,
      effect: 'once',
      argsDigest,
      summary: 'change',
      decision: decisions.get(callId) === 'deny' ? 'deny' : 'ask',
      reason: 'by rule',
    }));
  const model = inTurn(
    calls(change('a', 'x')),
    calls(change('b', 'y')),
    calls(change('c', 'y'), change('d', 'x')),
    says('ok'),
  );
  const session = new MemorySession(options(model, { prepare }));
  session.onChange = () => {
    if (session.approvals.includes('a'))
      session.send('resolveApproval', { id: 'a', approve: false, actor: 'kim', reason: 'not x' });
    if (session.approvals.includes('b'))
      session.send('resolveApproval', { id: 'b', approve: true, actor: 'kim', remember: 'tool' });
  };
  await rest(session);
  expect(results(session)).toEqual([
    'Denied: not x',
    'changed',
    'Denied: by rule',
    expect.stringMatching(/^Not asked again: kim denied it at /),
  ]);
});

test('[MODE-09h] a call whose tool names its actions is remembered as that call only, while it would do the same and rests on the same', async () => {
  const facts: Record<string, { actionsDigest?: string; basis?: string }> = {
    a: { actionsDigest: 'one', basis: 'file-1' },
    b: { actionsDigest: 'one', basis: 'file-1' },
    c: { actionsDigest: 'two', basis: 'file-1' },
    d: { actionsDigest: 'one', basis: 'file-2' },
    e: { basis: 'file-1' },
  };
  const prepare = async (message: AssistantMessage): Promise<PreparedCall[]> =>
    toolCallsOf(message).map(({ callId, arguments: argsDigest }) => ({
      status: 'ready',
      callId,
      effect: 'once',
      decision: 'ask',
      argsDigest,
      summary: 'change',
      ...facts[callId],
    }));
  const model = (last: string) =>
    inTurn(...['a', 'b', 'c', 'd'].map((id) => calls(change(id, 'x'))), calls(change('e', last)), says('ok'));
  const wide = new MemorySession(options(model('y'), { prepare }));
  await run(wide, { remember: 'tool' });
  expect(results(wide)[0]).toMatch(/change says of each call what it does/);
  // one call of the tool named nothing: it may be remembered for those that name nothing
  expect(wide.snapshot.allowances).toMatchObject([{ scope: 'tool' }]);
  const session = new MemorySession(options(model('x'), { prepare }));
  session.onChange = () => {
    expect(session.snapshot.approvals.every(({ rememberable }) => rememberable.includes('call'))).toBe(true);
  };
  expect(await run(session, { remember: 'call' })).toEqual(['a', 'c', 'd', 'e']);
  expect(session.snapshot.allowances).toHaveLength(4);
});

test('[MODE-09h] of a tool that names actions in some calls, an approval for the tool covers those without only', async () => {
  const prepare = async (message: AssistantMessage): Promise<PreparedCall[]> =>
    toolCallsOf(message).map(({ callId, arguments: argsDigest }) => ({
      status: 'ready',
      callId,
      effect: 'once',
      decision: 'ask',
      argsDigest,
      summary: 'change',
      ...(callId === 'c' ? { actionsDigest: 'rm' } : {}),
    }));
  const model = inTurn(calls(change('a', 'x')), calls(change('b', 'y')), calls(change('c', 'z')), says('ok'));
  const session = new MemorySession(options(model, { prepare }));
  expect(await run(session, { remember: 'tool' })).toEqual(['a', 'c']);
});

test('[MODE-09h] a call that asks for another reason than the approved one asks', async () => {
  const reasons: Record<string, string> = { a: 'it changes', b: 'it changes', c: 'the run has read secrets' };
  const prepare = async (message: AssistantMessage): Promise<PreparedCall[]> =>
    toolCallsOf(message).map(({ callId, arguments: argsDigest }) => ({
      status: 'ready',
      callId,
      effect: 'once',
      decision: 'ask',
      argsDigest,
      summary: 'change',
      reason: reasons[callId] ?? '',
    }));
  const model = inTurn(...['a', 'b', 'c'].map((id) => calls(change(id, 'x'))), says('ok'));
  const session = new MemorySession(options(model, { prepare }));
  expect(await run(session, { remember: 'tool' })).toEqual(['a', 'c']);
});

test('a fork and an import have none of them', async () => {
  const session = new MemorySession(options(inTurn(calls(change('a', 'x')), says('ok'))));
  await run(session, { remember: 'tool' });
  expect(session.snapshot.allowances).toHaveLength(1);
  const { records } = session.state.log;
  const checkpoint = withRecords(queryRules.checkpoint(session.session), records);
  expect(JSON.stringify(checkpoint)).not.toContain('allowance');
  const fork = forkCheckpoint(checkpoint, { atTurn: 1 });
  const imported = toImportedState(checkpoint, records, {
    sessionId: 'other',
    now: 0,
    hasPrompt: true,
    keepAlive: true,
    resumeFailed: false,
  });
  expect([fork.ok, imported.ok]).toEqual([true, true]);
  expect(JSON.stringify([fork, imported])).not.toContain('allowance');
});

test('no more than 100 are held: another one is refused with the reason', async () => {
  const ids = Array.from({ length: 101 }, (_, index) => `c${index}`);
  const model = inTurn(...ids.map((id) => calls(change(id, id))), says('ok'));
  const session = new MemorySession(
    options(model, { settings: { approvals: { perHour: 200 }, loop: { maxTurns: 0, stop: 0, warn: 0 } } }),
  );
  await run(session, { remember: 'call' });
  expect(session.snapshot.allowances).toHaveLength(100);
  expect(session.events('approval_resolved').at(-1)).toMatchObject({
    approved: false,
    actor: expect.stringContaining('100 approvals are remembered'),
  });
});

test('[MODE-10c] people are asked for no more approvals than so many in an hour; a further call does not run', async () => {
  const model = inTurn(...['a', 'b', 'c'].map((id) => calls(change(id, id))), says('ok'));
  const session = new MemorySession(options(model, { settings: { approvals: { perHour: 2 } } }));
  expect(await run(session)).toEqual(['a', 'b']);
  expect(results(session)).toEqual([
    'changed',
    'changed',
    expect.stringMatching(/^Not run: the limit of 2 approvals in an hour is reached\. This is no denial\./),
  ]);
  expect(agentDefaults.approvals.perHour).toBe(10);
});
