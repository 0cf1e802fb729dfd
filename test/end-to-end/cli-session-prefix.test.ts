// The beginning of a session's id in place of the whole id, for every command that takes a session.
import type { Argument, Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cli } from '../../src/cli/cli.ts';
import { createProgram } from '../../src/cli/program.ts';
import { callCli } from '../support/cli.ts';
import { type CliFolder, makeServedFolder } from '../support/cli-folder.ts';
import { until } from '../support/until.ts';

const ids = ['shop-alpha-1', 'shop-alpha-2', 'shop-beta-1'].map((id) => `${process.pid}${id}`);
const both = `${process.pid}shop-alpha`;
const one = `${process.pid}shop-b`;

let folder: CliFolder;
beforeAll(async () => {
  folder = await makeServedFolder('prefix');
  for (const id of ids) {
    const { code } = await callCli(['run', '--detach', '--keep-alive', '--session', id, 'look'], folder);
    expect(code).toBe(0);
  }
  await until('all are listed as idle', async () => {
    const { lines } = await callCli(['list', '--json', '--limit', '500', '--status', 'idle'], folder);
    return ids.every((id) => lines.some(({ sessionId }) => sessionId === id));
  });
});
afterAll(() => folder.remove());

const isSession = (argument: Argument): boolean => argument.name() === 'session';

/** `path` are the words of the command. */
function commandsIn(command: Command, path: string[] = []): { path: string[]; command: Command }[] {
  const own = command.registeredArguments.some(isSession) ? [{ path, command }] : [];
  return [...own, ...command.commands.flatMap((each) => commandsIn(each, [...path, each.name()]))];
}

const more: Record<string, string[]> = { 'extend-budget': ['--turns', '1'] };

test('[CLI-26b] every command that takes a session lists the sessions that a word may mean, and does nothing', async () => {
  const commands = commandsIn(await createProgram({ environment: {} } as Cli));
  const names = commands.map(({ path }) => path.join(' '));
  expect(names).toEqual(
    expect.arrayContaining(['show', 'steer', 'approve', 'rm', 'fork', 'artifacts show', 'replay']),
  );
  for (const { path, command } of commands) {
    const words = command.registeredArguments.map((argument) =>
      isSession(argument) ? both : (argument.argChoices?.[0] ?? 'observe'),
    );
    if (path[0] === 'set') words.splice(1, 2, 'mode', 'observe');
    const { code, stderr } = await callCli([...path, ...words, ...(more[path.join(' ')] ?? [])], folder);
    const name = path.join(' ');
    expect([name, stderr]).toEqual([
      name,
      expect.stringContaining(`Several sessions begin with "${both}": name one.`),
    ]);
    for (const id of ids.slice(0, 2)) expect(stderr).toContain(`\n  ${id}\n`);
    expect([name, code]).toEqual([name, 4]);
  }
});

test('[CLI-26a] the only session that begins so is meant, and its whole id is printed', async () => {
  const shown = await callCli(['show', one, '--json'], folder);
  expect(JSON.stringify(shown.lines)).toContain(`"${ids[2]}"`);
  const steered = await callCli(['steer', one, '--json', 'look', 'again'], folder);
  expect(steered.lines[0]).toMatchObject({ sessionId: ids[2], queue: 'steering' });
  expect(steered.stderr).toContain(`session ${ids[2]}\n`);
  const stored = await callCli(['artifacts', 'show', one, '--json'], folder);
  expect(stored.lines[0]).toMatchObject({ sessionId: ids[2] });
  const ended = await callCli(['end', one], folder);
  expect(ended.code).toBe(0);
  // unasked a removal takes whole ids only
  const removed = await callCli(['rm', '--yes', one], folder);
  expect([removed.code, removed.stderr]).toEqual([
    4,
    expect.stringContaining(`No session ${one} on the server`),
  ]);
  // an id is never taken for the beginning of another
  const exact = await callCli(['show', ids[0] ?? '', '--json'], folder);
  expect(exact.code).toBe(0);
  const none = await callCli(['show', `${one}-no-such`], folder);
  expect(none.stderr).toContain(`No session "${one}-no-such"`);
  expect(none.code).toBe(4);
});
