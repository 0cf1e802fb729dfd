// What is wrong with a command is told before a server is started, or its binary is looked for: nothing is left behind.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const night = (spec: object) => ({
  script: 'script.json',
  agents: { night: { instructions: 'x', tools: [], ...spec } },
});
const cases: [name: string, args: string[], message: RegExp, config?: object][] = [
  ['no model', ['run', 'look'], /No model to run with/, {}],
  ['no model for a worker', ['worker'], /No model to run with/, {}],
  ['a tool of an agent', ['worker'], /Agent night: There is no tool "fly"/, night({ tools: ['fly'] })],
  [
    'a hook of an agent',
    ['run', 'look'],
    /Agent night: There is no hook "h"/,
    night({ hooks: [{ name: 'h' }] }),
  ],
  [
    'unknown agent',
    ['run', '--agent', 'nobody', 'look'],
    /There is no agent "nobody": expected one of .*, investigator,/,
  ],
  [
    '[CLI-30a] unknown agent of a start for a worker elsewhere',
    ['run', '--detach', '--agent', 'invstigator', 'look'],
    /There is no agent "invstigator": expected one of .* Did you mean "investigator"\?/,
  ],
  ['unknown model', ['run', '--model', 'acme:one', 'look'], /no model provider "acme"/],
  ['a key that is missing', ['run', '--model', 'openai:x', 'look'], /set OPENAI_API_KEY/],
  ['an input that is none', ['run', '--input', 'odd.json'], /maxTurns/],
  ['a tool that the input names', ['run', '--input', 'tool.json'], /There is no tool "fly"/],
  [
    'a results folder that cannot be',
    ['run', 'look'],
    /Cannot use .*for results/,
    { script: 'script.json', artifactsDir: 'script.json/x' },
  ],
  [
    'session id with a path',
    ['run', '--session', 'bad id/..', 'look'],
    /'--session <id>' argument 'bad id\/\.\.' is invalid\. Expected 1 to 200 letters/,
  ],
  ['session id that is empty', ['fork', 'a', '--session', ''], /--session <id>.*Expected 1 to 200 letters/],
  ['schema without a file', ['run', '--schema', '', 'look'], /--schema <file>' argument '' is invalid/],
  ['label without a value', ['run', '--label', 'team=', 'look'], /Expected key=value, with both/],
  ['label without a key', ['run', '--label', ' =x', 'look'], /Expected key=value, with both/],
  [
    'cost below 0',
    ['run', '--max-cost', '-1', 'look'],
    /--max-cost.*'-1' is invalid\. Expected a number above 0/,
  ],
  ['cost that is no number', ['run', '--max-cost', 'NaN', 'look'], /Expected a number above 0/],
  ['cost without end', ['run', '--max-cost', 'Infinity', 'look'], /Expected a number above 0/],
  ['turns below 0', ['run', '--max-turns', '-3', 'look'], /Expected a whole number/],
  [
    'no sessions to list',
    ['list', '--limit', '0'],
    /--limit <count>' argument '0' is invalid\. Expected a whole number above 0/,
  ],
  ['nothing to add', ['extend-budget', 'a', '--turns', '0'], /Expected a whole number above 0/],
  ['no budget named', ['extend-budget', 'a'], /Nothing to add: expected one of --turns/],
  ['turn 0', ['fork', 'a', '--at-turn', '0'], /Expected a whole number above 0/],
  ['fork with a model that is not there', ['fork', 'a', '--model', 'acme:x'], /no model provider "acme"/],
  ['session that is not named', ['show', ''], /Expected the id of a session/],
  ['the same for a message', ['steer', ' ', 'hello'], /Expected the id of a session/],
  [
    'answer that is none',
    ['run', '--approval', 'maybe', 'look'],
    /--approval <answer>.*Allowed choices are approve, deny/,
  ],
  [
    'two answers',
    ['run', '--approval', 'deny', '--yes', 'look'],
    /--approval <answer>' cannot be used with option '--yes'/,
  ],
  ['a fork where nothing ever ran', ['fork', 'a'], /No Temporal server: none was started in/],
];

test.each(cases)('%s', async (_name, args, message, config = { script: 'script.json' }) => {
  const cwd = await temporaryFolder();
  const files = {
    'script.json': { name: 's', steps: [{ id: 'a', text: 'Hello.' }] },
    'holdfast.config.json': config,
    'odd.json': { prompt: 'look', loop: { maxTurns: 'many' } },
    'tool.json': { prompt: 'look', tools: ['fly'] },
  };
  for (const [name, value] of Object.entries(files)) await writeFile(join(cwd, name), JSON.stringify(value));
  await mkdir(join(cwd, 'cache'));
  // were a binary looked for, this would be the error
  const environment = { HOLDFAST_CACHE_DIR: '/proc/cache', PATH: '/bin' };
  const inFolder = args.map((word) => (word in files ? join(cwd, word) : word));
  const { code, stderr } = await callCli(inFolder, { cwd, environment });
  expect(stderr).toMatch(message);
  expect(code).toBe(args[0] === 'fork' && args.length === 2 ? 3 : 2);
  const left = await readdir(cwd, { recursive: true });
  expect(left.filter((name) => /server|temporal/.test(name))).toEqual([]);
});
