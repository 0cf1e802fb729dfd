import { expect, test } from 'vitest';
import { openArtifactAccess, openArtifactStore } from '../../src/config/artifacts.ts';
import { checkConfig } from '../../src/config/config-file.ts';
import { resolveConfig } from '../../src/config/config.ts';

const bytes = Buffer.from('kept');
/** As plain JavaScript has it. */
const own = {
  id: 'own',
  get: (sessionId: string) => (sessionId === 's1' ? bytes : undefined),
  put() {
    throw new Error('full');
  },
};
const file = { path: '/project/holdfast.config.js', config: checkConfig({ artifacts: own }, 'The config') };
const config = resolveConfig({ cwd: '/project', environment: {}, file });

test.each([
  ['the worker', () => openArtifactStore(config)],
  ['a command', () => Promise.resolve(openArtifactAccess(config))],
])('%s uses the store of the config, whose functions may do without promises', async (_who, open) => {
  const store = await open();
  expect(await store.get('s1', 'x')).toBe(bytes);
  expect(await store.get('s2', 'x')).toBeUndefined();
  await expect(store.put('s1', 'x', 'y')).rejects.toThrow('full');
});
