// holdfast set: changes a setting of a session, from its next run on.
import { Argument } from 'commander';
import { readWords } from '../arguments.ts';
import { withSession } from '../find-session.ts';
import type { CliCommand } from '../cli-command.ts';
import { warnWithoutWorker } from '../live/session-standing.ts';
import { describeChange, sendChange, settings } from '../settings.ts';
import type { ServerCommand } from '../server-access.ts';
import type { SessionHandle } from '../../client.ts';
import { UserError } from '../../common/user-error.ts';

const rows = Object.entries(settings).map(
  ([name, { values, about }]) => `  ${`${name} ${values}`.padEnd(58)}${about}`,
);

const notes = `Settings:
${rows.join('\n')}

A run that works keeps what it began with, but for a lower mode: stop it with "holdfast abort", and "holdfast continue" begins the next. A session
without --keep-alive closes after its run, so only a follow-up can still meet the change.`;

export function registerSet(program: CliCommand): void {
  program
    .sessionCommand('set')
    .addArgument(new Argument('<setting>', 'what to change').choices(Object.keys(settings)))
    .argument('<values...>', 'its new value; for system-prompt "-" reads standard input')
    .examples(
      [
        'set checkout-is-slow-k3v9x model anthropic:claude-sonnet-5-5',
        'set checkout-is-slow-k3v9x mode observe',
        'set checkout-is-slow-k3v9x tools read_file grep report',
        'set checkout-is-slow-k3v9x queue-mode steering all',
      ],
      notes,
    )
    .action(async (word: string, name: string, given: string[], _options: unknown, used: CliCommand) => {
      const setting = settings[name];
      const words =
        name === 'system-prompt' ? [await readWords(used.cli, given, 'The system prompt')] : given;
      const change = setting?.parse(words);
      if (!setting || !change)
        throw new UserError(`${name} cannot be "${words.join(' ')}": expected ${setting?.values}.`);
      const set = async (frame: ServerCommand, session: SessionHandle) => {
        await sendChange(session, change);
        frame.output.emit({ sessionId: session.sessionId, set: name, ...change });
        frame.output.print(describeChange(name, words, change));
        await warnWithoutWorker(frame, session);
      };
      await withSession(used, word, set, { config: 'keys' });
    });
}
