// holdfast result: how a session ended; waits for the end. Works also when its history, or the server, is gone.
import type { Command } from 'commander';
import { openArtifactReader } from '../../config/artifacts.ts';
import { readStoredResult, readText } from '../../client/stored-artifacts.ts';
import type { SessionResult } from '../../core/model/run-result.ts';
import { anySession } from '../arguments.ts';
import { type Cli, type Output, openCommand } from '../cli.ts';
import { exitCodeOf } from '../exit-code.ts';
import { showResult } from '../live/follow-session.ts';
import { describeFigures, describeResult } from '../render/describe-result.ts';
import { UserError, exitCodes } from '../user-error.ts';
import { withServer } from '../with-server.ts';

export function registerResult(program: Command, cli: Cli): void {
  program
    .command('result')
    .description('show how a session ended, with its report; waits for the end')
    .argument('<session>', 'session id', anySession)
    .action(async (sessionId: string, _options: unknown, command: Command) => {
      try {
        await withServer(cli, command, async (frame) => {
          const { client } = frame.access;
          if ((await isRunning(client.find(sessionId))) === true)
            frame.output.say('It has not ended: waiting. Ctrl-C stops waiting.');
          const result = await client.result(sessionId);
          await showResult(frame, sessionId, result);
          return exitCodeOf(result);
        });
      } catch (error) {
        if (!(error instanceof UserError) || error.exitCode !== exitCodes.noServer) throw error;
        cli.exitCode = exitCodeOf(await showStored(cli, command, sessionId, error));
      }
    });
}

/** An unknown session may still have a stored result: that is for the next step to say. */
async function isRunning(listing: Promise<{ status: string }>): Promise<boolean> {
  return listing.then(
    ({ status }) => status === 'RUNNING',
    () => false,
  );
}

/** Without a server only the artifact store is left. */
async function showStored(
  cli: Cli,
  command: Command,
  sessionId: string,
  noServer: UserError,
): Promise<SessionResult> {
  const { output, config } = await openCommand(cli, command, 'results');
  const store = openArtifactReader(config);
  const result = await readStoredResult(store, sessionId);
  if (!result) throw noServer;
  const report = result.report && (await readText(store, sessionId, result.report.artifactId));
  printStored(output, result, report);
  return result;
}

function printStored(output: Output, result: SessionResult, report: string | undefined): void {
  output.say('No server: this is the stored result.');
  output.emit({ type: 'result', result, ...(report ? { report } : {}) });
  output.print(describeResult(result, output.colors, report));
  output.print(output.colors.dim(describeFigures(result)));
}
