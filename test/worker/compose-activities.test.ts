// From a config to the tools of a worker: which it has, and which mistakes it tells at its start.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '../../src/config/config-file.ts';
import type { Environment } from '../../src/config/environment.ts';
import type { Access } from '@holdfast/vocabulary/frozen-context';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import { defaultSettings } from '@holdfast/vocabulary/agent-spec';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import { composeActivities } from '../../src/worker/compose-activities.ts';
import { checkParts } from '../../src/worker/parts.ts';
import type { PlayedModel } from '../../src/worker/providers.ts';
import { assembleOn, callOn, composeInput, resolvedAt } from '../support/composed-worker.ts';
import { fakeTool, temporaryFolder } from '../support/tool-calls.ts';
import { startHttpServer } from '../support/http-server.ts';
import { hostileServer } from '../support/mcp-servers.ts';
import { frozenContext } from '../support/frozen-context.ts';

const tool = (name: string) => fakeTool(() => ({ text: '' }), { name });

async function compose(
  user: Partial<HoldfastConfig>,
  folder?: string,
  environment: Environment = { OPENAI_API_KEY: 'k' },
  play?: PlayedModel,
) {
  const cwd = folder ?? (await temporaryFolder());
  const given = await composeInput(resolvedAt(cwd, user, environment), cwd);
  return composeActivities(play ? { ...given, play } : given);
}

const assembled = ({ activities }: Awaited<ReturnType<typeof compose>>, input: SessionInput) =>
  assembleOn(activities, { input });

const toolsOf = async (user: Partial<HoldfastConfig>) => {
  const context = await assembled(await compose(user), {});
  return context.tools.map(({ name, description }) => [name, description.split(' ')[0]]);
};

test('[TOOL-02b] the investigator has the built-in tools and those of the config; of two with one name the built-in one', async () => {
  const tools = [tool('report'), tool('zap'), tool('load_tools')];
  expect((await compose({ tools })).warnings).toEqual([
    'Not used: your tools report, load_tools. Built-in tools have these names; rename yours.',
  ]);
  expect(await toolsOf({ tools })).toEqual([
    ['ask_human', 'Asks'],
    // it has analysts to delegate to
    ['delegate', 'Gives'],
    ['hypotheses', 'Keeps'],
    ['list_agents', 'Lists'],
    ['pin_finding', 'Keeps'],
    ['read_artifact', 'Reads'],
    ['report', 'Hands'],
    ['update_plan', 'Keeps'],
    ['zap', 'A'],
  ]);
  expect((await compose({})).warnings).toEqual([]);
});

test('[MODE-10b] an agent of the config waits a day for an approval, as the investigator does, unless it says otherwise', async () => {
  const agents = {
    own: { instructions: 'Help.', tools: [] },
    hasty: { instructions: 'Help.', tools: [], approvals: { timeoutMs: 60_000 } },
  };
  const composed = await compose({ agents });
  const timeoutOf = async (input: SessionInput) =>
    (await assembled(composed, input)).settings.approvals.timeoutMs;
  expect(await timeoutOf({})).toBe(86_400_000);
  expect(await timeoutOf({ agent: 'own' })).toBe(86_400_000);
  expect(await timeoutOf({ agent: 'hasty' })).toBe(60_000);
  expect(await timeoutOf({ agent: 'own', approvals: { timeoutMs: 5_000 } })).toBe(5_000);
  expect(defaultSettings.approvals.timeoutMs).toBe(300_000);
});

test('a policy rule for a tool that is not there is refused, one for a built-in tool that nothing is opened to is not', async () => {
  const rule = (name: string) => ({ tool: name, decision: 'deny' }) as const;
  await expect(compose({ policy: [rule('zap'), rule('raed')], tools: [tool('zap')] })).rejects.toThrow(
    'Policy rule 2 names the tool "raed", which is not there: expected one of ask_human, hypotheses, pin_finding, read_artifact, report, update_plan, zap',
  );
  const ready = [rule('read'), rule('http_get'), rule('http_post'), rule('load_tools'), rule('*')];
  expect((await compose({ policy: ready })).warnings).toEqual([]);
});

test('a group of the config must name tools that are there, and an agent groups that are there', async () => {
  await expect(compose({ toolGroups: { logs: ['tail'] } })).rejects.toThrow(
    'Tool group "logs" names the tool "tail", which is not there: expected one of ask_human, hypotheses, pin_finding, read_artifact, report, update_plan.',
  );
  const { checkInput } = await compose({ tools: [tool('tail')], toolGroups: { logs: ['tail'] } });
  expect(() => checkInput({ prompt: 'go', toolGroups: ['logs'] })).not.toThrow();
  expect(() => checkInput({ prompt: 'go', toolGroups: ['log'] })).toThrow(
    'There is no tool group "log": expected one of logs.',
  );
});

test('[REPORT-03b] the folder and the artifacts of the worker are closed to its file tools, also inside a root', async () => {
  const cwd = await temporaryFolder();
  for (const folder of ['.holdfast', 'results']) {
    await mkdir(join(cwd, folder));
    await writeFile(join(cwd, folder, 'report_1.json'), 'FATAL: dropped');
  }
  await writeFile(join(cwd, 'app.log'), 'FATAL: too many clients');
  const { activities, close } = await compose({ files: { roots: ['.'] }, artifactsDir: 'results' }, cwd);
  onTestFinished(close);
  const result = await callOn(activities, 'grep', { pattern: 'FATAL' }, frozenContext());
  expect(result).toMatchObject({
    message: { content: [{ type: 'text', text: 'app.log:1:FATAL: too many clients' }] },
  });
});

test('the most that is kept of one output is that of the config', async () => {
  const print = fakeTool(() => ({ text: 'a line of it\n'.repeat(700_000) }), { name: 'print' });
  const keptBy = async (user: Partial<HoldfastConfig>) => {
    const composed = await compose({ ...user, tools: [print] });
    onTestFinished(composed.close);
    const result = await callOn(composed.activities, 'print', {}, frozenContext());
    return JSON.stringify(result);
  };
  expect(await keptBy({})).toContain('The full output is artifact');
  expect(await keptBy({ maxOutputBytes: 8 * 1024 ** 2 })).toMatch(/without 7\d{5} bytes of its middle/);
});

test('[WORKER-03b] POST paths are part of what a run is frozen to: another run has those that it began with', async () => {
  const server = await startHttpServer((_request, response) => void response.end('hits'));
  const host = `127.0.0.1:${server.port}`;
  const { activities } = await compose({
    http: { allow: [host], hosts: { [host]: { post: ['/_search'] } } },
  });
  const args = { url: `${server.url}/_search`, body: {} };
  const called = (frozen: Partial<Access>) => {
    const access = { policy: [], roots: [], hosts: [host], ...frozen };
    const context = frozenContext({ digest: JSON.stringify(frozen), tools: [], access });
    return callOn(activities, 'http_post', args, context);
  };
  expect(await called({})).toMatchObject({
    message: { isError: true, content: [{ text: expect.stringContaining('POST is allowed to nothing') }] },
  });
  expect(server.requests).toEqual([]);
  expect(await called({ posts: [`${host}/_search`] })).toMatchObject({ message: { isError: false } });
  expect(server.requests).toHaveLength(1);
});

describe('[WORKER-02ab] what a worker lacks keeps it from starting', () => {
  const agent = (spec: Partial<AgentSpec>): AgentSpec => ({ instructions: 'Look.', tools: [], ...spec });
  const own = (spec: Partial<AgentSpec>) => ({ agents: { night: agent(spec) } });
  const refusal = async (user: Partial<HoldfastConfig>, environment: Environment = {}) =>
    compose(user, undefined, environment).then(
      () => undefined,
      (error: unknown) => (error instanceof ConfigError ? error.message : error),
    );
  const key = { OPENAI_API_KEY: 'k' };

  test.each<[string, Partial<HoldfastConfig>, Environment, RegExp]>([
    ['no key and no script', {}, {}, /^No model to run with\. .*OPENAI_API_KEY.*"holdfast demo"/],
    [
      'a model without its key',
      { model: 'anthropic:x' },
      key,
      /^No model to run with\. .*set ANTHROPIC_API_KEY/,
    ],
    ['an own agent that needs the model', own({}), {}, /^No model to run with/],
    ['a tool', own({ tools: ['fly'] }), key, /^Agent night: There is no tool "fly"/],
    ['a tool group', own({ toolGroups: ['sky'] }), key, /^Agent night: There is no tool group "sky"/],
    [
      'an agent',
      own({ delegation: { agents: ['nobody'] } }),
      key,
      /^Agent night: There is no agent "nobody"/,
    ],
    ['a hook', own({ hooks: [{ name: 'watch' }] }), key, /^Agent night: There is no .*hook "watch"/],
    [
      'a provider',
      own({ model: 'acme:x' }),
      key,
      /^Agent night: Model acme:x .* There is no model provider "acme"/,
    ],
    [
      'a key of an agent',
      own({ model: 'anthropic:x' }),
      key,
      /^Agent night: Model anthropic:x .*ANTHROPIC_API_KEY/,
    ],
    [
      'a fallback',
      own({ model: { fallbacks: ['acme:x'] } }),
      key,
      /^Agent night: Model acme:x .* There is no model provider "acme"/,
    ],
    [
      'a model for summaries',
      own({ model: { purposes: { condense: 'acme:x' } } }),
      key,
      /^Agent night: Model acme:x .* There is no model provider "acme"/,
    ],
    [
      'several things',
      own({ tools: ['fly', 'swim'], model: 'acme:x' }),
      key,
      /^Agent night: .*"fly".*\nAgent night: .*"swim".*\nAgent night: .*"acme"/,
    ],
  ])('%s', async (_name, user, environment, expected) => {
    expect(await refusal(user, environment)).toMatch(expected);
  });

  test('a model of each agent is enough, and a script in place of every model', async () => {
    expect(await refusal(own({ model: 'openai:x' }), key)).toBeUndefined();
    const getApiKey = () => 'k';
    expect(await refusal({ ...own({ model: 'openai:x' }), getApiKey })).toBeUndefined();
    const play = { script: { name: 's', steps: [] }, call: () => Promise.reject(new Error('not asked')) };
    await expect(compose(own({ model: 'anthropic:x' }), undefined, {}, play)).resolves.toBeDefined();
  });
});

test('[WORKER-01e] what is started beside a worker names its model and tools: another worker cannot give it others', async () => {
  const { complete } = await compose({
    tools: [tool('zap')],
    agents: { own: { instructions: 'Help.', tools: [] } },
  });
  const tools = ['read_artifact', 'report', 'pin_finding', 'ask_human', 'update_plan', 'hypotheses', 'zap'];
  expect(complete({ prompt: 'go' })).toEqual({ prompt: 'go', model: 'openai:gpt-5.1', tools });
  expect(complete({ prompt: 'go', model: 'openai:x', tools: [] })).toMatchObject({
    model: 'openai:x',
    tools: [],
  });
  expect(complete({ agent: 'own' })).toEqual({ agent: 'own', model: 'openai:gpt-5.1' });
  expect(complete({ checkpoint: 'saved' })).toEqual({ checkpoint: 'saved' });
});

test('the parts that a check has collected are those of the worker: nothing is composed a second time', async () => {
  const cwd = await temporaryFolder();
  const script = join(cwd, 'script.json');
  await writeFile(script, '{"name":"s","steps":[{"id":"a","text":"Hello."}]}');
  const config = resolvedAt(cwd, { script });
  const parts = await checkParts(config, { prompt: 'look' });
  await rm(script);
  const given = await composeInput(config, cwd);
  await expect(composeActivities(given)).rejects.toThrow(/script\.json/);
  expect(await composeActivities({ ...given, parts })).toMatchObject({ warnings: parts.warnings });
});

test('checking the parts pins no MCP tool; the worker that is made of them does, and says so', async () => {
  const cwd = await temporaryFolder();
  const { settings: shop } = await hostileServer('plain');
  const config = resolvedAt(cwd, { mcpServers: { shop } }, { OPENAI_API_KEY: 'k' });
  const parts = await checkParts(config, { prompt: 'look' });
  onTestFinished(() => parts.close());
  const pins = join(cwd, 'holdfast.mcp-pins.json');
  expect(existsSync(pins)).toBe(false);
  const given = await composeInput(config, cwd);
  const made = await composeActivities({ ...given, parts });
  const pinned: unknown = expect.stringContaining('accepted at first sight, and pinned');
  expect(made).toMatchObject({ warnings: [pinned], alarms: [pinned] });
  expect(await readFile(pins, 'utf8')).toContain('"act"');
});

test('a secret that cannot be read is told at the start; one of a command is not asked for', async () => {
  const secrets = {
    there: { env: 'THERE' },
    gone: { env: 'GONE' },
    missing: { file: '/no/such/file' },
    asked: { command: ['no-such-program'] },
  };
  const { warnings } = await compose({ secrets }, undefined, { OPENAI_API_KEY: 'k', THERE: 'a-value' });
  expect(warnings).toEqual([
    expect.stringMatching(/"gone".*GONE/),
    expect.stringMatching(/"missing".*\/no\/such\/file/),
  ]);
});
