// holdfast artifacts list, show and prune: lists the content of the artifact store, and removes the unneeded part.
import { type PruneOptions, addOffline, isRunning, prune, sizeOf, toRow } from '../artifacts/prune.ts';
import { findStored, openStore, listStored } from '../artifacts/stored-sessions.ts';
import { age, count } from '../arguments.ts';
import { openCommand } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { typed } from '../../config/command-line.ts';
import { toSize } from '../render/plain-text.ts';
import { type ServerCommand, withServer } from '../server-access.ts';
import { exitCodes } from '../../common/exit-codes.ts';
import { UserError } from '../../common/user-error.ts';
import { describeArtifacts } from '../../config/artifacts.ts';
import { counted, describeMoment } from '@holdfast/base/words';

export function registerArtifacts(program: CliCommand): void {
  const artifacts = program
    .command('artifacts')
    .examples(['artifacts list', 'artifacts prune --older-than 30d --dry-run']);
  registerList(artifacts);
  registerShow(artifacts);
  registerPrune(artifacts);
}

function registerList(artifacts: CliCommand): void {
  artifacts
    .command('list')
    .description('list the sessions in the artifact store with their sizes, newest first')
    .option('--limit <count>', 'how many', count, 50)
    .examples(['artifacts list', 'artifacts list --json --limit 1000'])
    .onConfig('results', async ({ output, config }, { limit }: { limit: number }) => {
      const store = await openStore(config);
      const { sessions, checkpoints } = store ? await listStored(store) : { sessions: [], checkpoints: [] };
      const now = Date.now();
      for (const session of sessions.slice(0, limit)) {
        output.emit({ type: 'stored_session', ...session });
        output.print(toRow(session, now));
      }
      const sizeBytes = sizeOf([...sessions, ...checkpoints]);
      output.emit({ type: 'total', sessions: sessions.length, checkpoints: checkpoints.length, sizeBytes });
      const more = sessions.length > limit ? ` (${limit} shown: --limit)` : '';
      output.print(
        `${counted(sessions.length, 'session')}${more} and ${counted(checkpoints.length, 'checkpoint')} of tasks, ` +
          `${toSize(sizeBytes)}, in ${describeArtifacts(config)}`,
      );
    });
}

function registerShow(artifacts: CliCommand): void {
  artifacts
    .sessionCommand('show')
    .description('list what the artifact store keeps of a session')
    .examples(['artifacts show checkout-is-slow-k3v9x'])
    .onConfig('results', async ({ output, config }, word: string) => {
      const store = await openStore(config);
      const sessionId = store ? await findStored(store, word) : word;
      const found = await Array.fromAsync(store?.list(sessionId) ?? []);
      if (found.length === 0)
        throw new UserError(
          `Nothing of session ${sessionId} is in ${describeArtifacts(config)}. "${typed('artifacts list')}" shows what is.`,
          exitCodes.unknownSession,
        );
      const now = Date.now();
      for (const { name, sizeBytes, storedAt } of found.toSorted(
        (left, right) => +left.storedAt - +right.storedAt,
      )) {
        output.emit({ type: 'artifact', sessionId, name, sizeBytes, storedAt });
        output.print(`${toSize(sizeBytes).padStart(9)}  ${describeMoment(+storedAt, now)}  ${name}`);
      }
    });
}

function registerPrune(artifacts: CliCommand): void {
  artifacts
    .command('prune')
    .description('remove the artifacts of sessions that ended long ago')
    .option('--older-than <age>', 'e.g. 30d or 12h; default retention.artifactsDays of the config', age)
    .option('--dry-run', 'only list what would be removed')
    .option('--yes', 'do not ask before the removal')
    .option('--unfinished', 'also what unfinished tasks need to continue')
    .option('--offline', 'do not ask the server which sessions are running: for when none is')
    .examples(
      ['artifacts prune --older-than 30d --dry-run', 'artifacts prune --older-than 30d --yes'],
      'A session that is running keeps its artifacts, whatever their age. So does one whose task is not completed, because\n' +
        'another session can continue it: --unfinished removes those too.',
    )
    .action(async (options: PruneOptions, command: CliCommand) => {
      // the whole config: a mistake in the place of artifacts must not select another place
      if (!options.offline) {
        const online = ({ access, ...opened }: ServerCommand) =>
          prune(opened, options, (sessionId) => isRunning(access.client, sessionId));
        return withServer(command, online, { config: 'whole' }).catch(addOffline);
      }
      await prune(await openCommand(command, 'whole'), options, () => Promise.resolve(false));
    });
}
