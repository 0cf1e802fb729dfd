// holdfast agents, and prompt with the name of an agent: what there is, whether it can run, and what the model will see.
// Nothing runs for it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCli, type CliSetting } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const night = `---
description: Looks after the night.
model: scripted:night
mode: observe
tools: [read, grep]
delegation: { agents: [log-analyst] }
loop: { maxTurns: 3 }
budget: { costUsd: 2 }
---
Look after it.
`;

async function folder(config: object = {}): Promise<CliSetting> {
  const cwd = await temporaryFolder();
  for (const name of ['agents', 'logs']) await mkdir(join(cwd, name));
  await writeFile(join(cwd, 'script.json'), JSON.stringify({ name: 's', steps: [{ id: 'a', text: 'x' }] }));
  const whole = { script: 'script.json', files: { roots: ['logs'] }, ...config };
  await writeFile(join(cwd, 'holdfast.config.json'), JSON.stringify(whole));
  await writeFile(join(cwd, 'agents', 'night.md'), night);
  await writeFile(join(cwd, 'SOUL.md'), '# Rules\n\nDelete **nothing**.\n');
  // nothing listens there: the commands must not need it
  return { cwd, environment: { TEMPORAL_ADDRESS: '127.0.0.1:1' } };
}

test('agents lists each with its source, model, mode, tools and limits', async () => {
  const day = { instructions: 'x', tools: [], loop: { maxTurns: 0 } };
  const long = { ...day, budget: { turns: 40, toolCalls: 9 } };
  const setting = await folder({ agents: { day, long } });
  const { code, stdout } = await callCli(['agents'], setting);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /night {2}Looks after the night\.\n {2}.*agents\/night\.md, scripted:night, mode observe, 2 tools, at most 3 turns, \$2\.00\n {2}delegates to log-analyst\n/,
  );
  expect(stdout).toMatch(
    /day .*\n {2}.*holdfast\.config\.json, scripted:incident, mode ask, 0 tools, no limits\n/,
  );
  expect(stdout).toMatch(
    /investigator \(default\) .*\n {2}package, .* at most 100 turns, \$3\.00, 3,000,000 tokens, 1 h\n/,
  );
  expect(stdout).toMatch(/long .*\n.* 0 tools, at most 40 turns, 9 tool calls\n/);
  const { lines } = await callCli(['agents', '--json'], setting);
  expect(lines.map(({ name }) => name)).toEqual([
    'change-analyst',
    'critic',
    'day',
    'fixer',
    'investigator',
    'log-analyst',
    'long',
    'metrics-analyst',
    'night',
    'triage',
  ]);
  expect(lines.find(({ name }) => name === 'night')).toMatchObject({
    type: 'agent',
    mode: 'observe',
    tools: ['read', 'grep'],
    maxTurns: 3,
    budget: { costUsd: 2 },
    problems: [],
  });
});

test.each([
  ['names a tool that is not there', { tools: ['telescope'] }, 'There is no tool "telescope"'],
  ['names an agent that is not there', { delegation: { agents: ['nobody'] } }, 'There is no agent "nobody"'],
])(
  '[WORKER-02bc] an agent that %s cannot run: agents, doctor and a worker say so',
  async (_, more, reason) => {
    const setting = await folder({ agents: { day: { instructions: 'x', tools: [], ...more } } });
    const listed = await callCli(['agents'], setting);
    expect([listed.code, listed.stdout]).toEqual([10, expect.stringContaining(`cannot run: ${reason}`)]);
    const checked = await callCli(['doctor'], setting);
    expect(checked.code).not.toBe(0);
    expect(checked.stdout).toContain(`Agent day: ${reason}`);
    const started = await callCli(['worker'], setting);
    expect(started.code).not.toBe(0);
    expect(started.stderr).toContain(`Agent day: ${reason}`);
  },
);

test('a starter agent that the configuration does not let run is shown, and is no failure', async () => {
  const { code, stdout } = await callCli(['agents'], await folder({ maxMode: 'observe' }));
  expect(code).toBe(0);
  expect(stdout).toMatch(/fixer .*\n.*\n {2}cannot run: Mode "ask" is more than this configuration allows/);
});

test('without a model the agents are listed as ever, and the missing model is said once', async () => {
  const cwd = await temporaryFolder();
  const { code, stdout, stderr } = await callCli(['agents'], { cwd, environment: {} });
  expect([code, stdout]).toEqual([0, expect.not.stringContaining('cannot run')]);
  expect(stderr).toMatch(/^warning: No model to run with\. .*OPENAI_API_KEY.*\n$/);
});

test('[PROMPT-07d] without the folder of SOUL.md no agent can run, and no prompt is shown', async () => {
  const setting = await folder({ promptDir: 'gone' });
  const listed = await callCli(['agents'], setting);
  expect([listed.code, listed.stderr]).toEqual([10, expect.stringContaining('promptDir is')]);
  const shown = await callCli(['prompt', 'night'], setting);
  expect([shown.code, shown.stdout, shown.stderr]).toEqual([2, '', expect.stringContaining('promptDir is')]);
});

test.each([[['prompt', 'night']], [['agents', 'prompt', 'night']]])(
  '%j prints what the model will see, with the share of each part',
  async (args) => {
    const setting = await folder();
    const { code, stdout } = await callCli(args, setting);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^night {2}scripted:night, mode observe\nabout \d+ tokens before the conversation\nidentity +\d+ +\d+\.\d %\nsoul /,
    );
    expect(stdout).toContain('<instructions>\nLook after it.\n</instructions>');
    expect(stdout).toContain('Delete nothing.');
    expect(stdout).toMatch(/# Tools\n\n.*\{"name":"delegate"[^]*\{"name":"grep","description":/);
    const { lines } = await callCli([...args, '--json'], setting);
    const [shown] = lines as { parts: { part: string; tokens: number; percent: number }[]; tokens: number }[];
    const { parts = [], tokens = 0 } = shown ?? {};
    expect(parts.map(({ part }) => part)).toEqual(
      expect.arrayContaining(['instructions', 'tool grep', 'tool read']),
    );
    expect(parts.reduce((sum, { percent }) => sum + percent, 0)).toBeCloseTo(100, 0);
    expect(Math.abs(parts.reduce((sum, part) => sum + part.tokens, 0) - tokens)).toBeLessThan(parts.length);
  },
);

test('the prompt needs no key, follows the modes, and an unknown agent is told', async () => {
  const setting = await folder({ model: 'openai:gpt-5.1' });
  const { code, stdout } = await callCli(['agents', 'prompt', 'investigator', '--off-the-record'], setting);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Your tools are exactly these: ')]);
  const unknown = await callCli(['prompt', 'nobody'], setting);
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringMatching(/There is no agent "nobody": expected one of .*night/),
  ]);
});
