// The secrets that a worker knows from its settings, where they are written as they are and not as references.
import { expect, test } from 'vitest';
import { createRedactor } from '@holdfast/redaction/redaction';
import { parseConfig } from '../../src/config/config-file.ts';
import { resolveConfig } from '../../src/config/config.ts';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import { secretsOf } from '../../src/worker/own-secrets.ts';

async function valuesOf(user: HoldfastConfig): Promise<string[]> {
  const file = { path: '/p/holdfast.config.ts', config: parseConfig(user, 'the test') };
  const config = resolveConfig({ cwd: '/p', environment: { OTHER: 'of-a-reference' }, file });
  const held = await secretsOf(config);
  const names = held.map(([name]) => name);
  expect(new Set(names).size).toBe(names.length);
  return held.map(([, value]) => value);
}

const basic = Buffer.from('ann:basic-password').toString('base64');

test('[SAFE-05] secrets that stand in headers, variables, tokens and settings are known', async () => {
  const values = await valuesOf({
    http: {
      allow: ['graf.test', 'bare.test'],
      hosts: {
        'graf.test': { headers: { Authorization: 'Bearer of-http-header', accept: 'application/json' } },
        'bare.test': { headers: { 'x-api-key': 'of-api-key', authorization: `Basic ${basic}` } },
      },
    },
    mcpServers: {
      far: { url: 'http://far.test/', headers: { 'X-Auth': 'of-mcp-header' }, token: 'of-mcp-token' },
      near: {
        command: ['near'],
        env: {
          DB_PASSWORD: 'of-mcp-env',
          DATABASE_URL: 'postgres://app:of%2Dthe-url@db/shop',
          LANG: 'C.UTF-8',
        },
      },
    },
    policyTiers: { classifier: { url: 'http://judge.test/', token: 'of-classifier' } },
    toolsets: { redis: { settings: { password: 'of-toolset', host: 'cache.test' } } },
  });
  for (const value of [
    'of-http-header',
    'of-api-key',
    basic,
    'basic-password',
    'of-mcp-header',
    'of-mcp-token',
    'of-mcp-env',
    'of-the-url',
    'of-classifier',
    'of-toolset',
  ])
    expect(values).toContain(value);
  const text = createRedactor(values).text('application/json C.UTF-8 cache.test of-http-header');
  expect(text).toBe('application/json C.UTF-8 cache.test [redacted:secret]');
});

test('a reference is no secret: its value is known, its text is not', async () => {
  const values = await valuesOf({
    secrets: { other: { env: 'OTHER' } },
    mcpServers: { far: { url: 'http://far.test/', token: 'secret://other' } },
    toolsets: { redis: { settings: { password: 'secret://other' } } },
  });
  expect(values).toEqual(['of-a-reference']);
});
