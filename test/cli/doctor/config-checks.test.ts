import { expect, test } from 'vitest';
import { checkConfig } from '../../../src/cli/doctor/config-checks.ts';
import { resolveConfig } from '../../../src/config/config.ts';
import type { ArtifactStore } from '../../../src/config/define-config.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

async function resultsOf(get: ArtifactStore['get']) {
  const cwd = await temporaryFolder();
  const artifacts: ArtifactStore = { id: 'own', put: () => Promise.reject(new Error('only read')), get };
  const file = { path: `${cwd}/holdfast.config.ts`, config: { artifacts, model: 'openai:x' } };
  const checks = [];
  for await (const check of checkConfig(resolveConfig({ cwd, environment: {}, file }))) checks.push(check);
  return checks.find(({ name }) => name === 'results');
}

test('a store of the config is asked, and nothing is written to it', async () => {
  expect(await resultsOf(() => Promise.resolve(undefined))).toEqual({
    ...{ name: 'results', state: 'good' },
    finding: 'the store "own" of the config file answers',
  });
});

test('a store that does not answer is a fault', async () => {
  expect(await resultsOf(() => Promise.reject(new Error('connection refused')))).toEqual({
    ...{ name: 'results', state: 'bad' },
    finding: 'the store "own" does not answer: connection refused',
    advice: 'Correct "artifacts" in the config file.',
  });
});
