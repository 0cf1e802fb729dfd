// Commands that pages show: each `holdfast ...` is one that the command line takes, each npm script exists, and those that
// need no server are run, in the folder of the page's example or in `beside`.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callCli } from '../support/cli.ts';
import { besideFolder, blocksIn, exampleFolder, pages, placeOf, readPage, tokensOf } from './pages.ts';
import { projectRoot } from '../support/project-root.ts';
import { commandsIn, faultOf, shownIn, type Words } from './shell-lines.ts';

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(projectRoot, 'package.json'), 'utf8'),
);

const shells = blocksIn('sh', 'console').map((block) => ({
  ...block,
  title: placeOf(block),
  shown: shownIn(block),
}));

/** What speaks against a command of a block; nothing can be said against a program that is not ours. */
async function complaint(words: Words): Promise<string | undefined> {
  const [program = '', ...rest] = words;
  if (program === 'holdfast') return faultOf(rest);
  if (program !== 'npm') return undefined;
  const [verb = '', script = '', dashes, ...own] = rest;
  if (verb === 'run' && !(script in scripts)) return `package.json has no script "${script}"`;
  return dashes === '--' && scripts[script]?.includes('bin/holdfast.js')
    ? faultOf([...scripts[script].split(' ').slice(2), ...own])
    : undefined;
}

test.each(shells)(
  'the commands of $title exist, with these options and arguments',
  async ({ shown, title }) => {
    const commands = shown.flatMap(({ command }) => commandsIn(command, title));
    expect(commands).not.toEqual([]);
    for (const words of commands) expect(await complaint(words), words.join(' ')).toBeUndefined();
  },
);

test('the examples of the command line reference are commands that it takes, whole', async () => {
  const lines = readPage('docs/reference/cli.md').match(/^ {2}- Examples: .*$/gm) ?? [];
  const examples = lines.flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
  expect(examples.length).toBeGreaterThan(150);
  for (const example of examples)
    for (const words of commandsIn(example, 'docs/reference/cli.md'))
      expect(await complaint(words), example).toBeUndefined();
});

/** Missing arguments are the reader's: prose says "`holdfast steer` sends a message". */
const incomplete = /^commander\.(missing|optionMissing|help)/;

test('the commands in the prose of every page exist, with these options', async () => {
  const faults: string[] = [];
  for (const { page, span } of pages.flatMap(commandSpans)) {
    // [optional] and ... as in a synopsis
    const [[, ...words] = []] = commandsIn(span.replaceAll(/\s*(\.\.\.|…)|[[\]]/g, ''), page);
    const fault = await faultOf(words);
    if (fault !== undefined && !incomplete.test(fault)) faults.push(`${page}: ${span}: ${fault}`);
  }
  expect(faults).toEqual([]);
});

function commandSpans(page: string): { page: string; span: string }[] {
  return tokensOf(readPage(page)).flatMap((token) =>
    token.type === 'codespan' && /^(npx )?holdfast /.test(token.text) ? [{ page, span: token.text }] : [],
  );
}

/** Commands that answer from the config, as words after `holdfast`. */
const offline =
  /^(agents|alerts test|tools|skills|schema|policy|prompt (night|investigator)|completion|config|--help|--version)\b/;

const runnable = shells.flatMap(({ shown, title, page }) =>
  shown.flatMap(({ command, output }) =>
    commandsIn(command, title).flatMap(([program, ...words]) =>
      program === 'holdfast' && offline.test(words.join(' ')) && !command.includes('|')
        ? [{ title, words, output, cwd: exampleFolder(page) ?? besideFolder }]
        : [],
    ),
  ),
);

describe('commands that need no server', () => {
  test.each(runnable)('$words of $title', async ({ words, output, cwd }) => {
    expect(existsSync(cwd)).toBe(true);
    const { code, stdout, stderr } = await callCli(words, { cwd });
    expect(stderr).toBe('');
    if (output.trim() === '') return expect(code).toBe(0);
    // pages speak of a folder that sounds like one of the reader's
    const printed = stdout.replaceAll(cwd, '/srv/shop').trimEnd();
    expect(printed).toBe(output.trimEnd());
  });
});
