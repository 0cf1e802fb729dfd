// What a change is made to: asked when the call is prepared, in the question, in the words that run, and asked again before
// they do.
import { readFile, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readToolset } from '../../../src/activities/toolsets/read-toolset.ts';
import { openToolset } from '../../../src/activities/toolsets/toolsets.ts';
import { temporaryFolder, toolBench } from '../../support/tool-calls.ts';
import { createToolBench } from '../../support/toolset-bench.ts';

/** Its place is a name in a file, as the context of a kubeconfig; the tools write it down. */
async function placedToolset({ place = 'staging', context }: { place?: string; context?: string } = {}) {
  const folder = await temporaryFolder();
  const file = join(folder, 'placed.yaml');
  await writeFile(join(folder, 'place'), place);
  const line = (text: string) => ['sh', '-c', `cd ${folder}; ${text}`, 'sh'];
  const named = { when: 'settings.context', words: ['{{settings.context}}'] };
  const toolset = {
    name: 'placed',
    description: 'Is somewhere.',
    settings: { context: { optional: true } },
    target: {
      fills: 'context',
      command: [
        ...line('grep -qx broken place && exit 3; echo "${1:-$(cat place)}"; echo "at 10.0.0.1"'),
        named,
      ],
    },
    tools: [
      {
        name: 'turn',
        description: 'Turns it.',
        command: [...line('echo "$1" >> turned'), named],
        change: { shows: [...line('echo "$1"; cat turned 2>/dev/null || true'), named], undo: 'None.' },
      },
      { name: 'plain', description: 'Without a look.', command: [...line('echo "$1" >> turned'), named] },
      { name: 'look', description: 'Looks.', effect: 'read', command: [...line('echo "to $1."'), named] },
    ],
  };
  await writeFile(file, JSON.stringify(toolset));
  const settings = context === undefined ? {} : { context };
  const opened = await openToolset(file, { changes: true, settings }, createToolBench().deps);
  const inspected = async (name: string) => {
    const tool = opened.made.find(({ spec }) => spec.name === name);
    if (!tool) throw new Error(JSON.stringify(opened));
    const facts = (await tool.inspect?.({})) ?? {};
    return { tool, facts };
  };
  const move = (to: string) => writeFile(join(folder, 'place'), to);
  const turned = () => readFile(join(folder, 'turned'), 'utf8').catch(() => '');
  return { inspected, move, turned };
}

describe.each(['turn', 'plain'])('the tool %s', (name) => {
  test('[FAULT-112a] its question names the target, and the words that run have it', async () => {
    const { inspected, turned } = await placedToolset();
    const { tool, facts } = await inspected(name);
    expect(facts.preview).toMatch(/^sh .* staging\nOn: staging, at 10\.0\.0\.1(?:\n|$)/);
    expect(facts.actions?.[0]?.command).toMatch(/ staging$/);
    const { run } = await toolBench(tool);
    const { message } = await run({}, { approvedBy: 'ann', basis: facts.basis ?? '' });
    expect(message).toMatchObject({ isError: false });
    expect(await turned()).toBe('staging\n');
  });

  test('[FAULT-112b] it does not run at another target than the approved one', async () => {
    const { inspected, move, turned } = await placedToolset();
    const { tool, facts } = await inspected(name);
    await move('production');
    const { run } = await toolBench(tool);
    const { message } = await run({}, { approvedBy: 'ann', basis: facts.basis ?? '' });
    expect(message.isError).toBe(true);
    expect(await turned()).toBe('');
    expect((await inspected(name)).facts.preview).toContain('On: production');
  });

  test('[FAULT-112b] between its look and its words, a switch leads nowhere else', async () => {
    const { inspected, move, turned } = await placedToolset();
    const { tool, facts } = await inspected(name);
    const { found } = (await tool.inspect?.({})) ?? {};
    await move('production');
    const { context } = createToolBench();
    await tool.run({}, { ...context, basis: facts.basis ?? '', found });
    expect(await turned()).toBe('staging\n');
  });

  test('[FAULT-112a] a setting of the configuration is the target, whatever is chosen outside', async () => {
    const { inspected, move, turned } = await placedToolset({ context: 'production' });
    const { tool, facts } = await inspected(name);
    expect(facts.preview).toContain('On: production');
    await move('elsewhere');
    const { run } = await toolBench(tool);
    await run({}, { approvedBy: 'ann', basis: facts.basis ?? '' });
    expect(await turned()).toBe('production\n');
  });

  test.each(['secret://db', 'https://x', 'broken'])(
    '[FAULT-112c] a target that cannot be named asks nobody, and nothing runs: %s',
    async (place) => {
      const { inspected, turned } = await placedToolset({ place });
      const { tool, facts } = await inspected(name);
      expect(facts.preview).toContain('The target of the change cannot be named');
      expect(facts.actions).toMatchObject([{ effect: 'read' }]);
      const { run } = await toolBench(tool);
      const { message } = await run({});
      expect(message).toMatchObject({ isError: true });
      expect(await turned()).toBe('');
    },
  );

  test('[FAULT-112c] a name that its program would read as an option is refused', async () => {
    const { inspected } = await placedToolset({ place: '-x' });
    await expect(inspected(name)).rejects.toThrow('does not begin with "-"');
  });
});

test('[FAULT-112a] a read asks for no target', async () => {
  const { inspected } = await placedToolset();
  const { facts } = await inspected('look');
  expect(facts.preview).not.toContain('On:');
  expect(facts.actions?.[0]?.command).not.toContain('staging');
});

const folder = resolve(import.meta.dirname, '../../../catalog/toolsets');
test('[FAULT-112a] every toolset with tools that act names its target', async () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  const read = await Promise.all(files.map((file) => readToolset(join(folder, file))));
  const toolsets = read.map(({ toolset }) => toolset);
  const acting = toolsets.filter(({ tools }) => tools.some(({ effect }) => effect !== 'read'));
  expect(acting.map(({ name }) => name)).toEqual(['kubernetes', 'nginx', 'postgresql', 'redis', 'systemd']);
  expect(acting.filter(({ target }) => target === undefined)).toEqual([]);
});

test.each([
  [{ fills: 'place', command: ['true'] }, 'settings.place'],
  [{ command: ['cat', '{{settings.context}}'] }, 'settings.context'],
  [{ command: ['cat', '{{what}}'] }, 'what'],
])('[FAULT-112c] a target %j is refused with the name', async (target, words) => {
  const file = join(await temporaryFolder(), 'own.yaml');
  const tools = [{ name: 'act', description: 'Acts.', command: ['true'] }];
  const settings = { context: { optional: true } };
  await writeFile(file, JSON.stringify({ name: 'own', description: 'Own.', settings, target, tools }));
  await expect(readToolset(file)).rejects.toThrow(words);
});
