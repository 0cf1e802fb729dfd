// holdfast steer and follow-up: a message for a session that works.
import { defined } from '@holdfast/base/defined';
import { currentActor } from '../approvals/ask-approval.ts';
import { name, readWords } from '../arguments.ts';
import { withSession } from '../find-session.ts';
import type { CliCommand } from '../cli-command.ts';
import { typed, withTyped } from '../../config/command-line.ts';
import { warnWithoutWorker } from '../live/session-standing.ts';
import type { ServerCommand } from '../server-access.ts';
import { exitCodes } from '../../common/exit-codes.ts';
import { UserError } from '../../common/user-error.ts';
import type { QueueName } from '@holdfast/vocabulary/events';
import { describeUnread } from '@holdfast/report/describe-end';
import type { ImageFile, SentMessage, SessionHandle, SessionTree } from '../../client.ts';
import { type ImageOption, addImageOption, readImages, attachImages } from '../image-option.ts';

type MessageOptions = ImageOption & { interrupt?: boolean; id?: string; to?: string; actor: string };

type Message = { text: string; images: ImageFile[] };

export function registerMessages(program: CliCommand): void {
  addMessage(program, 'steer', 'steering')
    .option('--interrupt', 'stop the model call or tools in flight and read it at once')
    .option(
      '--to <name>',
      'for a subagent that runs, by its name in "show --tree"; one below it as a/b',
      name,
    )
    .examples([
      'steer checkout-is-slow-k3v9x look at the connection pool first',
      'steer checkout-is-slow-k3v9x --interrupt "stop: the database is being restored"',
      'steer checkout-is-slow-k3v9x --to log-analyst-pool-1 "only the last hour"',
    ]);
  addMessage(program, 'follow-up', 'followUp').examples([
    'follow-up checkout-is-slow-k3v9x "then check the cache as well"',
  ]);
}

function addMessage(program: CliCommand, called: string, queue: QueueName): CliCommand {
  return program
    .sessionCommand(called)
    .argument('<words...>', 'the message; "-" reads standard input')
    .option('--id <id>', 'message id; sending the same id again changes nothing', name)
    .option('--actor <name>', 'who says it', currentActor())
    .with(addImageOption)
    .action(async (word: string, words: string[], options: MessageOptions, command: CliCommand) => {
      const { cli } = command;
      const what = queue === 'steering' ? 'The steering message' : 'The follow-up';
      const message = { text: await readWords(cli, words, what), images: await readImages(cli, options) };
      if (options.to !== undefined && message.images.length > 0)
        throw new UserError(
          '--image cannot go with --to: pictures are stored for one session, and a subagent has its own.',
        );
      const send = (frame: ServerCommand, session: SessionHandle) =>
        sendMessage(frame, session, queue, message, options);
      await withSession(command, word, send, { config: 'keys' });
    });
}

async function sendMessage(
  frame: ServerCommand,
  session: SessionHandle,
  queue: QueueName,
  message: Message,
  { id, interrupt, to, actor }: MessageOptions,
): Promise<void> {
  const { sessionId } = session;
  if (to !== undefined) await checkReceiver(session, to);
  const text = await attachImages(session, message);
  const mode = interrupt ? 'interrupt' : undefined;
  const isSteering = queue === 'steering';
  const sent = isSteering
    ? await session.steer(text, { id, mode, to, actor })
    : await session.followUp(text, { id, actor });
  frame.output.emit({ sessionId, queue, ...sent, ...defined({ to }) });
  const when = interrupt ? 'at once' : isSteering ? 'before its next turn' : 'when it would stop';
  frame.output.print(describeSent(sessionId, sent, when));
  await warnWithoutWorker(frame, session);
}

/** `when`: the moment at which a message that the run in progress reads is read. */
function describeSent(sessionId: string, { id, receipt }: SentMessage, when: string): string {
  if (!receipt)
    return `Stored by Temporal (id ${id}), not confirmed yet: no worker has answered for session ${sessionId}. The same again with --id ${id} says later whether it was taken.`;
  const { state, readIn, turn, after, to = 'The agent' } = receipt;
  if (state === 'delivered') return `Sent (id ${id}). ${to} has it in turn ${turn}.`;
  if (readIn === 'run_if_answered')
    return `Sent (id ${id}). The run in progress reads it if the reply on its way is its answer: its turns are used up then.`;
  if (state === 'forwarded' || readIn === 'run') {
    const first =
      after && ` It waits for ${after} first: "${typed(`show ${sessionId}`)}" says how that ends.`;
    return `Sent (id ${id}). ${to} reads it ${when}.${first ?? ''}`;
  }
  if (state !== 'queued' && state !== 'undelivered') return `Nothing was sent: message ${id} is ${state}.`;
  const way = describeUnread(sessionId, 1, readIn === 'next_run');
  return `Sent (id ${id}). The run in progress does not read it any more. ${withTyped(way)}`;
}

/** A signal has no answer, so an unknown receiver is refused here; without a worker nobody knows the receivers. */
async function checkReceiver(session: SessionHandle, to: string): Promise<void> {
  const tree = await session.tree();
  if (tree.state === 'unknown') return;
  const running = runningBelow(tree);
  if (running.includes(to)) return;
  const known = running.length === 0 ? 'none runs' : `running: ${running.join(', ')}`;
  throw new UserError(
    `No subagent "${to}" of session ${session.sessionId} runs; ${known}.`,
    exitCodes.refused,
  );
}

/** In the form of `--to`. */
function runningBelow({ children }: SessionTree, above = ''): string[] {
  return children.flatMap((child) => {
    if (child.state === 'ended' || child.state === 'left') return [];
    const path = `${above}${child.name}`;
    return [path, ...runningBelow(child, `${path}/`)];
  });
}
