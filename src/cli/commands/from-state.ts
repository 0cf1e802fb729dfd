// holdfast fork, checkpoint export and checkpoint import: a session as a file, and a new session from the state of another,
// which is unchanged.
import { defined } from '@holdfast/base/defined';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type ApprovalOptions, addApprovalOptions } from '../approvals/approval-options.ts';
import { count, name, newSessionId, readNamed, someWords } from '../arguments.ts';
import { findSession } from '../find-session.ts';
import { type ModeOptions, addModeOptions, modesOf } from '../mode-options.ts';
import type { Cli } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { typed } from '../../config/command-line.ts';
import { type ServerCommand, withServer } from '../server-access.ts';
import { checkStart, checkWorker, startAndFollow } from '../start-and-follow.ts';
import { exitCodes } from '../../common/exit-codes.ts';
import { UserError, unwritable } from '../../common/user-error.ts';
import { type Checkpoint, type SessionHandle, forkCheckpoint, parseCheckpointText } from '../../client.ts';
import type { Config } from '../../config/config.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { Parts } from '../../worker/parts.ts';
import { counted } from '@holdfast/base/words';

type NewOptions = ApprovalOptions &
  ModeOptions & { model?: string; prompt?: string; session?: string; detach?: boolean };
type ForkOptions = NewOptions & { atTurn?: number; run?: string };
type ImportOptions = NewOptions & { resumeFailed?: boolean };

function addNewOptions(command: Command): void {
  command
    .option('--model <provider:id>', 'another model for the new session', name)
    .option('--prompt <text>', 'the next task; without it the work continues', someWords)
    .option('--session <id>', 'id of the new session; default made from the task', newSessionId)
    .option('--detach', 'start the session and return; a worker must run elsewhere');
  addApprovalOptions(command);
  addModeOptions(command);
}

export function registerFork(program: CliCommand): void {
  program
    .sessionCommand('fork', 'session id; running or ended')
    .option('--at-turn <count>', 'from the end of this turn; default its current state', count)
    .option('--run <id>', 'the run that --at-turn counts in, e.g. run-1; default the newest', name)
    .with(addNewOptions)
    .examples(
      [
        'fork checkout-is-slow-k3v9x --at-turn 4 --prompt "leave the cache out of it"',
        'fork checkout-is-slow-k3v9x --model anthropic:claude-sonnet-5-5',
      ],
      'The new session has the messages and outputs of the other, which stays unchanged.',
    )
    .action(async (word: string, options: ForkOptions, used: CliCommand) => {
      const fork = (frame: ServerCommand) =>
        startAndFollow(frame, options, async () => {
          const session = await findSession(frame, word);
          return toForked(session.sessionId, await session.checkpoint(), options);
        });
      await withServer(used, fork, { config: 'whole', check: (config) => check(config, options) });
    });
}

/** The agent is that of the other session, which only its checkpoint names. */
async function check(config: Config, options: NewOptions): Promise<Parts | undefined> {
  const { model, detach } = options;
  const changes = { ...defined({ model }), ...modesOf(options) };
  const changed = Object.keys(changes).length > 0;
  return detach ? undefined : checkWorker(config, changed ? { prompt: '-', ...changes } : undefined);
}

function toForked(sessionId: string, now: Checkpoint, options: ForkOptions): SessionInput {
  const { atTurn, run, model, prompt } = options;
  const checkpoint = atTurn === undefined ? now : atTurnOf(sessionId, now, atTurn, run);
  if (checkpoint.status === 'completed' && prompt === undefined) {
    throw new UserError(
      `Session ${sessionId} has completed its work: there is nothing to continue. ` +
        'Give --prompt for another task, or --at-turn to continue from an earlier turn.',
      exitCodes.refused,
    );
  }
  // a failed run is forked to continue it
  return { checkpoint, resumeFailed: true, ...defined({ model, prompt }), ...modesOf(options) };
}

function atTurnOf(sessionId: string, now: Checkpoint, atTurn: number, run: string | undefined): Checkpoint {
  const forked = forkCheckpoint(now, { atTurn, ...defined({ run }) });
  if (forked.ok) return forked.value;
  const message = `Session ${sessionId} was not forked: ${forked.reason}. "${typed(`show ${sessionId} --messages`)}" shows its turns.`;
  throw new UserError(message, exitCodes.refused);
}

const exporting = 'checkpoint export checkout-is-slow-k3v9x --file checkout.json';
const importing = 'checkpoint import checkout.json --prompt "what else was slow?"';

export function registerCheckpoint(program: CliCommand): void {
  const checkpoint = program.command('checkpoint').examples([exporting, importing]);
  checkpoint
    .sessionCommand('export', 'session id; running or ended')
    .description('write a session, with all its messages, as one JSON document')
    .option('--file <file>', 'file to write; default standard output', name)
    .examples([exporting])
    .onSession(exportTo);
  checkpoint
    .command('import')
    .description('start a new session from an exported document, and follow it')
    .argument('<file>', 'a file that "checkpoint export" has written')
    .option('--resume-failed', 'continue even if the run failed')
    .with(addNewOptions)
    .examples([importing])
    .action(async (file: string, options: ImportOptions, used: CliCommand) => {
      const { model, prompt, resumeFailed } = options;
      // before a server is started for it
      const input = {
        checkpoint: await readCheckpointFile(used.cli, file),
        ...defined({ model, prompt, resumeFailed }),
        ...modesOf(options),
      };
      await withServer(used, (frame) => startAndFollow(frame, options, () => Promise.resolve(input)), {
        create: true,
        config: 'whole',
        check: (config) => checkStart(config, input, options),
      });
    });
}

async function exportTo(
  { output, cli }: ServerCommand,
  session: SessionHandle,
  { file }: { file?: string },
): Promise<void> {
  const checkpoint = await session.checkpoint();
  if (file === undefined) return void cli.stdout.write(`${JSON.stringify(checkpoint)}\n`);
  const path = resolve(cli.cwd, file);
  // messages may hold secrets of their owner
  await writeFile(path, `${JSON.stringify(checkpoint, undefined, 1)}\n`, { mode: 0o600 }).catch((error) => {
    throw unwritable('checkpoint', path, error);
  });
  const { id, status, iteration, messages } = checkpoint;
  output.emit({ type: 'checkpoint', file: path, id, status, iteration, messages: messages.toSeq });
  output.print(
    `Wrote ${counted(messages.toSeq, 'message')} to ${path} (${status}). "${typed('checkpoint import')}" continues from it.`,
  );
}

async function readCheckpointFile(cli: Cli, file: string): Promise<Checkpoint> {
  const parsed = parseCheckpointText((await readNamed(cli, file)).toString());
  if (parsed.ok) return parsed.value;
  throw new UserError(
    `${file} is no checkpoint to continue from: ${parsed.reason}. ` +
      `Expected a file that "${typed('checkpoint export')}" has written; write it again, or with the Holdfast that made the session.`,
  );
}
