// The question before something is removed for good: only a clear yes removes.
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Cli } from '../../src/cli/cli.ts';
import { confirmRemoval } from '../../src/cli/confirm.ts';

/** What the person is shown, once there is an answer. */
async function ask(answer: string, isTTY = true): Promise<string> {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const stderr = Object.assign(new PassThrough(), { isTTY });
  stdin.end(answer);
  await confirmRemoval({ stdin, stderr } as unknown as Cli, 'Remove 2 entries for good?', 'Add --yes.');
  return String(stderr.read());
}

test.each(['y\n', 'Yes\n'])('[CLI-12b] %j on a terminal is a yes', async (answer) => {
  expect(await ask(answer)).toContain('Remove 2 entries for good? [y/n] ');
});

test.each(['perhaps\n', 'n\n', '\n', ''])('[CLI-12b] %j on a terminal removes nothing', async (answer) => {
  await expect(ask(answer)).rejects.toMatchObject({ message: 'Nothing was removed.', exitCode: 7 });
});

test('[CLI-12b] without a terminal nothing is removed, and what to do is said', async () => {
  await expect(ask('y\n', false)).rejects.toThrow('there is no terminal to ask on. Add --yes.');
});
