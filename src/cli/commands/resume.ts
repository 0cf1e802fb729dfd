// holdfast resume: goes on after a person mended a refused key or a quota.
import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { withServer } from '../with-server.ts';

export function registerResume(program: Command, cli: Cli): void {
  program
    .command('resume')
    .description('repeat the model call after you mended a refused key or a quota')
    .argument('<session>', 'session id')
    .action(async (sessionId: string, _options: unknown, command: Command) => {
      await withServer(
        cli,
        command,
        async ({ output, access }) => {
          await access.client.resume(sessionId);
          output.emit({ sessionId, resumed: true });
          output.print(
            `Told ${sessionId} to try again. A worker reads its keys when it starts: restart it if you changed one.`,
          );
        },
        { config: 'nothing' },
      );
    });
}
