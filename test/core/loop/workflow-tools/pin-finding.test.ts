// pin_finding: what is pinned is state, and 8 KiB is the end of it.
import { expect, test } from 'vitest';
import { calls, inTurn, says } from '../../../support/memory-model.ts';
import { MemorySession } from '../../../support/memory-session.ts';
import type { MemoryModel } from '../../../support/memory-session.ts';
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
