// The agents that come with the package, each in a scripted run: its tools, its mode and its limits, and what it is told.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { resolveConfig } from '../../src/config/config.ts';
import { defineTool } from '../../src/config/define-config.ts';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import type { ToolEffect } from '@holdfast/vocabulary/tool-spec';
import { callTool, say, testAgent } from '../../src/testing.ts';
import type { AgentTest } from '../../src/testing.ts';
import { collectParts } from '../../src/worker/parts.ts';
import { withPatterns } from '../../src/worker/agents.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const done: string[] = [];
const tool = (name: string, effect: ToolEffect = 'read') =>
  defineTool({
    name,
    description: name,
    input: z.looseObject({}),
    effect,
    run: () => {
      done.push(name);
      return Promise.resolve({ text: `${name}: pool.max changed from 50 to 5 at 14:02 UTC` });
    },
  });

const own = ['journal', 'docker_logs', 'prometheus_query', 'host_load', 'git_log', 'deploy_list', 'weather'];
const config: HoldfastConfig = {
  tools: [...own.map((name) => tool(name)), tool('restart', 'once'), tool('deploy_now', 'once')],
  policy: [{ tool: 'restart', decision: 'allow' }],
};

/** Of every worker, and open in mode observe. */
const always = ['pin_finding', 'read_artifact'];

const run = (agent: string, more: Partial<AgentTest> & Pick<AgentTest, 'script'>) =>
  testAgent({ config, prompt: 'Checkout is slow since 14:00.', ...more, input: { agent, ...more.input } });

test.each<[agent: string, tools: string[], told: RegExp]>([
  ['triage', ['host_load', 'prometheus_query'], /must somebody get up now\?[^]*Verdict: real, false alarm/],
  ['log-analyst', [...always, 'docker_logs', 'journal'], /Find the first occurrence/],
  ['metrics-analyst', [...always, 'host_load', 'prometheus_query'], /Compare with normal/],
  ['change-analyst', [...always, 'deploy_list', 'git_log'], /Read the change itself/],
  [
    'critic',
    ['docker_logs', 'git_log', 'journal', 'prometheus_query', 'read_artifact'],
    /Does the quote say it\?/,
  ],
])('%s looks with its own tools alone, and can change nothing', async (agent, tools, told) => {
  const [first = ''] = tools.filter((name) => own.includes(name));
  const { requests, result } = await run(agent, {
    script: [callTool(first, {}), say('Verdict: real. It was the pool.')],
    // a start cannot open more tools by its mode than the agent names
    input: { mode: 'act' },
  });
  expect(result).toMatchObject({ status: 'completed', toolCalls: 1 });
  const [request] = requests;
  const names = request?.tools.map(({ name }) => name) ?? [];
  expect(names.filter((name) => !['deploy_now'].includes(name))).toEqual(tools.toSorted());
  expect(request?.systemPrompt).toMatch(told);
  expect(request?.systemPrompt).toContain(`Name: ${agent}\nDescription: `);
  const observing = await run(agent, { script: [say('Nothing.')] });
  expect(observing.requests[0]?.tools.map(({ name }) => name)).toEqual(tools.toSorted());
});

const found = {
  summary: 'The pool was cut.',
  grade: 'likely',
  claims: [
    { text: 'It was cut.', quotes: [{ callId: '{{look.callId}}', quote: 'pool.max changed from 50 to 5' }] },
  ],
};

test('the investigator has every tool, and is told the method', async () => {
  const { requests, result, report } = await run('investigator', {
    script: {
      name: 'method',
      steps: [
        { id: 'look', calls: [{ tool: 'git_log', args: {} }] },
        { id: 'report', calls: [{ tool: 'report', args: found }] },
        { id: 'say', text: 'The pool was cut.' },
      ],
    },
  });
  expect(result.status).toBe('completed');
  expect(result.report).toMatchObject({ quotes: 1, verifiedQuotes: 1 });
  expect(report).toContain('The pool was cut.');
  const [request] = requests;
  const names = request?.tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...own, ...always, 'restart', 'report', 'ask_human']));
  // and where it is, in a real worker
  expect(JSON.stringify(request?.messages[0])).toMatch(/Now: \d{4}-.*Worker, where tools run: /);
  expect(request?.systemPrompt).not.toMatch(/Now: /);
  for (const step of ['Impact', 'Timeline', 'Changes', 'Hypotheses', 'Evidence', 'Conclusion'])
    expect(request?.systemPrompt).toMatch(new RegExp(`^\\d\\. ${step}\\.`, 'm'));
});

test('[TOOL-15bf] many toolsets are groups that the investigator loads; few are there at once', async () => {
  const folder = await temporaryFolder();
  const setOf = async (name: string, count: number): Promise<string> => {
    const tools = Array.from(
      { length: count },
      (_, n) =>
        `  - { name: ${name}_${n}, effect: read, command: [printf, '${name} ${n}'], description: '${'What it shows. '.repeat(20)}' }`,
    );
    const file = join(folder, `${name}.yaml`);
    await writeFile(file, [`name: ${name}`, 'description: x', 'tools:', ...tools, ''].join('\n'));
    return file;
  };
  const [alpha, beta] = [await setOf('alpha', 15), await setOf('beta', 15)];
  // it is asked once for the report
  const twice = [say('It was the pool.'), say('It was the pool.')];
  const script = [callTool('load_tools', { groups: ['beta'] }), callTool('beta_3', {}), ...twice];
  const many = await run('investigator', { config: { toolsets: { [alpha]: {}, [beta]: {} } }, script });
  expect(many.result).toMatchObject({ status: 'completed', toolCalls: 2 });
  const [first, second, third] = many.requests.map(({ tools }) => tools.map(({ name }) => name));
  expect(first).toEqual(expect.arrayContaining(['load_tools', 'pin_finding', 'report']));
  expect(first?.filter((name) => /^(alpha|beta)_/.test(name))).toEqual([]);
  // loaded ones come after the others, which stay as they are
  expect(second?.slice(0, first?.length)).toEqual(first);
  expect(second?.slice(first?.length)).toHaveLength(15);
  expect(third).toEqual(second);
  expect(JSON.stringify(many.requests[2]?.messages)).toContain('beta 3');
  const few = await run('investigator', { config: { toolsets: { [alpha]: {} } }, script: twice });
  const names = few.requests[0]?.tools.map(({ name }) => name) ?? [];
  expect(names).toContain('alpha_3');
  expect(names).not.toContain('load_tools');
});

test('every change of the fixer asks a person, whatever the rules and the mode of the start say', async () => {
  done.length = 0;
  const asked: string[] = [];
  const { result } = await run('fixer', {
    script: [callTool('restart', {}), callTool('git_log', {}), say('It is restarted.')],
    input: { mode: 'act' },
    approve: ({ tool: name, reason }) => asked.push(`${name}: ${reason}`) > 0,
  });
  expect(result.status).toBe('completed');
  expect(asked).toEqual(['restart: The fixer changes nothing without a person.']);
  expect(done).toEqual(['restart', 'git_log']);
});

test('[LOOP-35d] the fixer ends with its words: what is behind a ! is none of its tools', async () => {
  const { agents } = await agentsOf(config);
  expect(agents.get('investigator')?.tools).toEqual(expect.arrayContaining(['restart', 'report']));
  expect(agents.get('fixer')?.tools).toEqual(
    agents.get('investigator')?.tools.filter((name) => name !== 'report'),
  );
  const tools = new Map(['git_log', 'git_show', 'ls'].map((name) => [name, {}]));
  expect(withPatterns(['*', '!git_*'], tools)).toEqual(['ls']);
});

test('a change that is denied does not happen', async () => {
  done.length = 0;
  const { result } = await run('fixer', {
    script: [callTool('restart', {}), say('It was denied.')],
    approve: () => false,
  });
  expect([result.status, done]).toEqual(['completed', []]);
});

test('triage ends after eight looks, with an answer', async () => {
  const looks = Array.from({ length: 8 }, (_, look) => callTool('host_load', { look }));
  const { result } = await run('triage', {
    script: [...looks, say('Verdict: not known.')],
    input: { loop: { stop: 0 } },
  });
  expect(result).toMatchObject({ answer: 'Verdict: not known.' });
  expect(result.turns).toBeLessThanOrEqual(9);
});

async function agentsOf(more: HoldfastConfig) {
  const file = { path: '/project/holdfast.config.ts', config: more };
  const { agents, problems } = await collectParts(resolveConfig({ cwd: '/project', environment: {}, file }));
  return { agents, problems };
}

test('every starter agent but the investigator has limits of turns, money and time', async () => {
  const { agents } = await agentsOf(config);
  expect([...agents.keys()].toSorted()).toEqual([
    'change-analyst',
    'critic',
    'fixer',
    'investigator',
    'log-analyst',
    'metrics-analyst',
    'triage',
  ]);
  for (const [name, { loop: { maxTurns = 0 } = {}, budget = {}, mode, description }] of agents) {
    expect(description, name).toMatch(/^[A-Z].*\.$/);
    expect(budget.costUsd, name).toBeGreaterThan(0);
    expect(budget.wallMs, name).toBeGreaterThan(0);
    if (name === 'investigator') continue;
    expect(maxTurns, name).toBeGreaterThan(0);
    expect(mode, name).toBe(name === 'fixer' ? 'ask' : 'observe');
  }
});

test("a config's own agent of the name replaces the starter one; a worker without any of their tools starts", async () => {
  const critic = { instructions: 'Say no.', tools: [] };
  const { agents, problems } = await agentsOf({ agents: { critic } });
  expect(agents.get('critic')).toMatchObject(critic);
  expect(agents.get('critic')?.mode).toBeUndefined();
  expect(agents.get('change-analyst')?.tools).toEqual(always.toReversed());
  // beside that no model is set here
  expect(problems.filter(({ about }) => about === 'agent')).toEqual([]);
});
