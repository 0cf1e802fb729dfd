// MCP servers as parts of a worker: what an absent server costs, and what stays a mistake.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resolveConfig } from '../../../src/config/config.ts';
import type { HoldfastConfig } from '../../../src/config/define-config.ts';
import { secretsOf } from '../../../src/worker/own-secrets.ts';
import { collectParts } from '../../../src/worker/parts.ts';
import { hostileServer } from '../../support/mcp-servers.ts';
import { temporaryFolder, toolBench } from '../../support/tool-calls.ts';

async function configOf(user: HoldfastConfig) {
  const folder = await temporaryFolder();
  const file = { path: join(folder, 'holdfast.config.ts'), config: user };
  return resolveConfig({ cwd: folder, environment: { OPENAI_API_KEY: 'k' }, file });
}

async function partsOf(user: HoldfastConfig) {
  const parts = await collectParts(await configOf(user));
  onTestFinished(() => parts.close());
  return parts;
}

const gone = { command: ['/nowhere/server'] };

test('a dead server is no reason for a worker not to start: agents, groups and rules lose its tools', async () => {
  const { settings: shop } = await hostileServer('plain');
  const parts = await partsOf({
    mcpServers: { shop, gone },
    agents: { night: { instructions: 'Help.', tools: ['mcp__shop__act', 'mcp__gone__act'] } },
    toolGroups: { more: ['mcp__gone__act', 'report'] },
    policy: [{ tool: 'mcp__gone__act', decision: 'deny' }],
  });
  expect(parts.problems).toEqual([]);
  expect(parts.agents.get('night')?.tools).toEqual(['mcp__shop__act']);
  expect(parts.agents.get('investigator')?.tools).toContain('mcp__shop__act');
  expect(parts.toolGroups).toEqual({ more: ['report'] });
  expect(parts.warnings.join('\n')).toMatch(/gone: its tools are absent.*covers no tool of this worker/s);
});

test('a name that a live server does not have is a mistake', async () => {
  const { settings: shop } = await hostileServer('plain');
  const mcpServers = { shop };
  const night = { instructions: 'Help.', tools: ['mcp__shop__atc'] };
  const { problems } = await partsOf({ mcpServers, agents: { night } });
  expect(problems[0]?.message).toContain('There is no tool "mcp__shop__atc"');
  await expect(
    partsOf({ mcpServers, policy: [{ tool: 'mcp__shop__atc', decision: 'deny' }] }),
  ).rejects.toThrow('names the tool "mcp__shop__atc", which is not there');
});

test('a tool of an MCP server asks a person, and is called after the approval only', async () => {
  const { settings: shop, lines } = await hostileServer('plain');
  const { tools } = await partsOf({ mcpServers: { shop } });
  const tool = tools.get('mcp__shop__act');
  if (!tool) throw new Error('no tool');
  const bench = await toolBench(tool);
  expect(await bench.text({ text: 'a' })).toContain("needs a person's approval on this worker");
  expect(lines()).not.toContain('call act');
  expect(await bench.text({ text: 'a' }, { approvedBy: 'ann' })).toBe('call 1: a');
});

test('the token of a server is a secret of the worker', async () => {
  const config = await configOf({
    mcpServers: { a: { url: 'https://a.example', token: 'token-of-a' }, b: { command: ['b'] } },
  });
  expect((await secretsOf(config)).map(([, value]) => value)).toContain('token-of-a');
});

test('what a server writes for people reaches the log of the worker, without the secrets of its settings', async () => {
  const { settings } = await hostileServer('chatty', { env: { TOKEN: 'secret://shop' } });
  const config = await configOf({ mcpServers: { shop: settings }, secrets: { shop: { env: 'SHOP' } } });
  const parts = await collectParts({ ...config, environment: { SHOP: 'hunter2-hunter2' } });
  onTestFinished(() => parts.close());
  const logged: string[] = [];
  await parts.start((line) => void logged.push(line));
  const tool = parts.tools.get('mcp__shop__act');
  const bench = tool && (await toolBench(tool, { policy: [{ tool: '*', decision: 'allow' }] }));
  await bench?.text({ text: 'hunter2-hunter2' });
  await expect.poll(() => logged.length).toBe(101);
  expect(logged[0]).toBe('MCP server shop: line 0 [redacted:secret]');
});
