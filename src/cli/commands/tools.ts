// holdfast tools: every tool of a worker with its effect, the verdict of the policy and its status. Starts no worker.
import { decidePolicy } from '../../core/tools/policy.ts';
import type { ToolEffect } from '@holdfast/vocabulary/tool-spec';
import { name } from '../arguments.ts';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import type { Config } from '../../config/config.ts';
import type { Parts } from '../../worker/parts.ts';
import type { SourceInstance } from '../../worker/tool-sources/tool-source.ts';
import { defined } from '@holdfast/base/defined';
import type { OpenedCommand, Output } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { toLine } from '../render/plain-text.ts';
import { UserError } from '../../common/user-error.ts';
import { defaultAgent } from '@holdfast/vocabulary/session-input';
import { describeUnknown } from '../../core/agent/start.ts';
import { withParts } from '../with-parts.ts';

type Row = {
  name: string;
  effect: ToolEffect;
  policy: string;
  source: string;
  status: string;
  description: string;
  /** Nobody has run its source against a real server yet. */
  preview?: true;
};

/** Tools with the same head are listed below one line. */
function headOf({ source, status }: Row): string {
  return `${source} ${status}`;
}

export function registerTools(program: CliCommand): void {
  program
    .command('tools')
    .option('--agent <name>', 'the verdict is for this agent', name)
    .examples(
      ['tools', 'tools --agent fixer'],
      'The policy judges each call by its arguments; "ask" and "allow" are the verdicts without any.',
    )
    .onConfig('whole', listTools);
}

async function listTools(
  { output, config }: OpenedCommand,
  { agent = defaultAgent }: { agent?: string },
): Promise<void> {
  const { offTools } = await import('../../worker/tool-sources/collect-sources.ts');
  await withParts(config, (parts) => {
    const spec = parts.agents.get(agent);
    if (!spec) throw new UserError(describeUnknown('agent', agent, parts.agents.keys()));
    printRows(rowsFor(agent, spec, parts, config), output, instancesOf(parts));
    printOff(offTools(parts.sources, parts.tools), output);
    printFailedServers(parts, output);
  });
}

function rowsFor(agent: string, spec: AgentSpec, parts: Parts, { policy }: Config): Row[] {
  const { mode, tools, toolGroups = [] } = spec;
  const groupOf = (tool: string) => toolGroups.find((group) => parts.toolGroups[group]?.includes(tool));
  const statusOf = (tool: string): string => {
    const problem = problems.get(tool);
    if (problem !== undefined) return `ready, but it does not answer now: ${problem}`;
    if (tools.includes(tool)) return 'ready';
    const group = groupOf(tool);
    return group === undefined ? `ready, not for ${agent}` : `ready, loaded on demand (group ${group})`;
  };
  const problems = new Map(
    unitsOf(parts).flatMap((unit) => unit.tools.map(({ name: tool }) => [tool, unit.problem])),
  );
  const previews = new Set(
    unitsOf(parts).flatMap(({ isPreview, tools: own }) => (isPreview ? own.map(({ name }) => name) : [])),
  );
  const verdict = (tool: string, effect: ToolEffect) =>
    decidePolicy({ tool, effect }, policy, defined({ agent, mode })).decision;
  const present = [...parts.tools.values()].map(
    ({ spec: { name: tool, effect, source, description } }): Row =>
      defined({
        name: tool,
        effect,
        policy: verdict(tool, effect),
        source: source ?? 'built-in or own',
        status: statusOf(tool),
        description,
        preview: previews.has(tool) || undefined,
      }),
  );
  const absent = unitsOf(parts).flatMap((unit) => {
    if (unit.status === 'ready') return [];
    const source = `${unit.kind}:${unit.name}`;
    const status = unit.status === 'failed' ? `failed because ${unit.reason}` : 'disabled';
    return unit.tools.map(({ name: tool, effect, description }): Row => {
      return { name: tool, effect, policy: verdict(tool, effect), source, status, description };
    });
  });
  return [...present, ...absent].sort(
    (left, right) =>
      left.source.localeCompare(right.source) ||
      left.status.localeCompare(right.status) ||
      left.name.localeCompare(right.name),
  );
}

/** Lines below the head of a toolset, by its source. */
function instancesOf(parts: Parts): Map<string, SourceInstance[]> {
  return new Map(
    unitsOf(parts).flatMap(({ kind, name: unit, instances }) =>
      instances === undefined ? [] : [[`${kind}:${unit}`, instances] as const],
    ),
  );
}

function printInstances(source: string, instances: readonly SourceInstance[], output: Output): void {
  const { dim, red } = output.colors;
  for (const { name: instance, address = '', description = '', problem } of instances) {
    output.emit({ type: 'instance', source, name: instance, address, description, ...defined({ problem }) });
    const facts = toLine(
      ['instance', instance, address, description].filter((text) => text !== '').join('  '),
      200,
    );
    output.print(`  ${dim(facts)}${problem === undefined ? '' : red(`  not now: ${toLine(problem, 300)}`)}`);
  }
}

function printRows(rows: Row[], output: Output, instances: Map<string, SourceInstance[]>): void {
  const width = Math.max(...rows.map((row) => row.name.length));
  const { bold, dim, red } = output.colors;
  let head = '';
  for (const row of rows) {
    output.emit({ type: 'tool', ...row });
    const isReady = row.status.startsWith('ready');
    if (headOf(row) !== head) {
      const status = row.status === 'ready' ? '' : `  ${(isReady ? dim : red)(toLine(row.status, 500))}`;
      const preview = row.preview ? dim('  preview: nobody has run it against a real server yet') : '';
      output.print(`${bold(row.source)}${status}${preview}`);
      if (isReady && !head.startsWith(`${row.source} ready`))
        printInstances(row.source, instances.get(row.source) ?? [], output);
    }
    head = headOf(row);
    const facts = `  ${row.name.padEnd(width)}  ${row.effect.padEnd(10)}  ${row.policy.padEnd(5)}  `;
    const note = toLine(row.description, 80);
    output.print(isReady ? `${facts}${dim(note)}` : dim(`${facts}${note}`));
  }
}

function printOff(off: [string, string][], output: Output): void {
  for (const [setting, pairs] of Map.groupBy(off, ([, turnedOnBy]) => turnedOnBy)) {
    for (const [tool] of pairs) output.emit({ type: 'tool_off', name: tool, turnedOnBy: setting });
    const names = pairs.map(([tool]) => tool).join(', ');
    output.print(output.colors.dim(`off: ${names} (turned on by ${setting})`));
  }
}

/** The tools of a failed toolset are listed above. */
function printFailedServers(parts: Parts, output: Output): void {
  const { bold, red } = output.colors;
  for (const unit of unitsOf(parts)) {
    if (unit.kind !== 'mcp' || unit.status !== 'failed') continue;
    const { name: server, reason } = unit;
    output.emit({ type: 'mcp_server', server, status: `failed because ${reason}` });
    output.print(`${bold(`mcp:${server}`)}  ${red(`failed because ${toLine(reason, 500)}`)}`);
  }
}

function unitsOf({ sources }: Parts) {
  return sources.flatMap((source) => source.units);
}
