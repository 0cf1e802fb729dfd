// holdfast follow-up: a message that the agent reads when it would stop.
import type { Command } from 'commander';
import { anySession, name, readWords } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { warnWithoutWorker } from '../live/session-standing.ts';
import { withServer } from '../with-server.ts';

export function registerFollowUp(program: Command, cli: Cli): void {
  program
    .command('follow-up')
    .description('send a message that the agent reads when it would stop')
    .argument('<session>', 'session id', anySession)
    .argument('<words...>', 'the message; "-" reads standard input')
    .option('--id <id>', 'message id; the same id again changes nothing', name)
    .action(async (sessionId: string, words: string[], options: { id?: string }, command: Command) => {
      const text = await readWords(cli, words, 'The follow-up');
      await withServer(
        cli,
        command,
        async (frame) => {
          const { output, access } = frame;
          const { id } = await access.client.followUp(sessionId, text, options);
          output.emit({ sessionId, id, queue: 'followUp' });
          output.print(`Sent (id ${id}). The agent reads it when it would stop.`);
          await warnWithoutWorker(frame, sessionId);
        },
        { config: 'nothing' },
      );
    });
}
