// holdfast artifacts list, show and prune: lists the content of the artifact store, and removes the unneeded part.
import type { Command } from 'commander';
import { type PruneOptions, addOffline, isRunning, prune, sizeOf, toRow } from '../artifacts/prune.ts';
import { findStored, openStore, readStored } from '../artifacts/stored-sessions.ts';
import { age, sessionCommand, count } from '../arguments.ts';
import { type Cli, openCommand } from '../cli.ts';
import { addExamples, typed } from '../command-line.ts';
import { toBytes } from '../render/plain-text.ts';
import { type ServerCommand, withServer } from '../server-access.ts';
import { exitCodes } from '../exit-codes.ts';
import { UserError } from '../user-error.ts';
import { describeArtifacts } from '../../config/artifacts.ts';
import { counted, describeMoment } from '../../core/base/words.ts';

export function registerArtifacts(program: Command, cli: Cli): void {
  const artifacts = program.command('artifacts');
  addExamples(artifacts, ['artifacts list', 'artifacts prune --older-than 30d --dry-run']);
  registerList(artifacts, cli);
  registerShow(artifacts, cli);
  registerPrune(artifacts, cli);
}

function registerList(artifacts: Command, cli: Cli): void {
  const command = artifacts
    .command('list')
    .description('list the sessions in the artifact store with their sizes, newest first')
    .option('--limit <count>', 'how many', count, 50)
    .action(async ({ limit }: { limit: number }, command: Command) => {
      const { output, config } = await openCommand(cli, command, 'results');
      const store = await openStore(config);
      const { sessions, checkpoints } = store ? await readStored(store) : { sessions: [], checkpoints: [] };
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
          `${toBytes(sizeBytes)}, in ${describeArtifacts(config)}`,
      );
    });
  addExamples(command, ['artifacts list', 'artifacts list --json --limit 1000']);
}

function registerShow(artifacts: Command, cli: Cli): void {
  const command = sessionCommand(artifacts, 'show')
    .description('list what the artifact store keeps of a session')
    .action(async (word: string, _options: unknown, command: Command) => {
      const { output, config } = await openCommand(cli, command, 'results');
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
        output.print(`${toBytes(sizeBytes).padStart(9)}  ${describeMoment(+storedAt, now)}  ${name}`);
      }
    });
  addExamples(command, ['artifacts show checkout-is-slow-k3v9x']);
}

function registerPrune(artifacts: Command, cli: Cli): void {
  const command = artifacts
    .command('prune')
    .description('remove the artifacts of sessions that ended long ago')
    .option('--older-than <age>', 'e.g. 30d or 12h; default retention.artifactsDays of the config', age)
    .option('--dry-run', 'only list what would be removed')
    .option('--yes', 'do not ask before the removal')
    .option('--unfinished', 'also what unfinished tasks need to continue')
    .option('--offline', 'do not ask the server which sessions are running: for when none is')
    .action(async (options: PruneOptions, command: Command) => {
      // the whole config: a mistake in the place of artifacts must not select another place
      if (!options.offline) {
        const online = ({ output, config, access }: ServerCommand) =>
          prune(cli, output, config, options, (sessionId) => isRunning(access.client, sessionId));
        return withServer(cli, command, online, { config: 'whole' }).catch(addOffline);
      }
      const { output, config } = await openCommand(cli, command, 'whole');
      await prune(cli, output, config, options, () => Promise.resolve(false));
    });
  addExamples(
    command,
    ['artifacts prune --older-than 30d --dry-run', 'artifacts prune --older-than 30d --yes'],
    'A session that is running keeps its artifacts, whatever their age. So does one whose task is not completed, because\n' +
      'another session can continue it: --unfinished removes those too.',
  );
}
