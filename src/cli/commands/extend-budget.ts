// holdfast extend-budget: gives the work in hand more to spend.
import type { Command } from 'commander';
import type { Budget } from '../../core/model/agent-spec.ts';
import { counted } from '../../core/base/words.ts';
import { amount, anySession, count } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { UserError } from '../user-error.ts';
import { withServer } from '../with-server.ts';

type Options = { turns?: number; tokens?: number; cost?: number; minutes?: number; toolCalls?: number };

const minuteMs = 60_000;

const help = `
Work that the budget has ended goes on with "holdfast continue". --max-turns of a run is no budget: "holdfast continue"
gives it afresh.

Example:
  $ holdfast extend-budget checkout-is-slow-k3v9x --cost 2 --minutes 30`;

export function registerExtendBudget(program: Command, cli: Cli): void {
  program
    .command('extend-budget')
    .description('add to the budget of the work in hand')
    .argument('<session>', 'session id', anySession)
    .option('--turns <n>', 'model responses', count)
    .option('--tokens <n>', 'tokens, in and out', count)
    .option('--cost <usd>', 'US dollars', amount)
    .option('--minutes <n>', 'wall time', amount)
    .option('--tool-calls <n>', 'tool calls', count)
    .addHelpText('after', help)
    .action(async (sessionId: string, options: Options, command: Command) => {
      const by = toBudget(options);
      if (Object.keys(by).length === 0) {
        throw new UserError(
          'Nothing to add: expected one of --turns, --tokens, --cost, --minutes, --tool-calls.',
        );
      }
      await withServer(cli, command, async ({ output, access }) => {
        const { budget } = await access.client.control(sessionId).extendBudget(by);
        output.emit({ sessionId, added: by, budget });
        output.print(describeExtension(sessionId, by, budget));
      });
    });
}

function toBudget({ turns, tokens, cost, minutes, toolCalls }: Options): Budget {
  return {
    ...(turns === undefined ? {} : { turns }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(cost === undefined ? {} : { costUsd: cost }),
    ...(minutes === undefined ? {} : { wallMs: Math.round(minutes * minuteMs) }),
    ...(toolCalls === undefined ? {} : { toolCalls }),
  };
}

/** In the units of the options. A line for each: what was added, and what it comes to. */
function describeExtension(sessionId: string, by: Budget, budget: Budget): string {
  const lines = fields.flatMap(([field, inWords]) => {
    const [added, sum] = [by[field], budget[field]];
    if (added === undefined) return [];
    const more = inWords(added);
    if (sum === undefined) return [`  ${more}: its budget has no such limit, so nothing was added`];
    return [`  ${more} more: ${inWords(sum)} in all`];
  });
  return [`Extended the budget of ${sessionId}:`, ...lines].join('\n');
}

const fields: [keyof Budget, (value: number) => string][] = [
  ['turns', (value) => counted(value, 'turn')],
  ['tokens', (value) => `${value.toLocaleString('en-US')} ${value === 1 ? 'token' : 'tokens'}`],
  ['costUsd', (value) => `$${toCents(value)}`],
  ['wallMs', (value) => counted(Number((value / minuteMs).toFixed(2)), 'minute')],
  ['toolCalls', (value) => counted(value, 'tool call')],
];

/** `2.00`, and as many digits as a small sum needs. */
function toCents(value: number): string {
  const exact = Number(value.toFixed(6));
  return exact.toFixed(Math.max(2, String(exact).split('.')[1]?.length ?? 0));
}
