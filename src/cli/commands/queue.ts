// holdfast queue: the steering messages and follow-ups that no turn has taken yet.
import { Argument } from 'commander';
import { name } from '../arguments.ts';
import type { CliCommand } from '../cli-command.ts';
import { nothingToDo } from '../live/session-standing.ts';
import { describeQueued } from '../render/describe-waiting.ts';
import { queueWords } from '../settings.ts';
import type { ServerCommand } from '../server-access.ts';
import type { SessionHandle } from '../../client.ts';
import type { QueuedText } from '@holdfast/vocabulary/snapshot';

export function registerQueue(program: CliCommand): void {
  const group = program
    .command('queue')
    .examples(['queue list checkout-is-slow-k3v9x', 'queue cancel checkout-is-slow-k3v9x m1']);
  const which = () => new Argument('[queue]', 'only this one').choices(Object.keys(queueWords));
  group
    .sessionCommand('list')
    .description('print them in the order in which they are read')
    .addArgument(which())
    .examples(['queue list checkout-is-slow-k3v9x'])
    .onSession(list, { config: 'keys' });
  group
    .sessionCommand('cancel')
    .description('take one of them back')
    .argument('<id>', 'its id, as "queue list" prints it', name)
    .examples(['queue cancel checkout-is-slow-k3v9x m1'])
    .onSession(cancel, { config: 'keys' });
  group
    .sessionCommand('clear')
    .description('take all of them back')
    .addArgument(which())
    .examples(['queue clear checkout-is-slow-k3v9x follow-up'])
    .onSession(clear, { config: 'keys' });
}

/** In one queue, or without a word in both. */
async function waitingIn(session: SessionHandle, word = ''): Promise<QueuedText[]> {
  const only = queueWords[word];
  return (await session.queued()).filter(({ queue }) => only === undefined || queue === only);
}

async function list({ output }: ServerCommand, session: SessionHandle, word?: string): Promise<void> {
  const waiting = await waitingIn(session, word);
  for (const message of waiting) output.emit({ type: 'queued', ...message });
  output.print(waiting.length === 0 ? 'No message waits.' : waiting.map(describeQueued).join('\n'));
}

async function cancel({ output }: ServerCommand, session: SessionHandle, id: string): Promise<void> {
  const { removed } = await session.cancelQueued(id);
  output.emit({ sessionId: session.sessionId, id, removed });
  if (!removed) {
    const receipt = await session.receipt(id);
    const how = receipt ? `it is ${receipt.state}` : 'no message has this id';
    throw nothingToDo(`Nothing was taken back from ${session.sessionId}: ${how}.`);
  }
  output.print(`Taken back: ${id}.`);
}

async function clear({ output }: ServerCommand, session: SessionHandle, word = ''): Promise<void> {
  const waiting = await waitingIn(session, word);
  if (waiting.length === 0) throw nothingToDo(`No message waits in ${session.sessionId}.`);
  await session.clearQueues(queueWords[word]);
  // a turn may have taken some of them in between
  const cleared: QueuedText[] = [];
  for (const message of waiting)
    if ((await session.receipt(message.id))?.state === 'cleared') cleared.push(message);
  if (cleared.length === 0) throw nothingToDo('Nothing was taken back: a turn has read what waited.');
  for (const { id, queue } of cleared) output.emit({ type: 'cleared', id, queue });
  output.print(`Taken back:\n${cleared.map(describeQueued).join('\n')}`);
}
