// holdfast fork: a new session from where another stands, or stood at the end of a turn. The other is left alone.
import { InvalidArgumentError, type Command } from 'commander';
import { type Checkpoint, forkCheckpoint } from '../../client.ts';
import type { SessionInput } from '../../core/session-input.ts';
import { wholeNumber } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { startAndFollow } from '../start-session.ts';
import { UserError, exitCodes } from '../user-error.ts';
import { withServer } from '../with-server.ts';

type Options = {
  atTurn?: number;
  run?: string;
  model?: string;
  prompt?: string;
  session?: string;
  detach?: boolean;
  yes?: boolean;
};

const examples = `
Examples:
  $ holdfast fork checkout-is-slow-k3v9x --at-turn 4 --prompt "leave the cache out of it"
  $ holdfast fork checkout-is-slow-k3v9x --model anthropic:claude-sonnet-5-5
The new session has the messages and outputs of the other, which is left as it is.`;

export function registerFork(program: Command, cli: Cli): void {
  program
    .command('fork')
    .description('start a new session from where another stands, or stood at the end of a turn')
    .argument('<session>', 'session id; running or ended')
    .option('--at-turn <count>', 'from the end of this turn; default from where it stands', turnNumber)
    .option('--run <id>', 'the run that --at-turn counts in, e.g. run-1; default the newest')
    .option('--model <provider:id>', 'another model for the new session')
    .option('--prompt <text>', 'what to do next; without it the work goes on')
    .option('--session <id>', 'id of the new session; default made from the task')
    .option('--detach', 'start it and return; a worker must run elsewhere')
    .option('--yes', 'approve every call that asks')
    .addHelpText('after', examples)
    .action(async (sessionId: string, options: Options, command: Command) => {
      await withServer(
        cli,
        command,
        (frame) =>
          startAndFollow(frame, options, async () => {
            const checkpoint = await frame.access.client.checkpoint(sessionId);
            return toInput(sessionId, checkpoint, options);
          }),
        { create: true, config: 'whole' },
      );
    });
}

function toInput(sessionId: string, now: Checkpoint, options: Options): SessionInput {
  const { atTurn, run, model, prompt } = options;
  const checkpoint = atTurn === undefined ? now : atTurnOf(sessionId, now, atTurn, run);
  if (checkpoint.status === 'completed' && prompt === undefined) {
    throw new UserError(
      `Session ${sessionId} has completed its work: there is nothing to go on with. ` +
        'Give --prompt to go on with another task, or --at-turn to go on from an earlier turn.',
      exitCodes.refused,
    );
  }
  return {
    // whoever forks a failed run wants it to go on
    ...{ checkpoint, resumeFailed: true },
    ...(model === undefined ? {} : { model }),
    ...(prompt === undefined ? {} : { prompt }),
  };
}

function atTurnOf(sessionId: string, now: Checkpoint, atTurn: number, run: string | undefined): Checkpoint {
  const forked = forkCheckpoint(now, { atTurn, ...(run === undefined ? {} : { run }) });
  if (forked.ok) return forked.value;
  const message = `Session ${sessionId} was not forked: ${forked.reason}. "holdfast show ${sessionId} --messages" shows its turns.`;
  throw new UserError(message, exitCodes.refused);
}

function turnNumber(value: string): number {
  const turn = wholeNumber(value);
  if (turn < 1) throw new InvalidArgumentError('Turns count from 1.');
  return turn;
}
