// holdfast result: the result of a session; waits for its end. Works also when its history, or the server, is gone.
import type { Command } from 'commander';
import { openArtifactReader } from '../../config/artifacts.ts';
import { readStoredResult, readText } from '../../client/session-log.ts';
import type { SessionResult } from '../../core/model/run-result.ts';
import { anySession } from '../arguments.ts';
import { type Cli, openCommand } from '../cli.ts';
import { addExamples } from '../command-line.ts';
import { exitCodeOf } from '../exit-code.ts';
import { showResult } from '../live/follow-session.ts';
import { describeFigures, describeResult } from '../render/describe-result.ts';
import { UserError, exitCodes } from '../user-error.ts';
import { withServer } from '../server-access.ts';

export function registerResult(program: Command, cli: Cli): void {
  const registered = program
    .command('result')
    .description('show the result of a session, with its report; waits for its end')
    .argument('<session>', 'session id', anySession)
    .action(async (sessionId: string, _options: unknown, command: Command) => {
      try {
        await withServer(cli, command, async (frame) => {
          const session = frame.access.client.session(sessionId);
          // an unknown session may still have a stored result
          const listing = await session.describe().catch(() => undefined);
          if (listing?.status === 'RUNNING')
            frame.output.say('It has not ended: waiting. Ctrl-C stops waiting.');
          const result = await session.result();
          await showResult(frame, session, result);
          return exitCodeOf(result);
        });
      } catch (error) {
        if (!(error instanceof UserError) || error.exitCode !== exitCodes.noServer) throw error;
        cli.exitCode = exitCodeOf(await showStored(cli, command, sessionId, error));
      }
    });
  addExamples(registered, [
    'result checkout-is-slow-k3v9x',
    'result checkout-is-slow-k3v9x --json | jq .report',
  ]);
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
  output.say('No server: this is the stored result.');
  output.emit({ type: 'result', result, ...(report ? { report } : {}) });
  output.print(describeResult(result, output.colors, report));
  output.print(output.colors.dim(describeFigures(result)));
  return result;
}
