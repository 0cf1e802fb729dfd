import { expect, test } from 'vitest';
import {
  describeArtifacts,
  findArtifactStore,
  openArtifactAccess,
  openArtifactStore,
} from '../../src/config/artifacts.ts';
import { parseConfig } from '../../src/config/config-file.ts';
import { resolveConfig } from '../../src/config/config.ts';

const bytes = Buffer.from('kept');
/** As plain JavaScript has it. */
const own = {
  id: 'own',
  get: (sessionId: string, name: string) => (sessionId === 's1' && name === 'x' ? bytes : undefined),
  put() {
    throw new Error('full');
  },
};
const file = { path: '/project/holdfast.config.js', config: parseConfig({ artifacts: own }, 'The config') };
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

test('a store of the config may also list and remove, as an instance of a class', async () => {
  class Own {
    readonly id = 'own';
    readonly kept = ['x'];
    put() {}
    get() {}
    async *list(sessionId = 's1') {
      yield { sessionId, name: this.kept[0] ?? '', sizeBytes: 1, storedAt: new Date(0) };
    }
    remove() {
      this.kept.length = 0;
    }
  }
  const checked = parseConfig({ artifacts: new Own() }, 'The config');
  const found = await findArtifactStore(
    resolveConfig({ cwd: '/', environment: {}, file: { path: '/x.js', config: checked } }),
  );
  const listed = found?.list?.('s2');
  expect(await listed?.[Symbol.asyncIterator]().next()).toMatchObject({
    value: { sessionId: 's2', name: 'x' },
  });
  await found?.remove?.('s2');
  expect(Reflect.get(checked.artifacts ?? {}, 'kept')).toEqual([]);
});

test('a folder that is not there has no store, and none is made', async () => {
  const place = resolveConfig({ cwd: '/nowhere', environment: {} });
  expect(await findArtifactStore(place)).toBeUndefined();
});

test.each([
  [{ bucket: 'results' }, 's3://results/'],
  [{ bucket: 'results', prefix: '/ops/eu/' }, 's3://results/ops/eu/'],
  [
    { bucket: 'results', prefix: 'ops', endpoint: 'http://127.0.0.1:9000' },
    's3://results/ops/ at http://127.0.0.1:9000',
  ],
])('a bucket of the config: %j', (s3, shown) => {
  const checked = parseConfig({ artifacts: { s3 }, retention: { artifactsDays: 30 } }, 'The config');
  const place = resolveConfig({ cwd: '/', environment: {}, file: { path: '/x.json', config: checked } });
  expect(describeArtifacts(place)).toBe(shown);
  expect(place.retention).toEqual({ artifactsDays: 30 });
});

test.each([
  [{ artifacts: { s3: {} } }, 'artifacts.s3.bucket: expected string, received undefined'],
  [{ artifacts: { s3: { bucket: 'b', acl: 'public' } } }, 'artifacts.s3: unrecognized key: "acl"'],
  [
    { artifacts: { s3: { bucket: 'b', endpoint: 'localhost:9000' } } },
    'artifacts.s3.endpoint: expected an http(s) address',
  ],
  [{ artifacts: { s3: { bucket: 'b', accessKeyId: 'x' } } }, 'artifacts.s3: unrecognized key: "accessKeyId"'],
  [{ artifactsDir: 'x', artifacts: { s3: { bucket: 'b' } } }, 'expected no artifactsDir beside it'],
  [{ artifacts: 's3://b' }, 'artifacts: expected a store: an id'],
  [{ retention: { artifactsDays: 0 } }, 'retention.artifactsDays'],
  [{ maxOutputBytes: 64 }, 'maxOutputBytes: expected bytes, at least 8388608'],
  [{ maxOutputBytes: 2 ** 31 }, 'maxOutputBytes: expected bytes, at most 1073741824'],
])('a mistake is that of the form that was meant: %j', (config, expected) => {
  expect(() => parseConfig(config, 'The config')).toThrow(expected);
});
