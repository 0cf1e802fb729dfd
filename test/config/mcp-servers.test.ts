// The MCP servers of a config: the two forms, their defaults, and how each mistake is told.
import { expect, test } from 'vitest';
import { checkConfig } from '../../src/config/config-file.ts';
import { resolveConfig } from '../../src/config/config.ts';
import type { HoldfastConfig } from '../../src/config/define-config.ts';

function resolved(mcpServers?: HoldfastConfig['mcpServers']) {
  const secrets = { t: { env: 'T' } };
  const config = checkConfig(mcpServers === undefined ? {} : { mcpServers, secrets }, 'it');
  return resolveConfig({ cwd: '/else', environment: {}, file: { path: '/a/holdfast.config.ts', config } });
}

test('a local server runs in the folder of the config file, or in one that starts there', () => {
  const http = {
    url: 'https://mcp.example/x',
    token: 'secret://t',
    headers: { a: 'b' },
    trustAnnotations: true,
  };
  const { mcpServers } = resolved({
    own: { command: ['./server', '-v'] },
    other: { command: ['server'], cwd: 'tools', env: { A: 'b' }, requirePins: true },
    far: http,
  });
  expect(mcpServers).toEqual({
    own: { command: ['./server', '-v'], cwd: '/a' },
    other: { command: ['server'], cwd: '/a/tools', env: { A: 'b' }, requirePins: true },
    far: http,
  });
  expect(resolved().mcpServers).toEqual({});
});

test.each([
  [{ x: { command: 'npx server' } }, 'mcpServers.x.command: '],
  [{ x: { command: [] } }, 'mcpServers.x.command: expected a program and its arguments, as a list'],
  [{ x: { url: 'ftp://a.example' } }, 'mcpServers.x.url: expected an http(s) address'],
  [{ x: { url: 'https://a.example', command: ['a'] } }, 'mcpServers.x'],
  [{ x: { command: ['a'], token: 'b' } }, 'mcpServers.x'],
  [{ x: { command: ['a'], timeoutMs: 0 } }, 'mcpServers.x.timeoutMs: '],
  [{ a__b: { command: ['a'] } }, 'mcpServers.a__b: expected 1 to 30 letters'],
  [{ a_: { command: ['a'] } }, 'mcpServers.a_: expected 1 to 30 letters'],
  [{ 'a b': { command: ['a'] } }, 'mcpServers.a b: expected 1 to 30 letters'],
])('%j is refused', (mcpServers, message) => {
  expect(() => checkConfig({ mcpServers }, 'the config')).toThrow(message);
});
