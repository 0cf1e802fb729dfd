// Environment and config file: what is read, what wins, and how each mistake is told.
import { createProviders } from '../../src/worker/providers.ts';
import { userMessage } from '@holdfast/vocabulary/messages';
import { callOptions, modelRequest } from '../support/model-calls.ts';
import { startStrictServer } from '../support/strict-model-server.ts';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/config-file.ts';
import { resolveConfig } from '../../src/config/config.ts';
import { type Loaded, loadConfigs } from '../support/load-configs.ts';

const cwd = '/somewhere';
const call = () => undefined;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-config-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('environment', () => {
  test.each([
    [{}, 'scripted:incident'],
    [{ OPENAI_API_KEY: 'k1' }, 'openai:gpt-5.1'],
    [{ ANTHROPIC_API_KEY: 'k2' }, 'anthropic:claude-sonnet-5-5'],
    [{ OPENAI_API_KEY: 'k1', ANTHROPIC_API_KEY: 'k2' }, 'openai:gpt-5.1'],
    [{ OPENAI_API_KEY: 'k1', HOLDFAST_MODEL: 'anthropic:other' }, 'anthropic:other'],
    [{ OPENAI_API_KEY: '' }, 'scripted:incident'],
    [{ ANTHROPIC_API_KEY_FILE: 'key' }, 'anthropic:claude-sonnet-5-5'],
  ])('%j chooses %s', (environment, model) => {
    expect(resolveConfig({ cwd, environment }).model).toBe(model);
  });

  test('[CORE-10] a .env with a key is named, and not read; one without names of Holdfast, or whose key is set, is not', async () => {
    const place = await mkdtemp(join(folder, 'dotenv-'));
    const reasonOf = (environment: object = {}) =>
      resolveConfig({ cwd: place, environment: { ...environment } }).modelReason;
    await writeFile(
      join(place, '.env'),
      '# shop\nexport OPENAI_API_KEY="sk-secret"\nTEMPORAL_ADDRESS=a:1\nPORT=1',
    );
    expect(reasonOf()).toContain(
      `Holdfast does not read ${join(place, '.env')}, which sets OPENAI_API_KEY, TEMPORAL_ADDRESS: enter`,
    );
    expect(reasonOf()).not.toContain('sk-secret');
    expect(reasonOf({ OPENAI_API_KEY: 'k' })).toBe('OPENAI_API_KEY is set');
    await writeFile(join(place, '.env'), 'PORT=1');
    expect(reasonOf()).toBe('no model key is set (OPENAI_API_KEY, ANTHROPIC_API_KEY)');
  });

  test('[WORKER-03a] projects do not share a default task queue; the environment wins over the config file', () => {
    const queueOf = (place: string, environment = {}, taskQueue?: string) => {
      const file = { path: `${place}/holdfast.config.ts`, config: taskQueue ? { taskQueue } : {} };
      return resolveConfig({ cwd: place, environment, file }).taskQueue;
    };
    const queues = ['/a/shop', '/b/shop', '/a/my shop!'].map((place) => queueOf(place));
    expect(queues).toEqual([
      expect.stringMatching(/^holdfast-shop-[0-9a-f]{8}$/),
      expect.stringMatching(/^holdfast-shop-[0-9a-f]{8}$/),
      expect.stringMatching(/^holdfast-my-shop--[0-9a-f]{8}$/),
    ]);
    expect(new Set(queues).size).toBe(3);
    expect(queueOf('/a/shop')).toBe(queues[0]);
    expect(queueOf('/a/shop/logs', { HOLDFAST_DIR: '/a/shop/.holdfast' })).toBe(queues[0]);
    expect(queueOf('/a/shop', { HOLDFAST_DIR: '/data' })).toMatch(/^holdfast-data-/);
    expect(queueOf('/a/shop', {}, 'of-file')).toBe('of-file');
    expect(queueOf('/a/shop', { HOLDFAST_TASK_QUEUE: 'of-environment' }, 'of-file')).toBe('of-environment');
    // as a shell leaves it that reads it from a file
    expect(queueOf('/a/shop', { HOLDFAST_TASK_QUEUE: ' of-file\n' })).toBe('of-file');
  });

  test('a key file makes a provider, and its path starts where the process does', () => {
    const { providers } = resolveConfig({ cwd, environment: { OPENAI_API_KEY_FILE: 'secrets/openai' } });
    expect(providers).toMatchObject({ openai: { apiKeyFile: '/somewhere/secrets/openai' } });
    expect(Object.keys(providers)).toEqual(['openai', 'openai-chat']);
  });

  test('[LOOP-25a] servers of models by name: a key goes only to the server that it is for', () => {
    const servers = {
      ollama: { speaks: 'chat' as const, baseUrl: 'http://127.0.0.1:11434/v1', idleTimeoutMs: 9_000 },
      groq: { speaks: 'chat' as const, baseUrl: 'https://groq.example/v1', apiKeyVariable: 'GROQ_KEY' },
      'openai-chat': { baseUrl: 'https://gateway.example/v1' },
    };
    const file = { path: '/somewhere/holdfast.config.ts', config: { providers: servers } };
    const environment = { OPENAI_API_KEY: 'k1' };
    const { providers, missingProviders } = resolveConfig({ cwd, environment, file });
    expect(Object.keys(providers)).toEqual(['openai', 'openai-chat', 'ollama']);
    expect(providers['openai']).toMatchObject({ apiKey: 'k1', baseUrl: undefined });
    expect(providers['openai-chat']).toMatchObject({
      apiKey: undefined,
      baseUrl: 'https://gateway.example/v1',
    });
    expect(providers['ollama']).toMatchObject({ apiKey: undefined, idleTimeoutMs: 9_000, speaks: 'chat' });
    expect(missingProviders).toEqual({ groq: 'set GROQ_KEY.' });
    const withKey = resolveConfig({ cwd, environment: { GROQ_KEY: 'g' }, file });
    expect(withKey.providers['groq']).toMatchObject({ apiKey: 'g', baseUrl: 'https://groq.example/v1' });
  });

  test('[LOOP-24] the key of a provider that names no variable is in the variable of its name, unless a vendor has that', () => {
    const server = { speaks: 'chat' as const, baseUrl: 'https://models.example/v1' };
    const call = async function* () {};
    const config = {
      providers: { 'llama.cpp': server, OpenAI: server, temporal: server, Groq: server },
      modelProviders: { acme: { call } },
    };
    const environment = {
      LLAMA_CPP_API_KEY: 'l',
      OPENAI_API_KEY: 'o',
      TEMPORAL_ADDRESS: 'a:1',
      TEMPORAL_API_KEY: 't',
      TEMPORAL_TLS: 'true',
      GROQ_API_KEY_FILE: 'groq-key',
      ACME_API_KEY: 'a',
    };
    const file = { path: '/somewhere/holdfast.config.ts', config: parseConfig(config, 'it') };
    const { providers } = resolveConfig({ cwd, environment, file });
    expect(providers).toMatchObject({
      'llama.cpp': { apiKey: 'l' },
      OpenAI: { apiKey: undefined },
      temporal: { apiKey: undefined },
      Groq: { apiKeyFile: '/somewhere/groq-key' },
      acme: { apiKey: 'a' },
    });
  });

  test.each([
    [{ modelProviders: { acme: {} } }, 'modelProviders.acme: expected { call(request, options) { ... } }'],
    [{ modelProviders: { openai: { call } } }, 'modelProviders.openai: is the name of another provider'],
    [{ modelProviders: { scripted: { call } } }, 'modelProviders.scripted: is the name of another provider'],
    [{ modelProviders: { 'my acme': { call } } }, 'modelProviders.my acme: expected a name of letters'],
    [{ providers: { '../x': {} } }, 'providers.../x: expected a name of letters'],
  ])('the providers %j are refused', (config, message) => {
    expect(() => parseConfig(config, 'the config')).toThrow(message);
  });

  test.each(['_search', '/_search?size=1', '/a b', '/x#y'])('the POST path %j is refused', (path) => {
    const http = { allow: ['es.test:9200'], hosts: { 'es.test:9200': { post: ['/*/_search', path] } } };
    expect(() => parseConfig({ http }, 'the config')).toThrow(
      'http.hosts.es.test:9200.post.1: expected a path that begins with "/", without a query',
    );
  });

  test.each([
    [{ ollama: { baseUrl: 'http://x.example' } }, 'needs "speaks" and "baseUrl"'],
    [{ scripted: {} }, 'is the name of the scripted model'],
    [{ openai: { baseUrl: 'nowhere' } }, 'expected an http(s) address'],
  ])('the servers %j are refused', (providers, message) => {
    expect(() => parseConfig({ providers }, 'the config')).toThrow(message);
  });

  test.each([
    [
      { providers: { openai: { dialect: 'mistrall' } } },
      'providers.openai.dialect: invalid option: expected one of "openai"|"azure"',
    ],
    [
      { models: { 'house:big': { dialect: 'x' } } },
      'models.house:big.dialect: invalid option: expected one of "openai"|"azure"',
    ],
    [{ models: { 'house:big': { refuses: ['messages'] } } }, 'refuses.0: expected a name of docs/models.md'],
  ])('[MODEL-01d] a family or a refusal that there is not, as in %j, is refused', (config, message) => {
    expect(() => parseConfig(config, 'the config')).toThrow(message);
  });

  test('[MODEL-01bc] the keys of a provider and of its models reach the requests', async () => {
    const { url, sent } = await startStrictServer(() => undefined);
    const config = {
      providers: { house: { speaks: 'chat' as const, baseUrl: `${url}/v1`, dialect: 'azure' as const } },
      models: { 'house:small': { dialect: 'vllm' as const, refuses: ['stream_options'] } },
    };
    const file = { path: '/somewhere/holdfast.config.ts', config };
    const provider = createProviders(resolveConfig({ cwd, environment: {}, file }), undefined).get('house');
    for (const id of ['big', 'small']) {
      const model = { provider: 'house', id };
      await provider?.call(modelRequest({ model, messages: [userMessage('Go.')] }), callOptions());
    }
    expect(sent[0]?.body).toMatchObject({ max_completion_tokens: 1_024, stream_options: {} });
    expect(sent[1]?.body).toMatchObject({ max_tokens: 1_024 });
    expect(sent[1]?.body).not.toHaveProperty('stream_options');
  });

  test('the command line wins over the environment, and the environment over the file', () => {
    const file = { path: '/somewhere/holdfast.config.ts', config: { model: 'openai:of-file' } };
    const environment = { HOLDFAST_MODEL: 'openai:of-environment' };
    expect(resolveConfig({ cwd, environment: {}, file }).model).toBe('openai:of-file');
    expect(resolveConfig({ cwd, environment, file }).model).toBe('openai:of-environment');
    expect(resolveConfig({ cwd, environment, file, model: 'openai:given' }).model).toBe('openai:given');
  });

  test.each([
    [{ HOLDFAST_MODEL: 'gpt' }, 'HOLDFAST_MODEL is "gpt": expected "<provider>:<model id>"'],
    [{ TEMPORAL_ADDRESS: 'localhost' }, 'TEMPORAL_ADDRESS is "localhost": expected "host:port"'],
    [{ OPENAI_BASE_URL: 'nowhere' }, 'OPENAI_BASE_URL is "nowhere": expected an http(s) address'],
    [{ TEMPORAL_TLS: 'yes' }, 'TEMPORAL_TLS is "yes": expected "true" or "false"'],
    [{ TEMPORAL_TLS_CLIENT_CERT_PATH: 'a.pem' }, 'belong together'],
    [{ TEMPORAL_ADDRESS: 'temporal.example:7233' }, 'neither TLS nor an API key is set'],
  ])('%j is refused with its name and what was expected', (environment, message) => {
    expect(() => resolveConfig({ cwd, environment })).toThrow(message);
  });

  test.each([
    { TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_API_KEY: 'key' },
    { TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_TLS_SERVER_CA_CERT_PATH: 'ca.pem' },
  ])('%j is encrypted', (environment) => {
    const { apiKey, tls } = resolveConfig({ cwd, environment }).temporal;
    expect(tls ?? apiKey).toBeDefined();
    expect(tls?.disabled).toBeUndefined();
  });

  test('plain text to another machine has to be asked for', () => {
    const environment = { TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_TLS: 'false' };
    expect(resolveConfig({ cwd, environment }).temporal).toMatchObject({
      address: 'temporal:7233',
      tls: { disabled: true },
    });
  });

  test('paths start at the working folder, and in a config file at that file', () => {
    const file = {
      path: '/project/holdfast.config.ts',
      config: { files: { roots: ['logs'], writable: ['logs/conf'] }, script: 'a.yaml' },
    };
    const config = resolveConfig({ cwd, environment: { HOLDFAST_DIR: 'state' }, file });
    expect(config).toMatchObject({
      dir: '/somewhere/state',
      artifactsDir: '/somewhere/state/artifacts',
      fileRoots: ['/project/logs'],
      writableFolders: ['/project/logs/conf'],
      script: '/project/a.yaml',
    });
  });
});

describe('config file', () => {
  const good = `import { defineConfig } from 'holdfast';\nexport default defineConfig({ model: 'openai:x' });`;
  const cases: [name: string, text: string, expected: string | object][] = [
    ['own-name.ts', good, { model: 'openai:x' }],
    ['good.yaml', 'http: { allow: ["127.0.0.1:9090"] }', { http: { allow: ['127.0.0.1:9090'] } }],
    ['good.json', '{"model":"openai:x"}', { model: 'openai:x' }],
    ['line.ts', 'export default {\n  agents: {,\n};', ':2 does not parse'],
    ['line.js', 'export default {\n\n  model: 1 +* 2 };', ':3 does not parse'],
    ['line.yaml', 'model: "openai:x"\nhttp: [a', ':2 does not parse'],
    ['line.json', '{\n  "model": "openai:x",\n  ]\n}', ':3 does not parse'],
    ['throws.ts', '\nthrow new Error("no luck");', ':2 failed when it was loaded: no luck'],
    ['empty.ts', 'export const nothing = 1;', 'has no default export'],
    [
      'field.yaml',
      'agents: { night: { instructions: x, tools: [], loop: { maxTurns: ten } } }',
      'agents.night.loop.maxTurns: expected number, received string',
    ],
    ['unknown.ts', 'export default { agent: {} };', 'config: unrecognized key: "agent"'],
    ['tool.ts', 'export default { tools: [{ name: "x" }] };', 'tools.0: expected the result of defineTool'],
    [
      'store.ts',
      'export default { artifacts: { id: "x", get() {} } };',
      'artifacts: expected a store: an id that is not empty, and the functions put and get',
    ],
    [
      'stores.ts',
      'export default { artifactsDir: "x", artifacts: { id: "x", get() {}, put() {} } };',
      'artifacts: is a store of its own: expected no artifactsDir beside it',
    ],
    ['model.yaml', 'model: gpt', 'model: expected "<provider>:<model id>"'],
  ];
  let results: Map<string, Loaded>;

  beforeAll(async () => {
    for (const [name, text] of cases) await writeFile(join(folder, name), text);
    const names = [...cases.map(([name]) => name), 'gone.ts', ''];
    const loaded = await loadConfigs(folder, names);
    results = new Map(names.map((name, index) => [name, loaded[index] ?? {}]));
  });

  test.each(cases)('%s', (name, _text, expected) => {
    const { loaded, failure } = results.get(name) ?? {};
    if (typeof expected === 'object') {
      expect(loaded).toEqual({ path: join(folder, name), config: expected, agentFiles: {} });
      return;
    }
    expect(failure?.name).toBe('ConfigError');
    expect(failure?.message).toContain(join(folder, name));
    expect(failure?.message).toContain(expected);
  });

  test('a store may be an instance of a class', () => {
    class Store {
      readonly id = 'own';
      readonly kept = new Map<string, Uint8Array>();
      async put(): Promise<void> {}
      async get(): Promise<undefined> {}
    }
    const artifacts = new Store();
    expect(parseConfig({ artifacts }, 'The config').artifacts).toBe(artifacts);
  });

  test('a named file that is not there is an error, an unnamed one is not', () => {
    expect(results.get('gone.ts')?.failure?.message).toContain('gone.ts: expected one because it was named');
    expect(results.get('')).toEqual({});
  });
});

test('[WORKER-15d] a config that is a module is read again once it changed, and only then; its mistakes have their line', async () => {
  const path = join(folder, 'again.ts');
  const text = (name: string) =>
    `console.error('loaded');\nexport default { agents: { ${name}: { instructions: 'x', tools: [] } } };`;
  await writeFile(path, text('night'));
  const code = `
    import { writeFileSync } from 'node:fs';
    import { agentNames, loadConfigFile, readConfigAgents } from ${JSON.stringify(new URL('../../src/config/config-file.ts', import.meta.url).href)};
    const [path, changed] = process.argv.slice(1);
    const results = [];
    const read = () => readConfigAgents(path).then(Object.keys, ({ message }) => message).then((it) => results.push(it));
    await loadConfigFile('.', path);
    await read();
    writeFileSync(path, changed);
    await read();
    await read();
    writeFileSync(path, '\\n\\nthrow new Error("no more");');
    await read();
    results.push([...(await agentNames({ agents: { former: {} }, configFile: path }))].includes('former'));
    writeFileSync(path, changed);
    results.push([...(await agentNames({ agents: { former: {} }, configFile: path }))].filter((name) => ['former', 'day'].includes(name)));
    console.log(JSON.stringify(results));`;
  const run = ['--input-type=module', '-e', code, '--', path, text('day')];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, run);
  expect(JSON.parse(stdout)).toEqual([
    ['night'],
    ['day'],
    ['day'],
    `${path}:3 failed when it was loaded: no more`,
    true,
    ['day'],
  ]);
  // at the start, after the first change, and after the last one
  expect(stderr.match(/^loaded$/gm)).toHaveLength(3);
});
