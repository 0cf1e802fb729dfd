// The MCP servers of a config: the two forms, their defaults, and how each mistake is told.
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/config-file.ts';
import { resolveConfig } from '../../src/config/config.ts';
import type { HoldfastConfig } from '../../src/config/define-config.ts';

function resolved(mcpServers?: HoldfastConfig['mcpServers']) {
  const secrets = { t: { env: 'T' } };
  const config = parseConfig(mcpServers === undefined ? {} : { mcpServers, secrets }, 'it');
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
  [{ x: { command: [] } }, 'mcpServers.x.command: expected a program and its arguments, as a list'],
  [{ x: { url: 'ftp://a.example' } }, 'mcpServers.x.url: expected an http(s) address'],
  [{ x: { url: 'https://a.example', command: ['a'] } }, 'mcpServers.x'],
  [{ x: { command: ['a'], token: 'b' } }, 'mcpServers.x'],
  [{ x: { command: ['a'], timeoutMs: 0 } }, 'mcpServers.x.timeoutMs: '],
  [{ a__b: { command: ['a'] } }, 'mcpServers.a__b: expected 1 to 30 letters'],
  [{ a_: { command: ['a'] } }, 'mcpServers.a_: expected 1 to 30 letters'],
  [{ 'a b': { command: ['a'] } }, 'mcpServers.a b: expected 1 to 30 letters'],
])('%j is refused', (mcpServers, message) => {
  expect(() => parseConfig({ mcpServers }, 'the config')).toThrow(message);
});

// code.claude.com/docs/en/mcp, cursor.com/docs/context/mcp, code.visualstudio.com/docs/copilot/reference/mcp-configuration,
// opencode.ai/docs/mcp-servers, zed.dev/docs/ai/mcp, docs.windsurf.com/windsurf/cascade/mcp, the README of gemini-cli
test.each<[string, object, object]>([
  [
    'Claude Desktop, Cursor',
    { command: 'npx', args: ['-y', 'server'], env: { A: 'b' } },
    { command: ['npx', '-y', 'server'], env: { A: 'b' } },
  ],
  ['a program alone', { command: './server' }, { command: ['./server'] }],
  ['Claude Code, VS Code', { type: 'stdio', command: 'uvx', args: ['a'] }, { command: ['uvx', 'a'] }],
  ['Claude Code, remote', { type: 'http', url: 'https://a.example' }, { url: 'https://a.example' }],
  [
    'opencode',
    { type: 'local', command: ['bun', 'x', 'a'], environment: { A: 'b' }, enabled: true },
    { command: ['bun', 'x', 'a'], env: { A: 'b' } },
  ],
  [
    'opencode, remote',
    { type: 'remote', url: 'https://a.example', headers: { a: 'b' } },
    { url: 'https://a.example', headers: { a: 'b' } },
  ],
  ['Zed', { source: 'custom', command: 'a', args: ['b'], env: {} }, { command: ['a', 'b'], env: {} }],
  [
    'Zed, before',
    { command: { path: 'a', args: ['b'], env: { A: 'b' } } },
    { command: ['a', 'b'], env: { A: 'b' } },
  ],
  ['Windsurf', { serverUrl: 'https://a.example' }, { url: 'https://a.example' }],
  ['Gemini CLI', { httpUrl: 'https://a.example', trust: false }, { url: 'https://a.example' }],
  ['Cline', { command: 'a', disabled: false, autoApprove: [] }, { command: ['a'] }],
])('[TOOL-42a] an entry in the form of another product is taken: %s', (_name, given, expected) => {
  expect(parseConfig({ mcpServers: { x: given } }, 'it').mcpServers).toEqual({ x: expected });
});

test.each<[string, object, RegExp]>([
  ['SSE alone', { x: { type: 'sse', url: 'https://a.example' } }, /mcpServers\.x\.type: .*streamable HTTP/],
  ['switched off', { x: { command: 'a', enabled: false } }, /mcpServers\.x\.enabled: .*remove/],
  ['switched off', { x: { command: 'a', disabled: true } }, /mcpServers\.x\.disabled: .*remove/],
  [
    'a variable',
    { x: { command: 'a', env: { A: '${env:TOKEN}' } } },
    /mcpServers\.x\.env: \$\{env:TOKEN\} .*secret:\/\//,
  ],
  [
    'a variable',
    { x: { url: 'https://a.example', headers: { B: 'Bearer ${TOKEN}' } } },
    /x\.headers: \$\{TOKEN\} .*secret:/,
  ],
  [
    'a variable',
    { x: { command: 'a', env: { A: '{env:TOKEN}' } } },
    /mcpServers\.x\.env: \{env:TOKEN\} .*secret:/,
  ],
  [
    'a variable',
    { x: { command: 'a', args: ['--root', '${HOME}/x'] } },
    /mcpServers\.x\.command: .*not replaced/,
  ],
  ['a variable', { x: { url: 'https://${HOST:-a.example}/mcp' } }, /mcpServers\.x\.url: .*not replaced/],
  ['approval', { x: { command: 'a', alwaysAllow: ['b'] } }, /mcpServers\.x\.alwaysAllow: .*policy/],
  ['a file of variables', { x: { command: 'a', envFile: '.env' } }, /mcpServers\.x\.envFile: .*"env"/],
])('[TOOL-42b] what cannot be taken is explained: %s', (_name, mcpServers, message) => {
  expect(() => parseConfig({ mcpServers }, 'the config')).toThrow(message);
});

test.each(['servers', 'mcp', 'context_servers', 'mcp_servers'])(
  '[TOOL-42c] the key "%s" of another product leads to mcpServers',
  (key) => {
    expect(() => parseConfig({ [key]: { x: { command: 'a' } } }, 'the config')).toThrow(
      'did you mean "mcpServers"?',
    );
  },
);
