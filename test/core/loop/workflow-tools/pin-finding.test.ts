// pin_finding: what is pinned is state, and 8 KiB is the end of it.
import { expect, test } from 'vitest';
import { forkCheckpoint } from '../../../../src/core/checkpoint/fork-checkpoint.ts';
import { jsonBytes } from '@holdfast/base/sizes';
import { newAgentState } from '@holdfast/vocabulary/agent-state';
import { beginEpoch } from '@holdfast/view/log';
import { textOf } from '@holdfast/vocabulary/messages';
import { look } from '../../../support/condense-sessions.ts';
import { calls, inTurn, says } from '../../../support/memory-model.ts';
import { MemorySession, type MemoryModel } from '../../../support/memory-session.ts';
import { documentOf } from '../../../support/session-document.ts';
import { resultTexts } from '../../../support/result-texts.ts';

const specs = { pin_finding: { runsIn: 'workflow' } } as const;
const pin = (callId: string, text: string) => `${callId}:pin_finding:${JSON.stringify({ text })}`;

function session(model: MemoryModel): MemorySession {
  return new MemorySession({ model, specs });
}

function lastResults(of: MemorySession): string[] {
  return resultTexts(of.state.log.records);
}

test('[COND-23a] pinned findings are state with id, text and call id, in the order of the calls', async () => {
  const pinned = session(inTurn(calls(pin('a', 'Pool is 5.'), pin('b', 'Deploy at 12:03.')), says('ok')));
  await pinned.ask('go');
  expect(pinned.state.findings).toEqual([
    { id: 'finding-1', text: 'Pool is 5.', callId: 'a' },
    { id: 'finding-2', text: 'Deploy at 12:03.', callId: 'b' },
  ]);
  expect(lastResults(pinned)).toEqual([
    'Pinned as finding-1. 8182 of 8192 bytes are left for findings.',
    'Pinned as finding-2. 8166 of 8192 bytes are left for findings.',
  ]);
  expect(pinned.ran).toEqual([]);
});

test('[COND-23a] they outlive the run and a hand-over', async () => {
  const first = session(inTurn(calls(pin('a', 'Pool is 5.')), says('ok')));
  await first.ask('go');
  const next = new MemorySession(
    { model: inTurn(calls(pin('b', 'Pool was 50.')), says('ok')), specs },
    first.carry(),
  );
  await next.ask('and then?');
  expect(next.state.findings?.map(({ id, text }) => [id, text])).toEqual([
    ['finding-1', 'Pool is 5.'],
    ['finding-2', 'Pool was 50.'],
  ]);
});

test('[COND-23a] over 8 KiB in all nothing is stored, and the model reads how much is left; bytes count, not characters', async () => {
  const texts = ['ä'.repeat(4_000), 'x'.repeat(193), 'y'.repeat(192)];
  const full = session(inTurn(calls(...texts.map((text, index) => pin(`c${index}`, text))), says('ok')));
  await full.ask('go');
  expect(full.state.findings?.map(({ callId }) => callId)).toEqual(['c0', 'c2']);
  expect(lastResults(full)[1]).toBe(
    'Nothing was pinned: pinned findings hold 8192 bytes in all, 192 are left, and this one has 193. Say it in fewer words.',
  );
  expect(full.events('tool_execution_end').map(({ isError }) => isError)).toEqual([false, true, false]);
});

test('the same finding twice is one finding, and blank text is none', async () => {
  const twice = session(
    inTurn(calls(pin('a', 'Pool is 5.'), pin('b', ' Pool is 5. '), pin('c', ' ')), says('ok')),
  );
  await twice.ask('go');
  expect(twice.state.findings).toHaveLength(1);
  expect(lastResults(twice).slice(1)).toEqual([
    'This is pinned already, as finding-1.',
    'Nothing was pinned: expected {text} with the finding in it.',
  ]);
});

const replace = (callId: string, text: string, replaces: string) =>
  `${callId}:pin_finding:${JSON.stringify({ text, replaces })}`;

test('[COND-28a] a finding that replaces another takes it back: it stays with its id, and out of later heads', async () => {
  const corrected = session(
    inTurn(
      calls(
        pin('a', 'The disk of db-1 is full.'),
        replace('b', 'The disk of db-1 is NOT full.', 'finding-1'),
      ),
      calls(replace('c', 'It is db-2.', 'finding-9'), replace('d', 'It is db-2.', 'finding-1')),
      calls(replace('e', 'The disk of db-1 is NOT full.', 'finding-2')),
      says('ok'),
    ),
  );
  await corrected.ask('go');
  expect(corrected.state.findings).toEqual([
    { id: 'finding-3', text: 'The disk of db-1 is NOT full.', callId: 'e' },
  ]);
  expect(corrected.state.takenBack).toEqual([
    { id: 'finding-1', text: 'The disk of db-1 is full.', callId: 'a', by: 'finding-2' },
    { id: 'finding-2', text: 'The disk of db-1 is NOT full.', callId: 'b', by: 'finding-3' },
  ]);
  const unknown = (id: string) =>
    `Nothing was pinned: no finding is pinned as ${id}; pinned: finding-2 (The disk of db-1 is NOT full.).`;
  expect(lastResults(corrected).slice(1, 4)).toEqual([
    'Pinned as finding-2. finding-1 is taken back. 8163 of 8192 bytes are left for findings.',
    unknown('finding-9'),
    unknown('finding-1'),
  ]);
});

test('[COND-28a] a long finding that is taken back leaves its room to the correction', async () => {
  const full = session(
    inTurn(calls(pin('a', 'x'.repeat(8_000)), replace('b', 'y'.repeat(7_000), 'finding-1')), says('ok')),
  );
  await full.ask('go');
  expect(full.state.findings?.map(({ text }) => text.length)).toEqual([7_000]);
  expect(full.state.takenBack?.map(({ text }) => text.length)).toEqual([200]);
});

test('[COND-28b] a person takes a finding back: the model is told, and heads after a condense lack it', async () => {
  const facts = ['The disk of db-1 is full.', 'Deploy at 12:03.'];
  const pinned = new MemorySession({
    model: ({ input: { turn } }) => {
      if (turn === 1) return calls(...facts.map((text, at) => pin(`p${at}`, text)));
      return turn < 9 ? look(turn, turn === 6 ? 95_000 : 100) : says('Done.');
    },
    specs,
    tools: {
      look: ({ callId }) => {
        if (callId === 'c3')
          answers.push(pinned.send('takeBackFinding', { id: 'finding-1', actor: 'ann' }).ok);
        return 'ok';
      },
    },
    settings: { model: { contextWindow: 100_000 } },
  });
  const answers: boolean[] = [];
  await pinned.ask('go');
  expect(answers).toEqual([true]);
  const told = pinned.requests[3]?.messages.at(-1);
  expect(told && textOf(told)).toBe(
    'ann took finding-1 back, so it no longer holds: The disk of db-1 is full.',
  );
  const head = pinned.requests.at(-1)?.messages[0];
  const [, findings = ''] = head ? textOf(head).split('Pinned findings:') : [];
  expect(findings).toContain('finding-2 (call p1): Deploy at 12:03.');
  expect(findings).not.toContain('finding-1');
});

test('[COND-28d] a fork from before a replacement has the first finding again; one from after it has not', async () => {
  const corrected = session(
    inTurn(calls(pin('a', 'Full.')), calls(replace('b', 'NOT full.', 'finding-1')), says('ok')),
  );
  await corrected.ask('go');
  const document = documentOf(corrected);
  const at = (atTurn: number) => {
    const forked = forkCheckpoint(document, { atTurn });
    const { findings = [], takenBack = [] } = (forked.ok && forked.value.session?.state) || {};
    return [findings.map(({ id }) => id), takenBack.map(({ id }) => id)];
  };
  expect([at(1), at(2)]).toEqual([
    [['finding-1'], []],
    [['finding-2'], ['finding-1']],
  ]);
});

test('[COND-28b] an unknown finding is refused by name; one that is taken back while idle is told in the next run', async () => {
  const idle = new MemorySession({
    model: inTurn(calls(pin('a', 'Pool is 5.')), says('ok'), says('Later.'), says('Noted.')),
    specs,
    keepAlive: true,
  });
  await idle.ask('go');
  expect(idle.send('takeBackFinding', 'finding-7', { actor: 'ann' })).toMatchObject({
    code: 'NoSuchFinding',
    reason: 'no finding is pinned as finding-7; pinned: finding-1 (Pool is 5.).',
  });
  expect(idle.send('takeBackFinding', { id: 'finding-1' })).toMatchObject({ code: 'InvalidAnswer' });
  expect(idle.send('takeBackFinding', { id: 'finding-1', actor: 'ann' }).ok).toBe(true);
  expect(idle.busy).toBe(false);
  await idle.ask('And now?');
  const told = idle.requests[2]?.messages.map(textOf) ?? [];
  expect(told.at(-1)).toContain('ann took finding-1 back');
  expect(idle.state.takenBack).toMatchObject([{ id: 'finding-1', by: 'ann' }]);
});

test('[COND-28b] after a reset the ids begin again, and what is taken back then is told, too', async () => {
  const { session, takeBack } = takingBack(['Pool is 5.', 'Pool is 6.']);
  await session.ask('go');
  takeBack();
  await session.ask('And now?');
  session.send('reset');
  await session.ask('Look again.');
  takeBack();
  await session.ask('And now?');
  expect(session.requests.at(-1)?.messages.map(textOf).join()).toContain(
    'ann took finding-1 back, so it no longer holds: Pool is 6.',
  );
});

function takingBack(facts: string[]) {
  const replies = facts.flatMap((text, at) => [calls(pin(`p${at}`, text)), says('ok'), says('noted')]);
  const of: MemorySession = new MemorySession({ model: inTurn(...replies), specs, keepAlive: true });
  return { session: of, takeBack: () => of.send('takeBackFinding', { id: 'finding-1', actor: 'ann' }) };
}

test('[COND-28b] [QUEUE-21a] what is taken back while the next request is prepared is told in that request', async () => {
  const pinned: MemorySession = new MemorySession({
    model: ({ input: { turn } }) => {
      if (turn === 1) return calls(pin('p', 'Full.'));
      return turn < 9 ? look(turn, turn === 6 ? 95_000 : 100) : says('Done.');
    },
    specs,
    tools: {
      look: ({ callId }) => {
        // taken at the boundary before the condense
        if (callId === 'c6') pinned.steer('s1', 'Go on.');
        return 'ok';
      },
    },
    condense: () => {
      pinned.send('takeBackFinding', { id: 'finding-1', actor: 'ann' });
      return 'a summary';
    },
    settings: { model: { contextWindow: 100_000 } },
  });
  await pinned.ask('go');
  const next = pinned.requests.find(({ input }) => input.view.epoch > 1);
  expect(next?.messages.map(textOf).join()).toContain('ann took finding-1 back');
});

test('[COND-28a] the last finding that is taken back leaves the heads of epochs that no condense begins', () => {
  const taken = { id: 'finding-1', text: 'Full.', callId: 'a' };
  const { view, ...state } = newAgentState('s');
  const epoch = beginEpoch({ ...state, view, findings: [] }, { ...view, findings: [taken] });
  expect(epoch.findings ?? []).toEqual([]);
});

test('[COND-28a] 500 corrections stay small, each has an id of its own, and the newest finding has room', async () => {
  let turn = 0;
  const corrected = new MemorySession({
    model: () => {
      turn += 1;
      if (turn > 500) return says('ok');
      return calls(
        turn === 1 ? pin('c1', 'Pool is 1.') : replace(`c${turn}`, `Pool is ${turn}.`, `finding-${turn - 1}`),
      );
    },
    specs,
    settings: { loop: { maxTurns: 0 }, model: { contextWindow: 10_000_000 } },
  });
  corrected.onChange = () => {
    corrected.decisions = 0;
  };
  await corrected.ask('go');
  const { findings = [], takenBack = [] } = corrected.state;
  expect(findings).toMatchObject([{ id: 'finding-500', text: 'Pool is 500.' }]);
  expect(jsonBytes(takenBack)).toBeLessThan(8 * 1024);
});
