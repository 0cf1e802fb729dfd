// holdfast prompt: a new task for a session that stays (--keep-alive).
import type { Command } from 'commander';
import { type AcceptOptions, followAccepted } from '../live/accepted-run.ts';
import { addApprovalOptions, refuseUnheard } from '../approvals/approval-options.ts';
import { anySession, readWords } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { withServer } from '../with-server.ts';

export function registerPrompt(program: Command, cli: Cli): void {
  const command = program
    .command('prompt')
    .description('give an idle session (run --keep-alive) its next task')
    .argument('<session>', 'session id', anySession)
    .argument('<words...>', 'the task; "-" reads standard input')
    .option('--wait', 'wait for the result of this run');
  addApprovalOptions(command).action(
    async (sessionId: string, words: string[], options: AcceptOptions, command: Command) => {
      refuseUnheard(options, options.wait);
      const task = await readWords(cli, words, 'The task');
      await withServer(cli, command, (frame) =>
        followAccepted(frame, sessionId, { ...options, said: 'Accepted' }, () =>
          frame.access.client.prompt(sessionId, task),
        ),
      );
    },
  );
}
