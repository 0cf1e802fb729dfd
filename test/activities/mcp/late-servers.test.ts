// Servers that need their time: the limit is a setting, and tools that come late are there for later runs.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resolveConfig } from '../../../src/config/config.ts';
import { collectParts } from '../../../src/worker/parts.ts';
import { callTool, collect, hostileServer, isRunning } from '../../support/mcp-servers.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { until } from '../../support/until.ts';

test('[TOOL-41a] the time for a start is a setting', async () => {
  const { settings } = await hostileServer('mute', { startTimeoutMs: 300 });
  const { warnings } = await collect({ shop: settings });
  expect(warnings.join()).toContain('it failed: it did not answer within 0.3 s');
});

test('[TOOL-41b] a server that failed is listed again: its tools are pinned, said and called', async () => {
  const { settings } = await hostileServer('late', { startTimeoutMs: 2_000 });
  const bench = await collect({ shop: settings });
  expect(bench.tools).toEqual([]);
  expect(bench.isAbsent('mcp__shop__act')).toBe(true);
  bench.lookAgain();
  bench.lookAgain();
  await until('the tools', () =>
    bench.logged.some((line) => line.includes('for runs that begin from now on')),
  );
  expect(bench.logged.join('\n')).toMatch(/accepted at first sight, and pinned in .*: act\./);
  expect(bench.isAbsent('mcp__shop__act')).toBe(false);
  expect((await callTool(bench.tool('mcp__shop__act'), { text: 'a' })).text).toBe('call 1: a');
  bench.lookAgain();
  expect(bench.tools).toHaveLength(1);
});

test('[TOOL-41b] where it fails again nothing changes, and the end of the worker ends it', async () => {
  const { settings, pids } = await hostileServer('mute', { startTimeoutMs: 400 });
  const bench = await collect({ shop: settings });
  const { settings: patient, pids: others } = await hostileServer('late', { startTimeoutMs: 60_000 });
  bench.lookAgain();
  await until('the second start', () => pids().length === 2);
  await bench.close();
  await until('the end of every process', () => pids().every((pid) => !isRunning(pid)));
  const waiting = collect({ shop: patient }).catch(() => undefined);
  await until('a start', () => others().length === 1);
  for (const pid of others()) process.kill(pid, 'SIGKILL');
  await waiting;
});

test('[TOOL-41c] agents and groups of a worker have the late tools from the next run on', async () => {
  const { settings } = await hostileServer('late', { startTimeoutMs: 2_000 });
  const folder = await temporaryFolder();
  const config = {
    mcpServers: { shop: settings },
    agents: { night: { instructions: 'Help.', tools: ['mcp__shop__*', 'mcp__shop__act'] } },
    toolGroups: { more: ['mcp__shop__act', 'report'] },
  };
  const file = { path: join(folder, 'holdfast.config.ts'), config };
  const parts = await collectParts(
    resolveConfig({ cwd: folder, environment: { OPENAI_API_KEY: 'k' }, file }),
  );
  onTestFinished(() => parts.close());
  const logged: string[] = [];
  await parts.start((line) => void logged.push(line));
  const next = async () => {
    parts.lookAgain();
    await parts.agentFiles.reread(() => undefined);
  };
  await next();
  expect(parts.agents.get('night')?.tools).toEqual([]);
  await until('the tools', () => logged.some((line) => line.includes('from now on')));
  await next();
  expect(parts.agents.get('night')?.tools).toEqual(['mcp__shop__act']);
  expect(parts.agents.get('investigator')?.tools).toContain('mcp__shop__act');
  expect(parts.toolGroups).toEqual({ more: ['mcp__shop__act', 'report'] });
  expect(parts.problemsOfAgent('night')).toEqual([]);
});
