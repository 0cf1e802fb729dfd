// Names in a start over HTTP: what the config of the gateway shows to be unknown is refused, before Temporal is asked.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const agents = { night: { instructions: 'x', tools: [] } };
const destinations = { team: { file: { folder: 'out' } } };
const start = '/v1/sessions';

test.each<[string, object, RegExp]>([
  [
    'agent',
    { agent: 'nihgt' },
    /^There is no agent "nihgt": expected one of .*investigator.*, night, triage\. Did you mean "night"\?$/,
  ],
  [
    'destination',
    { deliver: [{ to: 'taem' }] },
    /^There is no destination "taem": expected one of team\. Did you mean/,
  ],
])(
  '[HTTP-01g] an unknown %s is refused with those that there are, and nothing is started',
  async (_, named, expected) => {
    const { ask } = await startTestGateway({ agents, destinations });
    const { status, body } = await ask(start, { json: { prompt: 'Look.', ...named } });
    expect([status, body['code'], body['detail']]).toEqual([
      422,
      'InvalidInput',
      expect.stringMatching(expected),
    ]);
  },
);

test.each<[string, object, object]>([
  ['an agent of the config', { agents, destinations }, { agent: 'night', deliver: [{ to: 'team' }] }],
  ['an agent of the package', { agents }, { agent: 'triage' }],
  ['the default agent', { agents }, {}],
  ['agents and destinations that only the workers know', {}, { agent: 'nihgt', deliver: [{ to: 'taem' }] }],
])('[HTTP-01h] %s: the start goes to Temporal', async (_, config, named) => {
  const { ask } = await startTestGateway(config);
  const { status, body } = await ask(start, { json: { prompt: 'Look.', ...named } });
  expect([status, body['code']]).toEqual([503, 'ServerUnreachable']);
});

test('[WORKER-15e] an agent that came into the config file goes to Temporal, and one that left it is refused', async () => {
  const configFile = join(await temporaryFolder(), 'holdfast.config.json');
  await writeFile(configFile, JSON.stringify({ agents: { day: agents.night } }));
  const { ask } = await startTestGateway({ agents, configFile });
  const codeOf = async (agent: string) =>
    (await ask(start, { json: { prompt: 'Look.', agent } })).body['code'];
  expect(await codeOf('day')).toBe('ServerUnreachable');
  expect(await codeOf('night')).toBe('InvalidInput');
});
