// Secrets by reference: from variables, files and commands, and what is said where there is none.
import { readFileSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '@holdfast/redaction/redaction';
import { secretReferences } from '../../../src/activities/secrets/references.ts';
import { SecretError, createSecrets, type SecretsDeps } from '../../../src/activities/secrets/secrets.ts';
import type { SecretSource } from '../../../src/activities/secrets/sources.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { until } from '../../support/until.ts';

type Bench = { folder: string; learned: [string, string][]; environment: Record<string, string> };

async function secretsOf(
  settings: (folder: string) => Record<string, SecretSource>,
  deps: Partial<SecretsDeps> = {},
) {
  const folder = await temporaryFolder();
  const bench: Bench = { folder, learned: [], environment: { PATH: process.env['PATH'] ?? '' } };
  const secrets = createSecrets(settings(folder), {
    environment: bench.environment,
    folder,
    redact: createRedactor([]).text,
    learn: (value, name) => void bench.learned.push([name, value]),
    ...deps,
  });
  return { ...bench, secrets };
}

test('a reference is replaced wherever it is in a text, once for each value, and the redactor knows it first', async () => {
  const { secrets, environment, learned } = await secretsOf(() => ({
    'grafana-token': { env: 'GRAFANA_TOKEN' },
    'db.pass': { env: 'DB_PASS' },
  }));
  Object.assign(environment, { GRAFANA_TOKEN: 'glsa_value', DB_PASS: 'secret://grafana-token' });
  expect(await secrets.resolve('Bearer secret://grafana-token')).toBe('Bearer glsa_value');
  // a value is not read again for references
  expect(await secrets.resolve('postgres://app:secret://db.pass@db/shop?t=secret://grafana-token.')).toBe(
    'postgres://app:secret://grafana-token@db/shop?t=glsa_value.',
  );
  expect(await secrets.resolve('no reference')).toBe('no reference');
  expect(learned).toEqual([
    ['grafana-token', 'glsa_value'],
    ['db.pass', 'secret://grafana-token'],
  ]);
});

test('a file and a command give their value without the line end, and without a shell', async () => {
  const { secrets, folder } = await secretsOf((place) => ({
    file: { file: join(place, 'token') },
    command: { command: ['printf', '%s\\n', 'a $HOME; `b`'] },
    beside: { command: ['cat', 'token'] },
  }));
  await writeFile(join(folder, 'token'), ' of the file \n');
  expect(await secrets.resolve('secret://file')).toBe(' of the file ');
  expect(await secrets.resolve('secret://command')).toBe('a $HOME; `b`');
  expect(await secrets.resolve('secret://beside')).toBe(' of the file ');
});

test('a value is read once for a while, anew after its time, and a failure is not kept', async () => {
  const { secrets, folder } = await secretsOf((place) => ({ token: { file: join(place, 'token') } }));
  await expect(secrets.resolve('secret://token')).rejects.toThrow(/ENOENT/);
  await writeFile(join(folder, 'token'), 'first-value');
  expect(await secrets.resolve('secret://token')).toBe('first-value');
  await writeFile(join(folder, 'token'), 'second-value');
  expect(await secrets.resolve('secret://token')).toBe('first-value');
  const short = await secretsOf((place) => ({ token: { file: join(place, 'token') } }), { keepMs: 1 });
  await writeFile(join(short.folder, 'token'), 'first-value');
  await short.secrets.resolve('secret://token');
  await writeFile(join(short.folder, 'token'), 'second-value');
  await until(
    'the new value',
    async () => (await short.secrets.resolve('secret://token')) === 'second-value',
  );
});

describe('a SecretError names the secret, and never its value', () => {
  const script = (place: string) => join(place, 'ask.sh');
  test.each<[string, string, SecretSource | undefined, RegExp]>([
    ['unknown', 'secret://other', { env: 'X' }, /There is no secret "other", .* expected one of token/],
    ['in capitals', 'secret://Token', { env: 'X' }, /There is no secret "Token"/],
    ['without a name', 'Bearer secret://', { env: 'X' }, /There is no secret ""/],
    ['of an unset variable', 'secret://token', { env: 'UNSET' }, /environment variable UNSET is not set/],
    ['of a short variable', 'secret://token', { env: 'SHORT' }, /it is shorter than 6 characters/],
    ['of an empty variable', 'secret://token', { env: 'EMPTY' }, /environment variable EMPTY is empty/],
    [
      'of a missing file',
      'secret://token',
      { file: '/no/such/file' },
      /file \/no\/such\/file cannot be read \(ENOENT\)/,
    ],
    [
      'of a missing program',
      'secret://token',
      { command: ['no-such-program'] },
      /cannot be started \(ENOENT\)/,
    ],
    ['of a silent command', 'secret://token', { command: ['true'] }, /the output of true is empty/],
  ])('%s', async (_name, text, source, reason) => {
    const { secrets, environment } = await secretsOf(() => (source ? { token: source } : {}));
    Object.assign(environment, { EMPTY: ' ', SHORT: 'abcde' });
    const error = await secrets.resolve(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SecretError);
    expect(String(error)).toMatch(reason);
  });

  test('of a command that fails: the first line of what it said, without the value and without its arguments', async () => {
    const { secrets, folder, learned } = await secretsOf((place) => ({
      token: { command: [script(place), 'arg-word'] },
    }));
    const lines = ['#!/bin/sh', 'echo value-of-the-secret', 'echo "denied: value-of-the-secret" >&2'];
    await writeFile(script(folder), [...lines, 'echo "more words" >&2', 'exit 3', ''].join('\n'));
    await chmod(script(folder), 0o755);
    const error = String(await secrets.resolve('secret://token').catch((thrown: unknown) => thrown));
    expect(error).toMatch(/ended with 3: denied: \[redacted:secret\]\.$/);
    expect(error).not.toMatch(/value-of|more words|arg-word/);
    expect(learned).toEqual([]);
  });

  test('of a command that does not end: it is killed with what it has started', async () => {
    const { secrets, folder } = await secretsOf((place) => ({ token: { command: [script(place)] } }), {
      commandLimitMs: 1_000,
    });
    await writeFile(script(folder), '#!/bin/sh\nsleep 600 &\necho $! > child\nwait\n');
    await chmod(script(folder), 0o755);
    await expect(secrets.resolve('secret://token')).rejects.toThrow(/did not end within 1 s/);
    const pid = Number(await readFile(join(folder, 'child'), 'utf8'));
    await until('the child is gone', () => !isRunning(pid));
  });

  test('of a command that prints without end', async () => {
    const { secrets } = await secretsOf(() => ({ token: { command: ['yes'] } }));
    await expect(secrets.resolve('secret://token')).rejects.toThrow(/printed more than 64 KiB/);
  });
});

/** A zombie, which nobody here has collected, is not running. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

test('references are found at any depth, each once', () => {
  const cycle: Record<string, unknown> = {
    a: 'Bearer secret://one',
    b: [{ c: 'secret://two/secret://one' }],
  };
  cycle['self'] = cycle;
  expect(secretReferences(cycle)).toEqual(['one', 'two']);
  expect(secretReferences('nothing')).toEqual([]);
});
