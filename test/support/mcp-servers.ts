// What tests of MCP need: settings of real and of hostile servers, and their tools as a worker has them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { StartableServer, StdioServerSettings } from '../../src/activities/mcp/mcp-settings.ts';
import { type McpDeps, type McpTools, collectMcpTools } from '../../src/activities/mcp/mcp-tools.ts';
import type { RegisteredTool } from '../../src/activities/tools/define-tool.ts';
import { temporaryFolder, toolBench } from './tool-calls.ts';

const modules = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol');
const hostile = join(import.meta.dirname, 'hostile-mcp-server.ts');

export function everything(...args: string[]): StdioServerSettings {
  return { command: [process.execPath, join(modules, 'server-everything/dist/index.js'), ...args] };
}

export function filesystem(...folders: string[]): StdioServerSettings {
  return { command: [process.execPath, join(modules, 'server-filesystem/dist/index.js'), ...folders] };
}

export type HostileServer = { settings: StdioServerSettings; lines(): string[]; pids(): number[] };

/** A server that misbehaves in this way, and what it wrote down. */
export async function hostileServer(
  way: string,
  more: Partial<StdioServerSettings> = {},
): Promise<HostileServer> {
  const ledger = join(await temporaryFolder(), 'ledger');
  const lines = (): string[] =>
    existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').filter(Boolean) : [];
  const pids = (): number[] =>
    lines().flatMap((line) => (line.startsWith('start ') ? [Number(line.slice(6))] : []));
  onTestFinished(() =>
    pids()
      .filter(isRunning)
      .forEach((pid) => process.kill(pid, 'SIGKILL')),
  );
  return { settings: { command: [process.execPath, hostile, way, ledger], ...more }, lines, pids };
}

export type McpBench = McpTools & {
  pinsFile: string;
  logged: string[];
  /** The registered tool; throws where there is none. */
  tool(name: string): RegisteredTool;
};

/** Collects as a worker does, with pins in a folder of the test. */
export async function collect(
  servers: Record<string, StartableServer>,
  overrides: Partial<McpDeps> = {},
): Promise<McpBench> {
  const pinsFile = overrides.pinsFile ?? join(await temporaryFolder(), 'holdfast.mcp-pins.json');
  const logged: string[] = [];
  const collected = await collectMcpTools(servers, {
    version: '1.2.3',
    pinsFile,
    log: (line) => void logged.push(line),
    resolve: (text) => Promise.resolve(text),
    ...overrides,
  });
  onTestFinished(() => collected.close());
  const warnings = [...collected.warnings, ...(await collected.pinNew())];
  const tool = (name: string): RegisteredTool => {
    const found = collected.tools.find(({ spec }) => spec.name === name);
    if (found) return found;
    throw new Error(
      `no tool ${name}: ${collected.tools.map(({ spec }) => spec.name).join(', ')}; ${collected.warnings.join(' ')}`,
    );
  };
  return { ...collected, warnings, pinsFile, logged, tool };
}

/** One call of a tool whose approval was given; the result as the model gets it. */
export async function callTool(tool: RegisteredTool, args: Record<string, string | number | boolean> = {}) {
  const bench = await toolBench(tool, { policy: [{ tool: '*', decision: 'allow' }] });
  const { message } = await bench.run(args);
  const [part] = message.content;
  return { ...message, text: part?.type === 'text' ? part.text : '', bench };
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
