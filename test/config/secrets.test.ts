// Secrets and encryption in a config: what is accepted, and what each mistake says, without a value in it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/config-file.ts';
import { loadConfigParts } from '../../src/config/config.ts';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import { readKeys, readSecret } from '../../src/config/secrets.ts';
import { resolvedAt } from '../support/composed-worker.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const key = Buffer.alloc(32, 7);
const good: HoldfastConfig = {
  secrets: { 'k2-key': { file: 'keys/k2' }, token: { command: ['vault', 'read', 'x'] } },
  encryption: { activeKey: 'k2', keys: { k1: { env: 'K1' }, k2: 'secret://k2-key' } },
};

const resolved = (config: HoldfastConfig, environment = {}, cwd = '/place') =>
  resolvedAt(cwd, config, environment);

test('files of secrets and keys start at the config file', () => {
  const { secrets, encryption } = resolved({
    ...good,
    encryption: { activeKey: 'k', keys: { k: { file: 'k' } } },
  });
  expect(secrets['k2-key']).toEqual({ file: '/place/keys/k2' });
  expect(encryption?.keys).toEqual({ k: { file: '/place/k' } });
});

test.each<[string, unknown, RegExp]>([
  ['a name in capitals', { secrets: { Token: { env: 'T' } } }, /expected a name of lower-case letters/],
  [
    'a name that ends with a dash',
    { secrets: { 'token-': { env: 'T' } } },
    /expected a name of lower-case letters/,
  ],
  ['a value in place of a source', { secrets: { token: 'planted-value' } }, /expected \{ env: 'VARIABLE' \}/],
  ['two sources', { secrets: { token: { env: 'T', file: 'x' } } }, /expected \{ env: 'VARIABLE' \}/],
  [
    'a command for a shell',
    { secrets: { token: { command: 'vault read x' } } },
    /expected \{ env: 'VARIABLE' \}/,
  ],
  [
    'a key in the file',
    { encryption: { activeKey: 'k', keys: { k: 'planted-value' } } },
    /expected 'secret:\/\/name'/,
  ],
  [
    'an unknown active key',
    { encryption: { activeKey: 'x', keys: { k: { env: 'K' } } } },
    /is none of "keys"/,
  ],
  [
    'a secret that is not there',
    { secrets: { other: { env: 'O' } }, encryption: { activeKey: 'k', keys: { k: 'secret://gone' } } },
    /there is no secret "gone", .* expected one of other/,
  ],
  [
    'a key id with blanks',
    { encryption: { activeKey: 'a b', keys: { 'a b': { env: 'K' } } } },
    /expected a key id/,
  ],
])('%s is refused, and no value is shown', (_name, config, reason) => {
  expect(() => parseConfig(config, 'config')).toThrow(reason);
  expect(() => parseConfig(config, 'config')).not.toThrow(/planted-value/);
});

const smtp = (address: string) => ({
  mail: { email: { smtp: address, from: 'a@example.com', to: ['b@example.com'] } },
});
const chat = { mapping: { file: 'discord', settings: { url: '${DISCORD_URL}' } } };

test.each<[string, HoldfastConfig, string]>([
  [
    'a password of a mail server',
    { destinations: smtp('smtp://ops:${SMTP_PASSWORD}@mail.example.com') },
    'destinations: ${SMTP_PASSWORD} ',
  ],
  ['a setting of a mapping', { destinations: { chat } }, 'destinations: ${DISCORD_URL} '],
  [
    'a setting of a source',
    { toolsets: { grafana: { settings: { url: 'https://a.example', token: '{env:TOKEN}' } } } },
    'toolsets: {env:TOKEN} ',
  ],
  ['a queue', { taskQueue: '${QUEUE:-ops}' }, 'taskQueue: ${QUEUE:-ops} '],
  [
    'a bucket',
    { artifacts: { s3: { bucket: '${BUCKET}', region: 'eu-central-1' } } },
    'artifacts: ${BUCKET} ',
  ],
])('a variable in %s is refused by name, because nothing replaces it', (_name, config, words) => {
  expect(() => parseConfig(config, 'config')).toThrow(words);
  expect(() => parseConfig(config, 'config')).toThrow(/secret:\/\/name/);
});

test('a variable that a shell or an agent reads is none of the config', () => {
  const config: HoldfastConfig = {
    agents: { a: { instructions: 'Explain ${HOME}.', tools: [] } },
    mcpServers: { x: { command: ['sh', '-c', 'exec serve --root "${HOME}"'] } },
    receivers: { r: { format: 'alertmanager', task: 'Look at ${service}.' } },
  };
  expect(() => parseConfig(config, 'config')).not.toThrow();
});

test('keys come from any source; without encryption there are none', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'k2'), `${key.toString('hex')}\n`);
  const config = { ...good, secrets: { 'k2-key': { file: 'k2' } } };
  const keys = await readKeys(resolved(config, { K1: key.toString('base64') }, cwd));
  expect(keys?.activeKey).toBe('k2');
  expect([...(keys?.keys ?? [])].map(([id, bytes]) => [id, Buffer.from(bytes)])).toEqual([
    ['k1', key],
    ['k2', key],
  ]);
  expect(await readKeys(resolved({}))).toBeUndefined();
  expect([good, {}].map((each) => resolved(each).encryption !== undefined)).toEqual([true, false]);
});

test.each([
  ['is not set', {}, /The encryption key "k1" cannot be read: the environment variable K1 is not set\.$/],
  [
    'is too short',
    { K1: 'cGxhbnRlZA==' },
    /The encryption key "k1" is 7 bytes: expected 32 bytes as 64 hex digits/,
  ],
])('a key that %s is named, and not shown', async (_name, environment, reason) => {
  const config = resolved({ encryption: { activeKey: 'k1', keys: { k1: { env: 'K1' } } } }, environment);
  const error = String(await readKeys(config).catch((thrown: unknown) => thrown));
  expect(error).toMatch(reason);
  expect(error).not.toMatch(/cGxhbnRl|planted/);
});

test('a value on a command line is refused, a reference is read', async () => {
  const config = resolved({ secrets: { token: { env: 'TOKEN' } } }, { TOKEN: 'value-of-it' });
  expect(await readSecret(config, 'secret://token')).toBe('value-of-it');
  for (const given of ['value-of-it', 'Bearer secret://token', 'secret://']) {
    await expect(readSecret(config, given)).rejects.toThrow(/Expected a reference, secret:\/\/name/);
  }
  await expect(readSecret(config, 'secret://gone')).rejects.toThrow(/There is no secret "gone"/);
});

describe('commands that need little of the file never take encryption for off', () => {
  const parts = async (text: string) => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'holdfast.config.json'), text);
    return loadConfigParts({ cwd, environment: {} });
  };

  test('where another field is wrong, encryption and its secrets count', async () => {
    const { config, mistake } = await parts(JSON.stringify({ ...good, tolos: [] }));
    expect(mistake).toMatch(/tolos/);
    expect(config.encryption).toBeDefined();
    expect(config.secrets).toHaveProperty('k2-key');
  });

  test.each([
    ['encryption itself is wrong', JSON.stringify({ encryption: { activeKey: 'k', keys: {} } })],
    ['its secret is missing', JSON.stringify({ ...good, secrets: {} })],
    ['the file does not parse', '{"encryption": '],
  ])('where %s, nothing is sent', async (_name, text) => {
    await expect(parts(text)).rejects.toThrow(/without that no command talks to a server/);
  });

  test('a broken file without encryption is a warning, as ever', async () => {
    expect((await parts('{"agents": ')).mistake).toMatch(/does not parse/);
  });
});
