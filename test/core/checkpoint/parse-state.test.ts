// States as this version writes them, and broken ones: the first go on, the others are refused with a reason.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stateVersion } from '@holdfast/vocabulary/agent-state';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import { parseState } from '../../../src/core/checkpoint/parse-state.ts';
import { inTurn, says } from '../../support/memory-model.ts';
import { MemorySession } from '../../support/memory-session.ts';
import { sampleStates } from '../../support/sample-states.ts';

const folder = join(import.meta.dirname, '../../fixtures/state');
const good = await statesIn(folder);

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
  test('[CKPT-07b] [CKPT-10a] is parsed to today and goes on to its end', async () => {
    const parsed = parseState(raw);
    if (!parsed.ok) throw new Error(parsed.reason);
    expect(parsed.value.version).toBe(stateVersion);
    const state = await goOn(parsed.value);
    expect(state.lastResult).toMatchObject({ status: 'completed', answer: 'It went on.' });
  });

  test("is what today's code writes", async () => {
    const today = (await sampleStates())[name];
    expect(raw, 'write them anew with "node tools/record-state.ts", or raise stateVersion').toEqual(today);
    expect(parseState(raw)).toEqual({ ok: true, value: today });
  });
});

const [, openBatch] = good.find(([name]) => name === `v${stateVersion}-open-batch`) ?? [];

/** The open batch with another value in one place. */
function withField(place: string, value: unknown): unknown {
  const state: unknown = structuredClone(openBatch);
  const names = place.split('.');
  const last = names.pop() ?? '';
  let holder = Object(state);
  for (const name of names) holder = Object(holder[name]);
  holder[last] = value;
  return state;
}

test.each([
  ['a list', [openBatch], 'State.Broken', /no object/],
  ['no version', withField('version', undefined), 'State.Broken', /^version: /],
  ['another version', withField('version', 99), 'State.UnknownVersion', /version 99: expected 1/],
  ['no log', withField('log', undefined), 'State.Broken', /^log\./],
  ['no view', withField('view', undefined), 'State.Broken', /^view\./],
  ['a text as run', withField('run', 'run-1'), 'State.Broken', /^run, /],
  ['a call without a name', withField('run.batch.0.call.name', undefined), 'State.Broken', /^run\.batch: /],
])('%s is refused with what is wrong', (_, raw, code, reason) => {
  expect(parseState(raw)).toMatchObject({ ok: false, code });
  expect(parseState(raw)).toHaveProperty('reason', expect.stringMatching(reason));
});

/** Each field by a value that was never written there. */
const wrongFields: [place: string, value: unknown][] = [
  ['sessionId', 7],
  ['task', undefined],
  ['status', 'paused'],
  ['log.records', ['one', 'two']],
  ['log.segments', [{ artifactId: 'segment_1_2', fromSeq: 1, toSeq: 2 }]],
  ['log.nextSeq', 0],
  ['view.sentSeq', -1],
  ['runs', 1.5],
  ['usage', 'none'],
  ['costUsd', '1'],
  ['toolCalls', null],
  ['findings', [{ id: 'f1' }]],
  ['plan', { steps: [{ id: '1', text: 'Look' }], runId: 'run-1' }],
  [
    'hypotheses',
    [{ id: 'h1', statement: 'x', component: 'y', kind: 'z', seq: 1, predictions: [{ id: 'h1.1' }] }],
  ],
  ['loadedGroups', [7]],
  ['loadedSkills', 'disk-full'],
  ['context.skills', [{ name: 'disk-full' }]],
  ['run.runId', undefined],
  ['run.turn', '1'],
  ['run.cursor', 'nowhere'],
  ['run.pending', {}],
  ['run.usage', []],
  ['run.loop', 'none'],
  ['run.trail', [1]],
  ['run.denied', [{}]],
  ['run.settings', 'none'],
  ['context.digest', undefined],
  ['context.systemPrompt', undefined],
  ['context.model.id', 4],
  ['context.tools', [{}]],
  ['context.settings', undefined],
  ['context.settings.loop.live', 'yes'],
  ['context.settings.queues.followUpMode', 7],
];

test.each(wrongFields)('a state whose %s is %j is refused by that name', (place, value) => {
  const state = withField(place, value);
  expect(parseState(state)).toMatchObject({ ok: false, code: 'State.Broken' });
  expect(parseState(state)).toHaveProperty('reason', expect.stringMatching(new RegExp(`^${place}\\b`)));
});
