// holdfast continue: continues with what a session has, without a new task.
import type { Command } from 'commander';
import { type AcceptOptions, followAccepted } from '../live/accepted-run.ts';
import { addApprovalOptions, refuseUnheard } from '../approvals/approval-options.ts';
import { anySession, readWords } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { withServer } from '../with-server.ts';

const help = `
Its run has its turns afresh; a budget goes on, and "holdfast extend-budget" adds to it. A session that has ended is
continued with "holdfast fork".

Example:
  $ holdfast continue checkout-is-slow-k3v9x --wait`;

export function registerContinue(program: Command, cli: Cli): void {
  const command = program
    .command('continue')
    .description(
      'continue the work of an idle session (run --keep-alive) after a limit, a failure or an abort, or with the messages in its queues',
    )
    .argument('<session>', 'session id', anySession)
    .argument('[words...]', 'something to say first; "-" reads standard input')
    .option('--wait', 'wait for the result of this run');
  addApprovalOptions(command)
    .addHelpText('after', help)
    .action(async (sessionId: string, words: string[], options: AcceptOptions, command: Command) => {
      refuseUnheard(options, options.wait);
      const text = words.length === 0 ? undefined : await readWords(cli, words, 'The message');
      await withServer(cli, command, (frame) =>
        followAccepted(frame, sessionId, { ...options, said: 'Continues' }, () =>
          frame.access.client.control(sessionId).continue(text),
        ),
      );
    });
}
