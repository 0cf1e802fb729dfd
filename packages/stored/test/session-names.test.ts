// The names of sessions whose id is used again: which are one session's, and how a reader finds what they stand for.
import { expect, test } from 'vitest';
import { resolveNames, isOfSession, markedName, namesArtifact, withoutMark } from '../src/session-names.ts';
import { fatesPage } from '@holdfast/vocabulary/workflow-ids';

/** A store of a user's own, with fields that only its own methods reach. */
class OwnStore {
  readonly #bytes = new Map<string, string>();

  async put(sessionId: string, name: string, bytes: Uint8Array | string): Promise<void> {
    this.#bytes.set(`${sessionId} ${name}`, String(bytes));
  }

  async get(sessionId: string, name: string): Promise<Uint8Array | undefined> {
    const text = this.#bytes.get(`${sessionId} ${name}`);
    return text === undefined ? undefined : Buffer.from(text);
  }
}

test('[STATE-19b] an id is read as its newest session and a name as its own, in any store, however often it is wrapped', async () => {
  const store = new OwnStore();
  const names = ['one', 'two'].map((execution, at) => ({
    storedAs: at === 0 ? 'inc' : markedName('inc', execution),
    execution,
    startedAt: '',
  }));
  for (const { storedAs, execution } of names) await store.put(storedAs, 'result.json', execution);
  await store.put('inc', namesArtifact, JSON.stringify(names));
  await store.put('other~0a1b2c3d', 'result.json', 'an id of a person');
  const reader = resolveNames(resolveNames(store));
  const read = async (asked: string): Promise<string> =>
    Buffer.from((await reader.get(asked, 'result.json')) ?? '').toString();
  expect(await read('inc')).toBe('two');
  expect(await read(markedName('inc', 'two'))).toBe('two');
  expect(await read(markedName('inc', 'one'))).toBe('one');
  expect(await read('other~0a1b2c3d')).toBe('an id of a person');
  await reader.put?.('new', 'image', 'bytes');
  expect(await store.get('new', 'image')).toBeDefined();
});

test('[STATE-19d] the sessions of an id and their subagents are told from those whose id only begins like it', () => {
  const name = markedName('inc', 'two');
  expect(withoutMark(name)).toBe('inc');
  for (const own of ['inc', name, 'inc/log-1', `${name}/log-1/a`]) expect(isOfSession(own, 'inc')).toBe(true);
  for (const other of ['inc-2', 'inc~new', 'inc~new/log-1', 'in', 'inc~0a1b2c3d4']) {
    expect(isOfSession(other, 'inc')).toBe(false);
  }
});

test('[STATE-20e] the pages of a group of alerts that begins again have other names', () => {
  expect(fatesPage(0, 'one')).not.toBe(fatesPage(0, 'two'));
});
