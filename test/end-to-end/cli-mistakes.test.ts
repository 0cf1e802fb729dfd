// What people get wrong, and what they are told: one clear message, an exit code of its own, no stack.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliResult, beginCall, callCli, runCli } from '../support/cli.ts';
import { type CliFolder, makeCliFolder } from '../support/cli-folder.ts';
import { startHttpServer } from '../support/http-server.ts';

let folder: CliFolder;
beforeAll(async () => {
  folder = await makeCliFolder('mistakes');
});
afterAll(() => folder.remove());

function expectMistake({ code, stderr }: CliResult, exitCode: number, message: string | RegExp): void {
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(code).toBe(exitCode);
}

const cases: [
  name: string,
  args: string[],
  environment: Record<string, string>,
  code: number,
  message: RegExp,
][] = [
  ['unknown command', ['fly'], {}, 2, /unknown command 'fly'/],
  ['unknown option', ['list', '--colour'], {}, 2, /unknown option '--colour'/],
  ['empty task', ['run', ' '], {}, 2, /The task is empty: expected some words/],
  ['unknown session', ['show', 'nobody'], {}, 4, /No session "nobody" in namespace "default"/],
  ['steering an unknown session', ['steer', 'nobody', 'hello'], {}, 4, /No session "nobody"/],
  ['result of an unknown session', ['result', 'nobody'], {}, 4, /No session "nobody"/],
  ['unknown agent', ['run', '--agent', 'nobody', 'look'], {}, 2, /agent "nobody".*investigator/s],
  ['unknown provider', ['run', '--model', 'acme:one', 'look'], {}, 2, /acme/],
  ['no key for the provider', ['run', '--model', 'openai:gpt-5.1', 'look'], {}, 2, /OPENAI_API_KEY/],
  [
    'not a model name',
    ['run', '--model', 'gpt', 'look'],
    {},
    2,
    /--model is "gpt": expected "<provider>:<model id>"/,
  ],
  ['not a number', ['run', '--max-turns', 'many', 'look'], {}, 2, /Expected a whole number/],
  [
    'server address wrong',
    ['list'],
    { TEMPORAL_ADDRESS: '127.0.0.1:1' },
    3,
    /No Temporal server at 127\.0\.0\.1:1 after 5 s.*correct TEMPORAL_ADDRESS or the profile/,
  ],
  [
    'address that is none',
    ['list'],
    { TEMPORAL_ADDRESS: 'here' },
    2,
    /TEMPORAL_ADDRESS is "here": expected "host:port"/,
  ],
  [
    'unknown namespace',
    ['list'],
    { TEMPORAL_NAMESPACE: 'elsewhere' },
    3,
    /no namespace "elsewhere".*TEMPORAL_NAMESPACE/,
  ],
  ['no server here', ['list'], { TEMPORAL_ADDRESS: '' }, 3, /No Temporal server: none was started in/],
  [
    'folder that cannot be written',
    ['run', 'look'],
    { TEMPORAL_ADDRESS: '', HOLDFAST_DIR: '/proc/holdfast' },
    2,
    /Cannot write to \/proc\/holdfast.*set HOLDFAST_DIR/,
  ],
  [
    'no model to run with',
    ['run', '--config', 'bare.json', 'look'],
    {},
    2,
    /No model to run with.*OPENAI_API_KEY.*demo/,
  ],
  [
    'no server to be had',
    ['run', 'look'],
    { TEMPORAL_ADDRESS: '', PATH: '/bin', HOLDFAST_CACHE_DIR: '/proc/cache' },
    3,
    /No Temporal server, and none to be had.*HOLDFAST_CACHE_DIR/s,
  ],
  [
    'input file that does not parse',
    ['run', '--input', 'script.yaml'],
    {},
    2,
    /Cannot read script\.yaml as JSON/,
  ],
  [
    'folder for results that cannot be written, with a server elsewhere',
    ['run', 'look'],
    { HOLDFAST_DIR: '/proc/holdfast' },
    2,
    /Cannot use \/proc\/holdfast\/artifacts for results.*HOLDFAST_DIR/,
  ],
  ['the same for a worker', ['worker'], { HOLDFAST_DIR: '/proc/holdfast' }, 2, /Cannot use \/proc\/holdfast/],
  [
    'folder for results below a file',
    ['worker', '--config', 'below-a-file.json'],
    {},
    2,
    /Cannot use .*script\.json\/artifacts for results.*artifactsDir/,
  ],
  ['empty task queue', ['worker', '--task-queue', ''], {}, 2, /--task-queue.*Expected a name/],
  [
    'entry of http.allow that is none',
    ['run', '--config', 'allow.json', 'look'],
    {},
    2,
    /http\.allow\.0: "http:\/\/x:1\/foo" is not expected here: expected a host, host:port or/,
  ],
  [
    'session id that is too long',
    ['run', '--session', 'x'.repeat(1_200), 'look'],
    {},
    2,
    /'--session <id>' .* Expected 1 to 200 letters/,
  ],
  [
    'policy rule for a tool that is not there',
    ['worker', '--config', 'policy.json'],
    {},
    2,
    /Policy rule 1 names the tool "raed"/,
  ],
  [
    'config file that is not there',
    ['list', '--config', 'gone.ts'],
    {},
    2,
    /gone\.ts: expected one because it was named/,
  ],
];

const configs = {
  list: [],
  policy: { files: { roots: ['logs'] }, policy: [{ tool: 'raed', decision: 'deny' }] },
  pattern: { script: 'script.json', policy: [{ tool: 'kubectl_*', decision: 'deny' }] },
  'no-root': { script: 'script.json', files: { roots: ['lgos'] } },
  'no-provider': { model: 'nope:x' },
  'no-script': { script: 'nope.json' },
  'no-tool': { script: 'script.json', agents: { night: { instructions: 'x', tools: ['fly'] } } },
  'no-hook': {
    script: 'script.json',
    agents: { night: { instructions: 'x', tools: [], hooks: [{ name: 'watch' }] } },
  },
  good: { script: 'script.json', agents: { night: { instructions: 'x', tools: ['report'] } } },
  bare: {},
  allow: { http: { allow: ['http://x:1/foo', '10.0.0.0/99'] } },
  'below-a-file': { script: 'script.json', artifactsDir: 'script.json/artifacts' },
};
beforeAll(async () => {
  for (const [name, config] of Object.entries(configs))
    await writeFile(join(folder.cwd, `${name}.json`), JSON.stringify(config));
});

test.each(cases)('[CLI-17a] %s', async (_name, args, environment, code, message) => {
  expectMistake(
    await callCli(args, { ...folder, environment: { ...folder.environment, ...environment } }),
    code,
    message,
  );
});

test('[CLI-17a] config file with an error: the file, and the line or the field', async () => {
  await writeFile(join(folder.cwd, 'line.ts'), 'export default {\n  tools: [,]],\n};\n');
  expectMistake(await runCli(['run', '--config', 'line.ts', 'look'], folder), 2, /line\.ts:2 does not parse/);
  await writeFile(join(folder.cwd, 'field.yaml'), 'agents: { night: { instructions: x, tools: grep } }\n');
  expectMistake(
    await callCli(['run', '--config', 'field.yaml', 'look'], folder),
    2,
    /field\.yaml[^]*agents\.night\.tools: expected array/,
  );
});

test('[CLI-17a] a mistake in the input of a session: no object, an unknown tool', async () => {
  const noObject = await callCli(['run', '--input', 'list.json'], folder);
  expectMistake(noObject, 2, /list\.json holds no JSON object: expected a start input/);
  await writeFile(join(folder.cwd, 'input.json'), JSON.stringify({ prompt: 'look', tools: ['grep', 'fly'] }));
  expectMistake(await callCli(['run', '--input', 'input.json'], folder), 2, /tool "fly".*grep/s);
});

test('[CLI-17a] steering text over 256 KiB is refused before it is sent', async () => {
  const result = await callCli(['steer', 'any', '-'], folder, 'x'.repeat(300 * 1024));
  expectMistake(result, 2, /The steering message is 301 KiB: expected at most 256 KiB\. Nothing was sent\./);
});

test('[CLI-17a] a taken port is told', async () => {
  const { port } = await startHttpServer(() => undefined);
  const environment = { ...folder.environment, TEMPORAL_ADDRESS: '' };
  expectMistake(
    await callCli(['dev', '--port', String(port)], { ...folder, environment }),
    2,
    new RegExp(`Port ${port} is taken`),
  );
});

test('[CLI-17b] with --json a mistake is an object, too', async () => {
  const { lines } = await callCli(['show', 'nobody', '--json'], folder);
  expect(lines).toEqual([
    { type: 'error', exitCode: 4, message: expect.stringContaining('No session "nobody"') },
  ]);
});

test.each([
  ['policy', 'worker', 'bad', /Policy rule 1 names the tool "raed"/],
  ['pattern', 'worker', 'note', /kubectl_\*.* covers no tool/],
  ['no-root', 'tools', 'bad', /no folder .*lgos/],
  ['no-provider', 'model', 'bad', /nope:x/],
  ['no-script', 'worker', 'bad', /nope\.json/],
  ['no-tool', 'agent', 'bad', /night: There is no tool "fly"/],
  ['no-hook', 'agent', 'bad', /night: There is no hook "watch"/],
  ['bare', 'model', 'bad', /No model to run with/],
  ['good', 'agents', 'good', /^night: their tools, hooks and models are all here$/],
  ['below-a-file', 'results', 'bad', /script\.json\/artifacts cannot be written/],
  ['allow', 'config', 'bad', /http\.allow\.0/],
])(
  '[WORKER-02c] doctor says first whether run would work, and finds what a worker would: %s',
  async (name, check, state, finding) => {
    const { code, lines } = await callCli(['doctor', '--json', '--config', `${name}.json`], folder);
    // a run would read nothing then, and start all the same
    const runs = state !== 'bad' || name === 'no-root';
    expect(lines[0]).toMatchObject({ name: 'run', state: runs ? 'good' : 'bad' });
    expect(lines[0]?.['finding']).toMatch(
      runs
        ? /^"holdfast --config \S+ run" would work with scripted:/
        : /^"holdfast --config \S+ run" would refuse: /,
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ name: check, state, finding: expect.stringMatching(finding) }),
    );
    expect(code).toBe(state === 'bad' ? 2 : 0);
  },
);

test.each([
  [['run', '--bogus'], "unknown option '--bogus'"],
  [['nosuch'], "unknown command 'nosuch'"],
  [['run', '--max-turns', 'abc', 'hi'], 'Expected a whole number.'],
  [[], 'No command is named.'],
])('[CLI-17b] with --json %j is an object, too', async (args, message) => {
  const { code, lines } = await callCli(['--json', ...args], folder);
  expect(lines).toEqual([{ type: 'error', exitCode: 2, message: expect.stringContaining(message) }]);
  expect(code).toBe(2);
});

test('[CLI-17b] with --json the schema is one object on one line', async () => {
  const { stdout } = await callCli(['--json', 'schema'], folder);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
});

async function startProvider(status: number, error: object): Promise<Record<string, string>> {
  const { url } = await startHttpServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  });
  return { ...folder.environment, OPENAI_API_KEY: 'wrong-key', OPENAI_BASE_URL: `${url}/v1` };
}

test('[CLI-17c] a refused key: the run waits for the operator and says so; nothing is lost', async () => {
  const environment = await startProvider(401, {
    message: 'Incorrect API key provided',
    code: 'invalid_api_key',
  });
  const run = beginCall(['run', '--session', 'refused-key', '--model', 'openai:gpt-5.1', 'look'], {
    ...folder,
    environment,
  });
  await run.until(
    /A key in a variable needs a restart of the worker, too\.[^]*Waiting for you: fix the problem/,
  );
  const show = await callCli(['show', 'refused-key'], folder);
  expect(show.stdout).toMatch(/waiting +operator/);
  expect(`${show.stdout}${show.stderr}`).not.toContain('wrong-key');
  await callCli(['abort', 'refused-key'], folder);
  expect((await run.ended).code).toBe(11);
});

test('[CLI-17c] a provider that fails: run, watch and show say why, and when it is asked again', async () => {
  const environment = await startProvider(500, { message: 'the disk is full' });
  const run = beginCall(['run', '--session', 'failing', '--model', 'openai:gpt-5.1', 'look'], {
    ...folder,
    environment,
  });
  const said = /! model call failed, attempt \d+ (in \d+ s|is under way): .*(500|disk is full)/;
  await run.until(said);
  const watch = beginCall(['watch', 'failing'], folder);
  await watch.until(said);
  const { stdout } = await callCli(['show', 'failing'], folder);
  expect(stdout).toMatch(/retrying model call failed, attempt \d+/);
  expect(stdout).not.toContain('writing');
  await callCli(['abort', 'failing'], folder);
  expect([(await run.ended).code, (await watch.ended).code]).toEqual([11, 11]);
});

test('[CLI-17c] a model that the provider does not have: the run fails with its message', async () => {
  const error = { message: 'The model `nope` does not exist', code: 'model_not_found' };
  const environment = await startProvider(404, error);
  const { code, stdout } = await callCli(['run', '--model', 'openai:nope', 'look'], {
    ...folder,
    environment,
  });
  expect(stdout).toMatch(/failed[^]*Model\.NotFound[^]*nope/);
  expect(code).toBe(10);
});
