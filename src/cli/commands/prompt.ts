// holdfast prompt: a new task for a session that stays (--keep-alive).
import type { Command } from 'commander';
import { anySession, readWords } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { showAccepted } from '../follow-session.ts';
import { withServer } from '../with-server.ts';

export function registerPrompt(program: Command, cli: Cli): void {
  program
    .command('prompt')
    .description('give an idle session (run --keep-alive) its next task')
    .argument('<session>', 'session id', anySession)
    .argument('<words...>', 'the task; "-" reads standard input')
    .option('--wait', 'wait for the result of this run')
    .action(async (sessionId: string, words: string[], options: { wait?: boolean }, command: Command) => {
      const task = await readWords(cli, words, 'The task');
      await withServer(cli, command, async (frame) => {
        const { runId } = await frame.access.client.prompt(sessionId, task);
        return showAccepted(frame, { sessionId, runId }, { said: 'Accepted', wait: options.wait });
      });
    });
}
