// holdfast condense: folds the older part of an idle session's view into a summary now.
import type { Command } from 'commander';
import { anySession } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { withServer } from '../with-server.ts';

export function registerCondense(program: Command, cli: Cli): void {
  program
    .command('condense')
    .description('fold the older part of an idle session into a summary now')
    .argument('<session>', 'session id', anySession)
    .action(async (sessionId: string, _options: unknown, command: Command) => {
      await withServer(cli, command, async ({ output, access }) => {
        const { accepted } = await access.client.control(sessionId).condense();
        output.emit({ sessionId, accepted });
        output.print(`${sessionId} condenses now. "holdfast watch ${sessionId}" shows what came of it.`);
      });
    });
}
