// holdfast tools: every tool of a worker with its effect, the verdict of the policy and its status. Starts no worker.
import type { Command } from 'commander';
import { decidePolicy } from '../../core/tools/policy.ts';
import type { ToolEffect } from '../../core/model/tool-spec.ts';
import { name } from '../arguments.ts';
import { type Cli, openCommand } from '../cli.ts';
import { addExamples } from '../command-line.ts';
import { toLine } from '../render/plain-text.ts';
import { UserError } from '../user-error.ts';
import { defaultAgent } from '../../core/agent/start.ts';

type Row = {
  name: string;
  effect: ToolEffect;
  policy: string;
  source: string;
  status: string;
  description: string;
};

/** Empty where it is ready. */
function problemOf({ status }: Row): string {
  return status.startsWith('ready') ? '' : status;
}

/** Tools of one head are listed below one line. */
function headOf(row: Row): string {
  return `${row.source} ${problemOf(row)}`;
}

export function registerTools(program: Command, cli: Cli): void {
  const command = program
    .command('tools')
    .description('list the tools of a worker of this config: effect, policy and status')
    .option('--agent <name>', 'the verdict is for this agent', name)
    .action(async ({ agent: named }: { agent?: string }, used: Command) => {
      const { output, config } = await openCommand(cli, used, 'whole');
      const { collectParts } = await import('../../worker/parts.ts');
      const { offTools } = await import('../../worker/tool-sources/collect-sources.ts');
      const parts = await collectParts(config);
      try {
        const agent = named ?? defaultAgent;
        const spec = parts.agents.get(agent);
        if (!spec) {
          const known = [...parts.agents.keys()].sort().join(', ');
          throw new UserError(`There is no agent "${agent}": expected one of ${known}.`);
        }
        const scope = { agent, ...(spec.mode ? { mode: spec.mode } : {}) };
        const verdict = (tool: string, effect: ToolEffect) =>
          decidePolicy({ tool, effect }, config.policy, scope).decision;
        const present = [...parts.tools.values()].map(
          ({ spec: { name: tool, effect, source, description } }): Row => ({
            ...{ name: tool, effect, policy: verdict(tool, effect), source: source ?? 'built-in or own' },
            ...{ status: spec.tools.includes(tool) ? 'ready' : `ready, not for ${agent}`, description },
          }),
        );
        const units = parts.sources.flatMap((source) => source.units);
        const absent = units.flatMap((unit) =>
          unit.status === 'ready'
            ? []
            : unit.tools.map(({ name: tool, effect, description }): Row => ({
                ...{ name: tool, effect, policy: verdict(tool, effect), source: `${unit.kind}:${unit.name}` },
                status: unit.status === 'failed' ? `failed because ${unit.reason}` : 'disabled',
                description,
              })),
        );
        const rows = [...present, ...absent].sort(
          (left, right) =>
            left.source.localeCompare(right.source) ||
            problemOf(left).localeCompare(problemOf(right)) ||
            left.name.localeCompare(right.name),
        );
        const width = Math.max(...rows.map((row) => row.name.length));
        const { bold, dim, red } = output.colors;
        let head = '';
        for (const row of rows) {
          output.emit({ type: 'tool', ...row });
          const isReady = row.status.startsWith('ready');
          if (headOf(row) !== head)
            output.print(isReady ? bold(row.source) : `${bold(row.source)}  ${red(toLine(row.status, 500))}`);
          head = headOf(row);
          const facts = `  ${row.name.padEnd(width)}  ${row.effect.padEnd(10)}  ${row.policy.padEnd(5)}  `;
          const note = isReady && row.status !== 'ready' ? row.status : toLine(row.description, 80);
          output.print(isReady ? `${facts}${dim(note)}` : dim(`${facts}${note}`));
        }
        const off = Map.groupBy(offTools(parts.sources, parts.tools), ([, setting]) => setting);
        for (const [setting, pairs] of off) {
          for (const [tool] of pairs) output.emit({ type: 'tool_off', name: tool, turnedOnBy: setting });
          output.print(dim(`off: ${pairs.map(([tool]) => tool).join(', ')} (turned on by ${setting})`));
        }
        for (const unit of units) {
          // a toolset has its tools above
          if (unit.kind !== 'mcp' || unit.status !== 'failed') continue;
          const { name: server, reason } = unit;
          output.emit({ type: 'mcp_server', server, status: `failed because ${reason}` });
          output.print(`${bold(`mcp:${server}`)}  ${red(`failed because ${toLine(reason, 500)}`)}`);
        }
      } finally {
        await parts.close();
      }
    });
  addExamples(
    command,
    ['tools', 'tools --agent fixer'],
    'The policy judges each call by its arguments; "ask" and "allow" are the verdicts without any.',
  );
}
