// holdfast replay: tells whether a session could continue on this version, and where not. Runs no activity, and changes
// nothing.
import { Client } from '@temporalio/client';
import { readKeys } from '../../config/secrets.ts';
import { anySession, name, readJsonFile } from '../arguments.ts';
import { findSession } from '../find-session.ts';
import { type Output, openCommand } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { type ServerCommand, withServer } from '../server-access.ts';
import { type ReplayOptions, replayHistory } from '../../worker/replay-history.ts';
import { type ExitCode, exitCodes } from '../../common/exit-codes.ts';
import { UserError } from '../../common/user-error.ts';

const notes = `Exit code 10: the history does not fit this version.
The log of a worker names this command where a workflow task fails, with the id of the execution in place of the session's.
"temporal workflow show --output json" and the Temporal UI write a history to a file.`;

export function registerReplay(program: CliCommand): void {
  program
    .command('replay')
    .argument('[session]', 'session id, or the workflow run id of a log line', anySession)
    .option('--file <history>', 'a history in a JSON file, in place of the one on the server', name)
    .examples(['replay checkout-is-slow-k3v9x', 'replay --file history.json'], notes)
    .action(async (sessionId: string | undefined, { file }: { file?: string }, command: CliCommand) => {
      if (file !== undefined) {
        const { cli, output, config } = await openCommand(command, 'keys');
        const place = { namespace: config.temporal.namespace, encryption: await readKeys(config) };
        cli.exitCode = await replay(output, await readJsonFile(cli, file), place);
      } else if (sessionId === undefined)
        throw new UserError('No history: expected the id of a session, or --file with a history.');
      else
        await withServer(command, async ({ access, config, output }) =>
          replay(output, await fetchHistory({ access, output }, sessionId), {
            namespace: access.settings.namespace,
            encryption: await readKeys(config),
          }),
        );
    });
}

/** The newest execution of the session with this id, or the execution with this run id. */
async function fetchHistory(
  { access, output }: Pick<ServerCommand, 'access' | 'output'>,
  id: string,
): Promise<unknown> {
  const { connection, settings } = access;
  const { namespace } = settings;
  const query = `RunId = '${id}'`;
  const found =
    isRunId(id) && (await connection.workflowService.listWorkflowExecutions({ namespace, query }));
  const { workflowId, runId } = (found && found.executions[0]?.execution) || { workflowId: id };
  // throws the message for a session that the server does not know
  const session = await findSession({ access, output }, workflowId ?? id);
  await session.describe();
  return new Client({ connection, namespace }).workflow
    .getHandle(session.sessionId, runId ?? undefined)
    .fetchHistory();
}

function isRunId(id: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
}

async function replay(output: Output, history: unknown, place: ReplayOptions): Promise<ExitCode> {
  const misfit = await replayHistory(history, place);
  output.emit({ type: 'replay', fits: misfit === undefined, ...misfit });
  if (misfit === undefined) {
    output.print('The history fits this version.');
    return exitCodes.completed;
  }
  const { eventId, event, reason, stack } = misfit;
  output.print(
    `The history does not fit this version, from event ${eventId} (${event}):\n${stack ?? reason}`,
  );
  return exitCodes.failed;
}
