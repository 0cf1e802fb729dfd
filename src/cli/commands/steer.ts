// holdfast steer: a message that the agent reads between turns, or at once.
import type { Command } from 'commander';
import { anySession, name, readWords } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { warnWithoutWorker } from '../live/session-standing.ts';
import { withServer } from '../with-server.ts';

export function registerSteer(program: Command, cli: Cli): void {
  program
    .command('steer')
    .description('send a message that the agent reads between turns')
    .argument('<session>', 'session id', anySession)
    .argument('<words...>', 'the message; "-" reads standard input')
    .option('--interrupt', 'stop the model call or tools in flight and read it at once')
    .option('--id <id>', 'message id; the same id again changes nothing', name)
    .addHelpText(
      'after',
      '\nExample:\n  $ holdfast steer checkout-is-slow-k3v9x look at the connection pool first',
    )
    .action(
      async (
        sessionId: string,
        words: string[],
        options: { interrupt?: boolean; id?: string },
        command: Command,
      ) => {
        const text = await readWords(cli, words, 'The steering message');
        await withServer(
          cli,
          command,
          async (frame) => {
            const { output, access } = frame;
            const { id } = await access.client.steer(sessionId, text, {
              ...(options.id === undefined ? {} : { id: options.id }),
              ...(options.interrupt ? { mode: 'interrupt' } : {}),
            });
            output.emit({ sessionId, id, queue: 'steering' });
            output.print(
              `Sent (id ${id}). The agent reads it ${options.interrupt ? 'at once' : 'before its next turn'}.`,
            );
            await warnWithoutWorker(frame, sessionId);
          },
          { config: 'nothing' },
        );
      },
    );
}
