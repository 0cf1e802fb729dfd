// MCP servers from the config to a session: listed, called in a real run, pinned, refused and accepted, by the commands.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelScript } from '@holdfast/scripted-model/model-script';
import { type CliLine, callCli } from '../support/cli.ts';
import { type CliFolder, changeConfig, makeCliFolder } from '../support/cli-folder.ts';
import { filesystem } from '../support/mcp-servers.ts';

let folder: CliFolder;
const pins = (): string => join(folder.cwd, 'holdfast.mcp-pins.json');

beforeAll(async () => {
  folder = await makeCliFolder('mcp-tools');
  const script: ModelScript = {
    name: 'reads-by-mcp',
    steps: [
      {
        id: 'look',
        text: 'I look.',
        calls: [
          {
            tool: 'mcp__files__read_text_file',
            args: { path: join(folder.cwd, 'logs', 'shop.log') },
            capture: { line: { regex: '(pool timeout after \\d+ ms)' } },
          },
        ],
      },
      { id: 'answer', text: 'The log says: {{line}}.' },
    ],
  };
  await writeFile(join(folder.cwd, 'script.json'), JSON.stringify(script));
  await changeConfig(folder, (config) => ({
    ...config,
    mcpServers: {
      files: { ...filesystem('logs'), tools: ['read_*', 'write_file'] },
      gone: { command: ['/nowhere/server'] },
    },
    policy: [
      { tool: 'mcp__files__read_*', decision: 'allow' },
      // of a server that is not there now: no reason not to start
      { tool: 'mcp__gone__restart', decision: 'deny' },
    ],
    agents: {
      reader: { instructions: 'Read.', tools: ['mcp__files__read_text_file', 'mcp__gone__restart'] },
    },
  }));
});
afterAll(() => folder.remove());

const serverOf = (lines: CliLine[], name: string): CliLine =>
  lines.find(({ type, server }) => type === 'server' && server === name) ?? {};

test('[TOOL-29a] mcp list shows servers, tools, effect, policy and state, and writes nothing', async () => {
  const { code, lines } = await callCli(['mcp', 'list', '--json'], folder);
  expect(code).toBe(0);
  expect(serverOf(lines, 'gone')['status']).toMatch(/^failed because .*(\/nowhere\/server|ENOENT)/);
  const { status, tools } = serverOf(lines, 'files');
  expect(status).toBe('ready');
  expect(tools).toContainEqual({
    tool: 'read_text_file',
    name: 'mcp__files__read_text_file',
    state: 'new',
    isOffered: true,
    effect: 'once',
    policy: 'allow',
  });
  expect(tools).toContainEqual(expect.objectContaining({ tool: 'write_file', policy: 'ask' }));
  expect(tools).toContainEqual(
    expect.objectContaining({ tool: 'edit_file', state: 'left out', isOffered: false }),
  );
  await expect(readFile(pins())).rejects.toThrow('ENOENT');
  const { stdout } = await callCli(['mcp', 'list'], folder);
  expect(stdout).toMatch(/\ngone {2}failed because /);
});

test('[TOOL-29b] a run calls a tool of a server, for an agent whose other server is dead', async () => {
  const { code, stdout, stderr } = await callCli(
    ['run', '--agent', 'reader', 'why is checkout slow?'],
    folder,
  );
  expect(stderr).toContain('MCP server files: accepted at first sight, and pinned in');
  expect(stderr).toMatch(/MCP server gone: its tools are absent, because it failed/);
  expect(stdout).toMatch(/→ mcp__files__read_text_file path=/);
  expect(stdout).toContain('The log says: pool timeout after 512 ms.');
  expect(code).toBe(0);
});

test('[TOOL-29c] a tool that changed is refused, shown, and accepted by a command', async () => {
  const file = JSON.parse(await readFile(pins(), 'utf8'));
  file.servers.files.read_text_file.description = '0'.repeat(64);
  await writeFile(pins(), JSON.stringify(file));
  const { stdout } = await callCli(['mcp', 'list'], folder);
  expect(stdout).toMatch(
    /mcp__files__read_text_file {2}once · allow · changed: its description changed .* · not offered/,
  );
  const refused = await callCli(['run', '--agent', 'reader', '--max-turns', '2', 'again'], folder);
  expect(refused.stderr).toContain('read_text_file: its description changed since it was accepted');
  const accepted = await callCli(['mcp', 'accept', 'files', 'read_text_file'], folder);
  expect(accepted.stdout).toMatch(/Accepted read_text_file \(was changed\):\n {2}Read the complete contents/);
  const { lines } = await callCli(['mcp', 'list', '--json'], folder);
  expect(serverOf(lines, 'files')['tools']).toContainEqual(
    expect.objectContaining({ tool: 'read_text_file', state: 'accepted', isOffered: true }),
  );
});

test.each([
  [['nobody'], 'There is no MCP server "nobody" in the config: expected one of files, gone.'],
  [['gone'], 'The MCP server "gone" failed: '],
  [['files', 'nothing'], 'The MCP server "files" has no tool "nothing" that can be accepted: it lists '],
])('[TOOL-29d] mcp accept %s: a mistake is said', async (args, message) => {
  const { code, stderr } = await callCli(['mcp', 'accept', ...args], folder);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
