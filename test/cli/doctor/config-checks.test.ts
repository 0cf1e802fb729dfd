import { chmod } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { checkConfig } from '../../../src/cli/doctor/config-checks.ts';
import { resolveConfig } from '../../../src/config/config.ts';
import type { ArtifactStore, HoldfastConfig } from '../../../src/config/define-config.ts';
import type { ShellConfig } from '../../../src/config/schema/shell.schema.ts';
import { sandboxCheck, sandboxMissing } from '../../support/sandbox.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

async function checksOf(config: HoldfastConfig) {
  const cwd = await temporaryFolder();
  const file = { path: `${cwd}/holdfast.config.ts`, config: { model: 'openai:x', ...config } };
  const checks = [];
  for await (const check of checkConfig(resolveConfig({ cwd, environment: {}, file }))) checks.push(check);
  return checks;
}

async function resultsOf(get: ArtifactStore['get']) {
  const artifacts: ArtifactStore = { id: 'own', put: () => Promise.reject(new Error('only read')), get };
  return (await checksOf({ artifacts })).find(({ name }) => name === 'results');
}

test('a sandbox that the config turns off is said once, and cannot be missed', async () => {
  const checks = await checksOf({ shell: { sandbox: 'dangerously-off' } });
  const said = checks.filter(({ finding }) => finding.includes('SANDBOX'));
  expect(said).toMatchObject([{ name: 'sandbox', state: 'note' }]);
});

test.skipIf(!sandboxCheck.ok)(
  `a shell is something to look with; what it opens is said${sandboxMissing}`,
  async () => {
    const findingOf = async (shell: ShellConfig, wanted: string) =>
      (await checksOf({ shell })).find(({ name }) => name === wanted);
    expect(await findingOf({}, 'tools')).toMatchObject({ state: 'good' });
    expect((await findingOf({}, 'sandbox'))?.finding).toContain('no network');
    expect((await findingOf({ network: true }, 'sandbox'))?.finding).toContain('WITH NETWORK');
    expect((await findingOf({ changes: 'host' }, 'sandbox'))?.finding).toContain('RUN ON THE HOST');
  },
);

test.skipIf(!sandboxCheck.ok)(
  `folders that commands would not find, or could not write, are named${sandboxMissing}`,
  async () => {
    const closed = await temporaryFolder();
    await chmod(closed, 0o555);
    const checks = await checksOf({ shell: { writable: ['gone', closed] } });
    expect(checks.filter(({ name }) => name === 'shell')).toMatchObject([
      { state: 'note', finding: expect.stringMatching(/gone, which does not exist/) },
      { state: 'note', finding: expect.stringMatching(/where commands may not write: they run as /) },
    ]);
  },
);

test('a tool that an agent leaves out is none that it lacks', async () => {
  const on = { instructions: 'Look.', tools: ['*', '!report', 'read'] };
  const checks = await checksOf({ agents: { on }, files: { roots: ['/etc'] } });
  expect(checks.find(({ name }) => name === 'agents')).toMatchObject({ state: 'good' });
});

test('[GATE-10d] each destination has a line: its kind, its place without secrets, and what is missing', async () => {
  const checks = await checksOf({
    secrets: { hook: { env: 'HOLDFAST_TEST_ONE' }, key: { command: ['false'] } },
    destinations: {
      team: { slack: { url: 'secret://hook' } },
      ops: { webhook: { url: 'https://hooks.example.com/in?token=abc', secret: 'secret://key' } },
      duty: {
        email: { smtp: 'smtps://me:p/w@mail.example.com', from: 'a@example.com', to: ['b@example.com'] },
      },
    },
  });
  expect(checks.filter(({ name }) => name === 'destination')).toEqual([
    expect.objectContaining({
      state: 'bad',
      runsWithout: true,
      finding: expect.stringMatching(/^team: slack, hook; .*HOLDFAST_TEST_ONE/),
    }),
    { name: 'destination', state: 'good', finding: 'ops: webhook, hooks.example.com, key' },
    { name: 'destination', state: 'good', finding: 'duty: email, a@example.com, b@example.com' },
  ]);
});

test('a store of the config is asked, and nothing is written to it', async () => {
  expect(await resultsOf(() => Promise.resolve(undefined))).toEqual({
    name: 'results',
    state: 'good',
    finding: 'the store "own" of the config file answers',
  });
});

test('a store that does not answer is a fault', async () => {
  expect(await resultsOf(() => Promise.reject(new Error('connection refused')))).toEqual({
    name: 'results',
    state: 'bad',
    finding: 'the store "own" does not answer: connection refused',
    advice: 'Correct "artifacts" in the config file.',
  });
});
