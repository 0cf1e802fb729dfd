// States of every released version, and broken ones: the first go on, the others are refused with a reason.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stateVersion } from '../../../src/core/model/agent-state.ts';
import type { AgentState } from '../../../src/core/model/agent-state.ts';
import { Inbox } from '../../../src/core/session/inbox.ts';
import { upgradeState } from '../../../src/core/checkpoint/state-versions.ts';
import { inTurn, says } from '../../support/memory-model.ts';
import { MemorySession } from '../../support/memory-ports.ts';
import { sampleStates } from '../../support/sample-states.ts';

const folder = join(import.meta.dirname, '../../fixtures/state');
const good = await statesIn(folder);
const broken = await statesIn(join(folder, 'broken'));

async function statesIn(directory: string): Promise<[string, unknown][]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.json')).toSorted();
  return Promise.all(
    files.map(async (file): Promise<[string, unknown]> => {
      return [file.replace('.json', ''), JSON.parse(await readFile(join(directory, file), 'utf8'))];
    }),
  );
}

function toState(raw: unknown): AgentState {
  return raw as AgentState;
}

/** A session that goes on from the state, with one message more where the model owes no answer. */
async function goOn(state: AgentState): Promise<AgentState> {
  const inbox = new Inbox(() => {}).carry();
  const tools = { echo: () => 'echoed', slow: () => 'slow' };
  const session = new MemorySession(
    { model: inTurn(says('It went on.')), tools },
    { state, events: { nextSeq: 1, events: [] }, inbox },
  );
  if (!state.run) session.prompt('And now?');
  else if (!state.run.wantsReply) session.followUp('f1', 'And now?');
  await session.run();
  return session.state;
}

describe.each(good)('%s', (name, raw) => {
  test('[CKPT-07] [CKPT-10] is upgraded to today and goes on to its end', async () => {
    const upgraded = upgradeState(raw);
    if (!upgraded.ok) throw new Error(upgraded.reason);
    expect(upgraded.value.version).toBe(stateVersion);
    const state = await goOn(upgraded.value);
    expect(state.lastResult).toMatchObject({ status: 'completed', answer: 'It went on.' });
  });

  test(`the fixtures of version ${stateVersion} are what today's code writes`, async () => {
    if (!name.startsWith(`v${stateVersion}-`)) return;
    const today = (await sampleStates())[name];
    expect(raw, 'write them anew with "node scripts/record-state.ts", or raise stateVersion').toEqual(today);
    expect(upgradeState(raw)).toEqual({ ok: true, value: today });
  });
});

test('[CKPT-10] [STATE-07] a run that did not keep its settings goes on with those of the session', () => {
  const { run: { settings: _, ...run } = { settings: {} }, ...state } = toState(
    good.find(([name]) => name === `v${stateVersion}-open-batch`)?.[1],
  );
  const settings = { systemPrompt: 'From the start.' };
  expect(upgradeState({ ...state, run, settings })).toMatchObject({ ok: true, value: { run: { settings } } });
  expect(upgradeState({ ...state, run })).toMatchObject({ ok: true, value: { run: { settings: {} } } });
  const kept = { ...run, settings: { model: 'scripted:own' } };
  const upgraded = upgradeState({ ...state, run: kept, settings });
  expect(upgraded.ok && upgraded.value.run?.settings).toEqual(kept.settings);
});

test('every version has fixtures', () => {
  const versions = Array.from({ length: stateVersion }, (_, index) => `v${index + 1}-`);
  for (const version of versions)
    expect(
      good.some(([name]) => name.startsWith(version)),
      version,
    ).toBe(true);
});

test.each(broken)('%s is refused with what is wrong', (name, raw) => {
  const upgraded = upgradeState(raw);
  const unknown = name === 'newer-version' || name === 'version-0';
  expect(upgraded).toMatchObject({ ok: false, code: unknown ? 'State.UnknownVersion' : 'State.Broken' });
  expect(upgraded).toHaveProperty('reason', expect.stringMatching(reasons[name] ?? /nothing fits/));
});

const reasons: Record<string, RegExp> = {
  'call-without-name': /^run\.batch: /,
  'context-without-prompt': /^context\.systemPrompt: /,
  'list-instead': /no object/,
  'log-of-texts': /^log\.records: /,
  'newer-version': /version 99: expected one of 1, 2/,
  'no-log': /^log\./,
  'no-version': /^version: /,
  'no-view': /^view\./,
  'run-is-a-text': /^run, /,
  'segment-without-hash': /^log\.segments: /,
  'unknown-cursor': /^run\.cursor: /,
  'unknown-status': /^status: /,
  'version-0': /version 0: expected/,
};

/** Each field by a value that no version has written there. */
const wrongFields: [place: string, value: unknown][] = [
  ['sessionId', 7],
  ['task', undefined],
  ['log.nextSeq', 0],
  ['view.sentSeq', -1],
  ['runs', 1.5],
  ['usage', 'none'],
  ['costUsd', '1'],
  ['toolCalls', null],
  ['findings', [{ id: 'f1' }]],
  ['loadedGroups', [7]],
  ['run.runId', undefined],
  ['run.turn', '1'],
  ['run.pending', {}],
  ['run.usage', []],
  ['run.loop', 'none'],
  ['run.denied', [{}]],
  ['run.settings', 'none'],
  ['context.digest', undefined],
  ['context.model.id', 4],
  ['context.tools', [{}]],
  ['context.settings', undefined],
];

test.each(wrongFields)('[CKPT-10] a state whose %s is %j is refused by that name', (place, value) => {
  const [, raw] = good.find(([name]) => name === `v${stateVersion}-open-batch`) ?? [];
  const state: unknown = structuredClone(raw);
  const names = place.split('.');
  const last = names.pop() ?? '';
  let holder = Object(state);
  for (const name of names) holder = Object(holder[name]);
  holder[last] = value;
  expect(upgradeState(state)).toMatchObject({ ok: false, code: 'State.Broken' });
  expect(upgradeState(state)).toHaveProperty('reason', expect.stringMatching(new RegExp(`^${place}\\b`)));
});
