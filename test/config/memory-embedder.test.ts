// Search by meaning with one line of config: a real server with OpenAI's endpoint for embeddings.
import { rename, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig, resolveConfig } from '../../src/config/config.ts';
import { openMemoryOf } from '../../src/config/memory.ts';
import { startHttpServer } from '../support/http-server.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

/** What a text is about, as one number each: what an embedder learns from many texts. */
const meanings = [/connection|pool|socket/i, /disk|volume|space/i, /certificate|tls|expired/i];

async function setUp(yaml: string, environment: Record<string, string> = {}) {
  const asked: { model: string; input: string[]; authorization: string | undefined }[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { model, input } = JSON.parse(await text(request)) as { model: string; input: string[] };
    asked.push({ model, input, authorization: request.headers.authorization });
    if (model === 'broken') return response.writeHead(404).end('{"error":{"message":"no such model"}}');
    if (model === 'page')
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>');
    if (model === 'other') {
      response.setHeader('content-type', 'application/json');
      return response.end('{"embeddings":[[1,2]]}');
    }
    const data = input.map((one, index) => ({
      object: 'embedding',
      index,
      embedding: [...meanings.map((meaning) => (meaning.test(one) ? 1 : 0)), 0.01],
    }));
    // a server may answer in any order
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ object: 'list', model, data: data.toReversed() }));
  };
  const server = await startHttpServer((request, response) => void answer(request, response));
  const cwd = await temporaryFolder();
  await writeFile(
    join(cwd, 'MEMORY.md'),
    '## Sockets\nThe pool has 40 of them.\n\n## Disks\nThe volume is full: planted secret.\n',
  );
  const file = join(cwd, 'holdfast.config.yaml');
  await writeFile(file, yaml.replaceAll('URL', `${server.url}/v1`));
  const open = async () => {
    const memory = openMemoryOf(await loadConfig({ cwd, environment }), ['planted secret']);
    if (memory) onTestFinished(() => void memory.close().catch(() => undefined));
    return memory;
  };
  return { asked, open, file, url: server.url };
}

const local = (model: string) => `
providers:
  local: { speaks: chat, baseUrl: URL }
memory: { embed: '${model}' }
`;

test('[MEM-07ac] one line of YAML finds by meaning what no word of the query names', async () => {
  const { asked, open } = await setUp(local('local:e5-small'), { LOCAL_API_KEY: 'key-of-local' });
  const memory = await open();
  const [best] = (await memory?.search('connection limit reached', 1)) ?? [];
  expect(best?.title).toBe('Sockets');
  expect(asked.map(({ model }) => model)).toEqual(['e5-small', 'e5-small']);
  expect(asked.every(({ authorization }) => authorization === 'Bearer key-of-local')).toBe(true);
  expect(JSON.stringify(asked)).not.toContain('planted secret');
  // the chunks are embedded once, also for another worker
  await (await open())?.search('connection', 1);
  expect(asked).toHaveLength(3);
});

test('[MEM-07d] a change of the model embeds all chunks anew', async () => {
  const { asked, open, file, url } = await setUp(local('local:e5-small'));
  await (await open())?.refresh();
  expect(asked.map(({ input }) => input.length)).toEqual([2]);
  await writeFile(file, local('local:e5-large').replaceAll('URL', `${url}/v1`));
  await (await open())?.refresh();
  expect(asked.map(({ model, input }) => [model, input.length])).toEqual([
    ['e5-small', 2],
    ['e5-large', 2],
  ]);
});

test('[MEM-15c] a server that refuses, or that answers something else, is named in words; a search by words needs none', async () => {
  for (const [model, words] of [
    ['broken', / failed at http:\/\/127\.0\.0\.1:\d+\/v1: 404 no such model$/],
    ['page', 'gave nothing: expected 2 lists of numbers, one a text.'],
    ['other', 'gave nothing: expected 2 lists of numbers, one a text.'],
  ] as const) {
    const { open } = await setUp(local(`local:${model}`));
    const memory = await open();
    await expect(memory?.search('pool', 1)).rejects.toThrow(`The embedder local:${model} `);
    await expect(memory?.search('pool', 1)).rejects.toThrow(words);
    expect(await memory?.recall('pool', 1, 'keyword')).toMatchObject([{ title: 'Sockets' }]);
  }
});

test('[MEM-14d] a project that is moved keeps its index: nothing is embedded again, and what was forgotten stays away', async () => {
  const { asked, open, file } = await setUp(local('local:e5-small'));
  const memory = await open();
  const [{ id } = { id: '' }] = (await memory?.search('disk', 1)) ?? [];
  expect(await memory?.forget(id)).toBe(true);
  await memory?.close();
  const moved = join(await temporaryFolder(), 'moved');
  await rename(dirname(file), moved);
  asked.length = 0;
  const again = openMemoryOf(await loadConfig({ cwd: moved, environment: {} }), []);
  if (again) onTestFinished(() => again.close());
  expect((await again?.search('disk', 5))?.map(({ title }) => title)).toEqual(['Sockets']);
  expect(asked).toHaveLength(1);
});

test.each([
  [
    'anthropic:claude-haiku-5',
    "expected a provider with a key and OpenAI's endpoint for embeddings (here: local)",
  ],
  ['nobody:e5', '(here: local)'],
])('[MEM-07e] %s has no embeddings, and the config says so', async (model, words) => {
  const { open } = await setUp(local(model), { ANTHROPIC_API_KEY: 'k' });
  await expect(open()).rejects.toThrow(words);
});

test('[MEM-07e] the key of a provider of own code goes to no server that the config does not name', async () => {
  const { open, asked } = await setUp(local('acme:embed'), { ACME_API_KEY: 'k' });
  const config = { modelProviders: { acme: { call: () => undefined } }, memory: { embed: 'acme:embed' } };
  const file = { path: '/project/holdfast.config.ts', config: config as never };
  const resolved = resolveConfig({ cwd: '/srv', environment: { ACME_API_KEY: 'k' }, file });
  expect(resolved.providers).toHaveProperty('acme');
  expect(() => openMemoryOf(resolved, [])).toThrow('(here: none)');
  await expect(open()).rejects.toThrow('(here: local)');
  expect(asked).toEqual([]);
});

test('a name without a provider is refused where the config is read', async () => {
  const { open } = await setUp(local('e5-small'));
  await expect(open()).rejects.toThrow(/memory\.embed: expected/);
});
