// holdfast checkpoint export and import: a session as a file, and a session from a file.
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Checkpoint, parseCheckpointText } from '../../client.ts';
import { anySession, name, newSessionId, someWords } from '../arguments.ts';
import { type ApprovalOptions, addApprovalOptions } from '../approvals/approval-options.ts';
import { checkStart } from '../check-start.ts';
import type { Cli } from '../cli.ts';
import { typed } from '../command-line.ts';
import { startAndFollow } from '../start-session.ts';
import { UserError, messageOf } from '../user-error.ts';
import { type ServerCommand, withServer } from '../with-server.ts';
import { counted } from '../../core/base/words.ts';

type ImportOptions = ApprovalOptions & {
  session?: string;
  model?: string;
  prompt?: string;
  resumeFailed?: boolean;
  detach?: boolean;
};

const examples = `
Examples:
  $ holdfast checkpoint export checkout-is-slow-k3v9x --file checkout.json
  $ holdfast checkpoint import checkout.json --prompt "what else was slow?"`;

export function registerCheckpoint(program: Command, cli: Cli): void {
  const checkpoint = program
    .command('checkpoint')
    .description('a session as a file, to go on elsewhere or later')
    .addHelpText('after', examples);
  checkpoint
    .command('export')
    .description('write a session, with all its messages, as one JSON document')
    .argument('<session>', 'session id; running or ended', anySession)
    .option('--file <file>', 'where to; default standard output', name)
    .action(async (sessionId: string, { file }: { file?: string }, command: Command) => {
      await withServer(cli, command, (frame) => exportTo(frame, sessionId, file));
    });
  const command = checkpoint
    .command('import')
    .description('start a new session from such a document, and follow it')
    .argument('<file>', 'what "checkpoint export" has written')
    .option('--session <id>', 'id of the new session; default made from the task', newSessionId)
    .option('--model <provider:id>', 'another model than the one it had', name)
    .option('--prompt <text>', 'what to do next; without it the work goes on', someWords)
    .option('--resume-failed', 'go on also where the run failed')
    .option('--detach', 'start it and return; a worker must run elsewhere');
  addApprovalOptions(command).action(async (file: string, options: ImportOptions, command: Command) => {
    // before a server is started for it
    const document = await readCheckpointFile(file);
    await withServer(
      cli,
      command,
      (frame) => startAndFollow(frame, options, () => Promise.resolve(toInput(document, options))),
      {
        create: true,
        config: 'whole',
        check: (config) => checkStart(config, toInput(document, options), options),
      },
    );
  });
}

async function exportTo(
  { access, output, cli }: ServerCommand,
  sessionId: string,
  file?: string,
): Promise<void> {
  const checkpoint = await access.client.checkpoint(sessionId);
  if (file === undefined) return void cli.stdout.write(`${JSON.stringify(checkpoint)}\n`);
  const path = resolve(cli.cwd, file);
  // messages may hold what only its owner should read
  await writeFile(path, `${JSON.stringify(checkpoint, undefined, 1)}\n`, { mode: 0o600 }).catch((error) => {
    throw new UserError(
      `The checkpoint cannot be written to ${path} (${messageOf(error)}). Name another file.`,
    );
  });
  const { id, status, iteration, messages } = checkpoint;
  output.emit({ type: 'checkpoint', file: path, id, status, iteration, messages: messages.toSeq });
  output.print(
    `Wrote ${counted(messages.toSeq, 'message')} to ${path} (${status}). "${typed('checkpoint import')}" continues from it.`,
  );
}

async function readCheckpointFile(file: string): Promise<Checkpoint> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UserError(`Cannot read ${file}: ${messageOf(error)}.`);
  });
  const parsed = parseCheckpointText(text);
  if (parsed.ok) return parsed.value;
  throw new UserError(
    `${file} is no checkpoint that can be gone on from: ${parsed.reason}. ` +
      `Expected a file that "${typed('checkpoint export')}" has written; write it again, or with the Holdfast that made the session.`,
  );
}

function toInput(checkpoint: Checkpoint, { model, prompt, resumeFailed }: ImportOptions) {
  return {
    checkpoint,
    ...(model === undefined ? {} : { model }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(resumeFailed ? { resumeFailed } : {}),
  };
}
