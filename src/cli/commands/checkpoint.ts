// holdfast checkpoint export and import: a session as a file, and a session from a file.
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Checkpoint, parseCheckpointText } from '../../client.ts';
import { anySession, name, newSessionId, someWords } from '../arguments.ts';
import { type ApprovalOptions, addApprovalOptions } from '../approvals/approval-options.ts';
import type { Cli } from '../cli.ts';
import { addExamples, typed } from '../command-line.ts';
import { checkStart, startAndFollow } from '../start-session.ts';
import { UserError, messageOf } from '../user-error.ts';
import { type ServerCommand, withServer } from '../server-access.ts';
import { counted } from '../../core/base/counted.ts';

type ImportOptions = ApprovalOptions & {
  session?: string;
  model?: string;
  prompt?: string;
  resumeFailed?: boolean;
  detach?: boolean;
};

const exporting = 'checkpoint export checkout-is-slow-k3v9x --file checkout.json';
const importing = 'checkpoint import checkout.json --prompt "what else was slow?"';

export function registerCheckpoint(program: Command, cli: Cli): void {
  const checkpoint = program
    .command('checkpoint')
    .description('save a session as a file, to continue it elsewhere or later');
  addExamples(checkpoint, [exporting, importing]);
  const exportCommand = checkpoint
    .command('export')
    .description('write a session, with all its messages, as one JSON document')
    .argument('<session>', 'session id; running or ended', anySession)
    .option('--file <file>', 'file to write; default standard output', name)
    .action(async (sessionId: string, { file }: { file?: string }, command: Command) => {
      await withServer(cli, command, (frame) => exportTo(frame, sessionId, file));
    });
  addExamples(exportCommand, [exporting]);
  const command = checkpoint
    .command('import')
    .description('start a new session from an exported document, and follow it')
    .argument('<file>', 'a file that "checkpoint export" has written')
    .option('--session <id>', 'id of the new session; default made from the task', newSessionId)
    .option('--model <provider:id>', 'another model for the new session', name)
    .option('--prompt <text>', 'the next task; without it the work continues', someWords)
    .option('--resume-failed', 'continue even if the run failed')
    .option('--detach', 'start the session and return; a worker must run elsewhere');
  addExamples(addApprovalOptions(command), [importing]).action(
    async (file: string, options: ImportOptions, command: Command) => {
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
    },
  );
}

async function exportTo(
  { access, output, cli }: ServerCommand,
  sessionId: string,
  file?: string,
): Promise<void> {
  const checkpoint = await access.client.session(sessionId).checkpoint();
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
    `${file} is no checkpoint to continue from: ${parsed.reason}. ` +
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
