// States as this version writes them, and broken ones: the first go on, the others are refused with a reason.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stateVersion } from '../../../src/core/model/agent-state.ts';
import type { AgentState } from '../../../src/core/model/agent-state.ts';
import { parseState } from '../../../src/core/checkpoint/parse-state.ts';
import { inTurn, says } from '../../support/memory-model.ts';
import { MemorySession } from '../../support/memory-session.ts';
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

/** A session that goes on from the state, with one message more where the model owes no answer. */
async function goOn(state: AgentState): Promise<AgentState> {
  const tools = { echo: () => 'echoed', slow: () => 'slow' };
  const session = new MemorySession(
    { model: inTurn(says('It went on.')), tools },
    { ...new MemorySession({ model: inTurn() }).carry(), state },
  );
  if (!state.run) session.prompt('And now?');
  else if (!state.run.wantsReply) session.followUp('f1', 'And now?');
  await session.run();
  return session.state;
}

describe.each(good)('%s', (name, raw) => {
  test('[CKPT-07] [CKPT-10] is parsed to today and goes on to its end', async () => {
    const parsed = parseState(raw);
    if (!parsed.ok) throw new Error(parsed.reason);
    expect(parsed.value.version).toBe(stateVersion);
    const state = await goOn(parsed.value);
    expect(state.lastResult).toMatchObject({ status: 'completed', answer: 'It went on.' });
  });

  test("is what today's code writes", async () => {
    const today = (await sampleStates())[name];
    expect(raw, 'write them anew with "node scripts/record-state.ts", or raise stateVersion').toEqual(today);
    expect(parseState(raw)).toEqual({ ok: true, value: today });
  });
});

test.each(broken)('%s is refused with what is wrong', (name, raw) => {
  const parsed = parseState(raw);
  const unknown = name === 'newer-version' || name === 'version-0';
  expect(parsed).toMatchObject({ ok: false, code: unknown ? 'State.UnknownVersion' : 'State.Broken' });
  expect(parsed).toHaveProperty('reason', expect.stringMatching(reasons[name] ?? /nothing fits/));
});

const reasons: Record<string, RegExp> = {
  'call-without-name': /^run\.batch: /,
  'context-without-prompt': /^context\.systemPrompt: /,
  'list-instead': /no object/,
  'log-of-texts': /^log\.records: /,
  'newer-version': /version 99: expected 1/,
  'no-log': /^log\./,
  'no-version': /^version: /,
  'no-view': /^view\./,
  'run-is-a-text': /^run, /,
  'segment-without-hash': /^log\.segments: /,
  'unknown-cursor': /^run\.cursor: /,
  'unknown-status': /^status: /,
  'version-0': /version 0: expected/,
};

/** Each field by a value that was never written there. */
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
  ['plan', { steps: [{ id: '1', text: 'Look' }], runId: 'run-1' }],
  ['loadedGroups', [7]],
  ['loadedSkills', 'disk-full'],
  ['context.skills', [{ name: 'disk-full' }]],
  ['run.runId', undefined],
  ['run.turn', '1'],
  ['run.pending', {}],
  ['run.usage', []],
  ['run.loop', 'none'],
  ['run.trail', [1]],
  ['run.denied', [{}]],
  ['run.settings', 'none'],
  ['context.digest', undefined],
  ['context.model.id', 4],
  ['context.tools', [{}]],
  ['context.settings', undefined],
  ['context.settings.live', 'yes'],
  ['context.settings.queues.followUpMode', 7],
];

test.each(wrongFields)('[CKPT-10] a state whose %s is %j is refused by that name', (place, value) => {
  const [, raw] = good.find(([name]) => name === `v${stateVersion}-open-batch`) ?? [];
  const state: unknown = structuredClone(raw);
  const names = place.split('.');
  const last = names.pop() ?? '';
  let holder = Object(state);
  for (const name of names) holder = Object(holder[name]);
  holder[last] = value;
  expect(parseState(state)).toMatchObject({ ok: false, code: 'State.Broken' });
  expect(parseState(state)).toHaveProperty('reason', expect.stringMatching(new RegExp(`^${place}\\b`)));
});

test('[CKPT-10] an option that is younger than the state has its default: a session outlives a deploy', () => {
  const [, raw] = good.find(([name]) => name === `v${stateVersion}-open-batch`) ?? [];
  const state = structuredClone(raw) as { context: { settings: { mode?: string; queues: object } } };
  delete state.context.settings.mode;
  state.context.settings.queues = {};
  expect(parseState(state)).toMatchObject({
    ok: true,
    value: { context: { settings: { mode: 'ask', queues: { steeringMode: 'one-at-a-time' } } } },
  });
});
