// holdfast continue: goes on with what a session has, without a new task.
import type { Command } from 'commander';
import { anySession, readWords } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { showAccepted } from '../follow-session.ts';
import { withServer } from '../with-server.ts';

export function registerContinue(program: Command, cli: Cli): void {
  program
    .command('continue')
    .description(
      'go on after a limit, a failure or an abort (run --keep-alive); or with what waits in its queues',
    )
    .argument('<session>', 'session id', anySession)
    .argument('[words...]', 'something to say first; "-" reads standard input')
    .option('--wait', 'wait for the result of this run')
    .action(async (sessionId: string, words: string[], options: { wait?: boolean }, command: Command) => {
      const text = words.length === 0 ? undefined : await readWords(cli, words, 'The message');
      await withServer(cli, command, async (frame) => {
        const { runId } = await frame.access.client.control(sessionId).continue(text);
        return showAccepted(frame, { sessionId, runId }, { said: 'Goes on', wait: options.wait });
      });
    });
}
