// holdfast extend-budget: gives the work in hand more to spend.
import type { Command } from 'commander';
import type { Budget } from '../../core/agent-spec.ts';
import { amount, anySession, count } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { UserError } from '../user-error.ts';
import { withServer } from '../with-server.ts';

type Options = { turns?: number; tokens?: number; cost?: number; minutes?: number; toolCalls?: number };

export function registerExtendBudget(program: Command, cli: Cli): void {
  program
    .command('extend-budget')
    .description('add to the budget of the work in hand; what it ended goes on with "holdfast continue"')
    .argument('<session>', 'session id', anySession)
    .option('--turns <n>', 'model responses', count)
    .option('--tokens <n>', 'tokens, in and out', count)
    .option('--cost <usd>', 'US dollars', amount)
    .option('--minutes <n>', 'wall time', amount)
    .option('--tool-calls <n>', 'tool calls', count)
    .action(async (sessionId: string, options: Options, command: Command) => {
      const by = toBudget(options);
      if (Object.keys(by).length === 0) {
        throw new UserError(
          'Nothing to add: expected one of --turns, --tokens, --cost, --minutes, --tool-calls.',
        );
      }
      await withServer(cli, command, async ({ output, access }) => {
        const { budget } = await access.client.control(sessionId).extendBudget(by);
        output.emit({ sessionId, budget });
        output.print(`The budget of ${sessionId} is now ${describe(budget)}.`);
      });
    });
}

function toBudget({ turns, tokens, cost, minutes, toolCalls }: Options): Budget {
  return {
    ...(turns === undefined ? {} : { turns }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(cost === undefined ? {} : { costUsd: cost }),
    ...(minutes === undefined ? {} : { wallMs: Math.round(minutes * 60_000) }),
    ...(toolCalls === undefined ? {} : { toolCalls }),
  };
}

function describe({ turns, tokens, costUsd, wallMs, toolCalls }: Budget): string {
  const parts = [
    ...(turns === undefined ? [] : [`${turns} turns`]),
    ...(tokens === undefined ? [] : [`${tokens} tokens`]),
    ...(costUsd === undefined ? [] : [`$${costUsd}`]),
    ...(wallMs === undefined ? [] : [`${Math.round(wallMs / 60_000)} minutes`]),
    ...(toolCalls === undefined ? [] : [`${toolCalls} tool calls`]),
  ];
  return parts.join(', ') || 'without limit';
}
