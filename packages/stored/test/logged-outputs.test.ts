// Which message of a log is the whole output of its call, for readers that miss the artifact.
import { expect, test } from 'vitest';
import type { ToolResultMessage } from '@holdfast/vocabulary/messages';
import { withLoggedOutputs, wholeOutputOf } from '../src/logged-outputs.ts';

const result = (text: string, more: Partial<ToolResultMessage> & { digest?: string } = {}) => ({
  role: 'tool_result' as const,
  callId: 'c1',
  toolName: 'grep',
  content: [{ type: 'text' as const, text }],
  isError: false,
  artifactId: 'tool-c1',
  digest: 'd1',
  ...more,
});

test('[TOOL-27c] the text of a result that names its artifact and is no part of it', () => {
  expect(wholeOutputOf(result('pool timeout'))).toBe('pool timeout');
  expect(wholeOutputOf(result('pool timeout', { isError: true }))).toBe('pool timeout');
});

test.each([
  ['a part of what is stored', result('pool', { isPart: true })],
  ['a result that a hook has changed', (({ digest: _, ...rest }) => rest)(result('pool'))],
  ['a result of which nothing is stored', (({ artifactId: _, ...rest }) => rest)(result('pool'))],
  [
    'a cut of an earlier version',
    result(
      'pool\n[... 9 of 40000 characters left out here. The full output is artifact tool-c1: read_artifact ...]',
    ),
  ],
])('[TOOL-27c] never %s', (_what, message) => {
  expect(wholeOutputOf(message)).toBeUndefined();
});

test('[TOOL-27c] the store comes first, other artifacts are not looked for in a log, and it is read once', async () => {
  const store = {
    get: (_session: string, name: string) =>
      Promise.resolve(name === 'tool-kept' ? Buffer.from('kept') : undefined),
  };
  const asked: string[] = [];
  const reader = withLoggedOutputs(store, async (sessionId) => {
    asked.push(sessionId);
    return sessionId === 's'
      ? [result('old'), result('new'), result('x', { artifactId: 'log.json' })]
      : undefined;
  });
  const read = async (sessionId: string, name: string) => (await reader.get(sessionId, name))?.toString();
  expect(await read('s', 'tool-kept')).toBe('kept');
  expect(await read('s', 'log.json')).toBeUndefined();
  expect(asked).toEqual([]);
  // a model may use an id twice: the last one counts, as in the store
  expect(await read('s', 'tool-c1')).toBe('new');
  expect(await read('s', 'tool-c2')).toBeUndefined();
  expect(await read('unknown', 'tool-c1')).toBeUndefined();
  expect(asked).toEqual(['s', 'unknown']);
});

test('[TOOL-27c] a part that came later takes the whole before it away', async () => {
  const nothing = { get: () => Promise.resolve(undefined) };
  const reader = withLoggedOutputs(nothing, () =>
    Promise.resolve([result('old'), result('n', { isPart: true })]),
  );
  expect(await reader.get('s', 'tool-c1')).toBeUndefined();
});
