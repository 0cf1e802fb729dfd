// Which key a model request gets, and that it is read anew.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKeys } from '../../src/config/secrets.ts';

let folder: string;
let apiKeyFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-keys-'));
  apiKeyFile = join(folder, 'key');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('[LOOP-24] a key file is read anew each time, for every provider of its vendor', async () => {
  const keys = createApiKeys({ providers: { openai: { apiKeyFile }, 'openai-chat': { apiKeyFile } } });
  await writeFile(apiKeyFile, ' first\n');
  expect(await keys('openai')).toBe('first');
  await writeFile(apiKeyFile, 'second');
  expect(await keys('openai-chat')).toBe('second');
  expect(await keys('anthropic')).toBeUndefined();
  expect(await keys('scripted')).toBeUndefined();
});

test('[LOOP-24] getApiKey goes before the file; what it leaves empty the file fills', async () => {
  await writeFile(apiKeyFile, 'of-file');
  const given: Record<string, string> = { openai: 'given', anthropic: ' ' };
  const getApiKey = (provider: string) => given[provider];
  const keys = createApiKeys({ getApiKey, providers: { openai: { apiKeyFile }, anthropic: { apiKeyFile } } });
  expect(await keys('openai')).toBe('given');
  expect(await keys('anthropic')).toBe('of-file');
});

test('a key file that is gone is an error, which the call tries again', async () => {
  const keys = createApiKeys({ providers: { openai: { apiKeyFile: join(folder, 'gone') } } });
  await expect(keys('openai')).rejects.toThrow('ENOENT');
});
