// holdfast fork: a new session from the current state of another, or from its state after a turn. The other is unchanged.
import type { Command } from 'commander';
import { type Checkpoint, forkCheckpoint } from '../../client.ts';
import type { Config } from '../../config/config.ts';
import type { SessionInput } from '../../core/model/session-input.ts';
import { anySession, count, name, newSessionId, someWords } from '../arguments.ts';
import { type ApprovalOptions, addApprovalOptions } from '../approvals/approval-options.ts';
import type { Cli } from '../cli.ts';
import { addExamples, typed } from '../command-line.ts';
import { checkWorker, startAndFollow } from '../start-session.ts';
import { UserError, exitCodes } from '../user-error.ts';
import type { Parts } from '../../worker/compose-activities.ts';
import { withServer } from '../server-access.ts';

type Options = ApprovalOptions & {
  atTurn?: number;
  run?: string;
  model?: string;
  prompt?: string;
  session?: string;
  detach?: boolean;
};

const notes = `The new session has the messages and outputs of the other, which stays unchanged.`;

export function registerFork(program: Command, cli: Cli): void {
  const command = program
    .command('fork')
    .description('fork a session from its current state or from an earlier turn')
    .argument('<session>', 'session id; running or ended', anySession)
    .option('--at-turn <count>', 'from the end of this turn; default its current state', count)
    .option('--run <id>', 'the run that --at-turn counts in, e.g. run-1; default the newest', name)
    .option('--model <provider:id>', 'another model for the new session', name)
    .option('--prompt <text>', 'the next task; without it the work continues', someWords)
    .option('--session <id>', 'id of the new session; default made from the task', newSessionId)
    .option('--detach', 'start the session and return; a worker must run elsewhere');
  addExamples(
    addApprovalOptions(command),
    [
      'fork checkout-is-slow-k3v9x --at-turn 4 --prompt "leave the cache out of it"',
      'fork checkout-is-slow-k3v9x --model anthropic:claude-sonnet-5-5',
    ],
    notes,
  ).action(async (sessionId: string, options: Options, command: Command) => {
    await withServer(
      cli,
      command,
      (frame) =>
        startAndFollow(frame, options, async () => {
          const checkpoint = await frame.access.client.session(sessionId).checkpoint();
          return toInput(sessionId, checkpoint, options);
        }),
      { config: 'whole', check: (config) => check(config, options) },
    );
  });
}

/** The agent is that of the other session, which only its checkpoint names. */
async function check(config: Config, { model, detach }: Options): Promise<Parts | undefined> {
  return detach ? undefined : checkWorker(config, model === undefined ? undefined : { prompt: '-', model });
}

function toInput(sessionId: string, now: Checkpoint, options: Options): SessionInput {
  const { atTurn, run, model, prompt } = options;
  const checkpoint = atTurn === undefined ? now : atTurnOf(sessionId, now, atTurn, run);
  if (checkpoint.status === 'completed' && prompt === undefined) {
    throw new UserError(
      `Session ${sessionId} has completed its work: there is nothing to continue. ` +
        'Give --prompt for another task, or --at-turn to continue from an earlier turn.',
      exitCodes.refused,
    );
  }
  return {
    // a failed run is forked to continue it
    ...{ checkpoint, resumeFailed: true },
    ...(model === undefined ? {} : { model }),
    ...(prompt === undefined ? {} : { prompt }),
  };
}

function atTurnOf(sessionId: string, now: Checkpoint, atTurn: number, run: string | undefined): Checkpoint {
  const forked = forkCheckpoint(now, { atTurn, ...(run === undefined ? {} : { run }) });
  if (forked.ok) return forked.value;
  const message = `Session ${sessionId} was not forked: ${forked.reason}. "${typed(`show ${sessionId} --messages`)}" shows its turns.`;
  throw new UserError(message, exitCodes.refused);
}
