// holdfast condense: folds the older part of an idle session's view into a summary now, and waits for it.
import type { Command } from 'commander';
import { anySession } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { toCount } from '../render/plain-text.ts';
import { askRunning, nothingToDo } from '../live/running-session.ts';
import { UserError, exitCodes } from '../user-error.ts';
import { type ServerCommand, withServer } from '../with-server.ts';

export function registerCondense(program: Command, cli: Cli): void {
  program
    .command('condense')
    .description('fold the older part of an idle session into a summary now')
    .argument('<session>', 'session id', anySession)
    .action(async (sessionId: string, _options: unknown, command: Command) => {
      await withServer(cli, command, (frame) => condense(frame, sessionId));
    });
}

async function condense({ output, access: { client } }: ServerCommand, sessionId: string): Promise<void> {
  const snapshot = await askRunning(client, sessionId);
  const { accepted } = await client.control(sessionId).condense();
  let failure: string | undefined;
  for await (const item of client.events(sessionId, snapshot?.lastEventSeq)) {
    if (item.type !== 'event') continue;
    const { event } = item;
    if (event.type === 'warning') {
      output.say(`! ${event.message}`);
      if (event.code === 'Condense.Failed') failure = event.message;
    }
    if (event.type !== 'condense_end') continue;
    const { tokensBefore, tokensAfter } = event;
    output.emit({ sessionId, accepted, tokensBefore, tokensAfter });
    if (failure !== undefined)
      throw new UserError(`Session ${sessionId} was not condensed: ${failure}`, exitCodes.failed);
    if (tokensAfter >= tokensBefore)
      throw nothingToDo(`Session ${sessionId} has nothing to condense: its view is short enough.`);
    output.print(`Condensed ${sessionId} from ${toCount(tokensBefore)} to ${toCount(tokensAfter)} tokens.`);
    return;
  }
  throw new UserError(`Session ${sessionId} has ended before it was condensed.`, exitCodes.sessionClosed);
}
