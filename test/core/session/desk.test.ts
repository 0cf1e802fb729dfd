// Several things that wait at once: each is answered once, in any order, and a late answer is told who was first.
import { expect, test } from 'vitest';
import { calls, inTurn, says } from '../../support/memory-model.ts';
import { MemorySession } from '../../support/memory-session.ts';
import { resultTexts } from '../../support/result-texts.ts';

const noon = Date.UTC(2026, 10, 22, 12);

function reasonOf(session: MemorySession, answer: object): string {
  const request = session.send('resolveApproval', answer);
  return request.ok ? 'accepted' : request.reason;
}

async function asking(session: MemorySession, count: number): Promise<void> {
  session.prompt('go');
  void session.run();
  await session.until(() => session.approvals.length === count);
}

test('[MODE-09ef] [FAULT-92] calls that wait together are answered in any order; wrong, late and second answers are refused with who answered and when', async () => {
  let now = noon;
  const session = new MemorySession({
    model: inTurn(calls('a', 'b', 'c'), says('ok')),
    tools: { echo: ({ callId }) => callId },
    policy: { echo: 'ask' },
    keepAlive: true,
    now: () => now,
  });
  await asking(session, 3);
  const answer = (id: string, approve = true, actor = 'kim') => reasonOf(session, { id, approve, actor });
  expect(answer('b')).toBe('accepted');
  now += 61_000;
  expect(answer('b', false, 'lee')).toBe(
    'Approval for call b refused: it was approved by kim at 2026-11-22 12:00:00 UTC. Waiting: a, c.',
  );
  expect(answer('d')).toBe('Approval for call d refused: nothing of that id waits. Waiting: a, c.');
  expect(reasonOf(session, { id: 'c', approve: false, actor: 'lee', reason: 'not now' })).toBe('accepted');
  expect(answer('a', true, 'ann')).toBe('accepted');
  await session.until(() => !session.busy);
  expect(answer('c')).toBe(
    'Approval for call c refused: it was denied by lee at 2026-11-22 12:01:01 UTC (not now). Waiting: none.',
  );
  // a hand-over does not forget them
  const next = new MemorySession({ model: inTurn(says('ok')), keepAlive: true }, session.carry());
  expect(reasonOf(next, { id: 'a', approve: true, actor: 'kim' })).toMatch(
    /it was approved by ann at 2026-11-22 12:01:01 UTC\. Waiting: none\.$/,
  );
  const texts = resultTexts(session.state.log.records);
  expect(texts).toEqual(['a', 'b', 'Denied: not now']);
});
