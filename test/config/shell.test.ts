// The settings of the tool bash: which are refused, and what commands must not see.
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/config-file.ts';
import { resolveConfig } from '../../src/config/config.ts';
import type { ShellConfig } from '../../src/config/schema/shell.schema.ts';

const resolved = (shell: ShellConfig | undefined, environment = {}) =>
  resolveConfig({
    cwd: '/ops',
    environment,
    file: { path: '/ops/conf/holdfast.config.ts', config: shell ? { shell } : {} },
  }).shell;

test('[TOOL-16b] without "shell" there is none; "shell: {}" is the narrowest that asks for changes', () => {
  expect(resolved(undefined)).toBeUndefined();
  expect(resolved({})).toMatchObject({
    sandbox: 'bubblewrap',
    changes: 'sandbox',
    network: false,
    unixSockets: false,
    writable: [],
    hidden: [],
    open: [],
    environment: {},
    timeoutMs: 600_000,
  });
  expect(resolved({ writable: ['data', '/srv'] })?.writable).toEqual(['/ops/conf/data', '/srv']);
});

test('the agent’s folder, its artifacts, the config file, .env and files with keys are not there for commands', () => {
  const environment = {
    OPENAI_API_KEY_FILE: 'key',
    TEMPORAL_TLS_CLIENT_KEY_PATH: '/etc/tls/client.key',
    TEMPORAL_TLS_CLIENT_CERT_PATH: '/etc/tls/client.crt',
  };
  expect(resolved({}, environment)?.ownPaths).toEqual(
    // oxfmt-ignore
    expect.arrayContaining([
      '/ops/conf/.holdfast', '/ops/conf/.holdfast/artifacts', '/ops/conf/holdfast.config.ts',
      '/ops/.env', '/ops/conf/.env', '/ops/key', '/etc/tls/client.key',
    ]),
  );
});

test('files of secrets and of encryption keys are not there either', () => {
  const { shell, closedPaths } = resolveConfig({
    cwd: '/ops',
    environment: { OPENAI_API_KEY_FILE: 'key' },
    file: {
      path: '/ops/conf/holdfast.config.ts',
      config: {
        shell: {},
        secrets: { token: { file: 'token' }, other: { env: 'OTHER' }, asked: { command: ['vault', 'read'] } },
        encryption: { activeKey: 'k1', keys: { k1: { file: '/run/k1' }, k2: 'secret://token' } },
      },
    },
  });
  const files = ['/ops/conf/token', '/run/k1', '/ops/key'];
  expect(shell?.ownPaths).toEqual(expect.arrayContaining(files));
  // of the file tools, which may read the config
  expect(closedPaths.toSorted()).toEqual(
    ['/ops/conf/.holdfast', '/ops/conf/.holdfast/artifacts', ...files].toSorted(),
  );
});

test.each([
  [{ shell: true }, 'shell'],
  [{ shell: { writeable: ['/srv'] } }, 'writeable'],
  [{ shell: { sandbox: false } }, 'expected "dangerously-off"'],
  [{ shell: { changes: 'yes' } }, 'changes'],
  [{ shell: { changes: 'never', writable: ['/srv'] } }, 'expected no folders beside changes: never'],
  [{ shell: { limits: { memoryBytes: 512 } } }, 'expected bytes'],
  [{ shell: { environment: { LD_PRELOAD: '/x.so' } } }, 'can make a command run something else'],
  [{ shell: { environment: { PATH: '/x' } } }, 'can make a command run something else'],
  [{ shell: { timeoutMs: 10 } }, 'timeoutMs'],
])('%j is refused with the place', (config, message) => {
  expect(() => parseConfig(config, 'holdfast.config.ts')).toThrow(message);
});
