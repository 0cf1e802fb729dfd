// holdfast steer and follow-up: a message for a session that works.
import type { Command } from 'commander';
import { anySession, name, readWords } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { addExamples } from '../command-line.ts';
import { warnWithoutWorker } from '../live/session-standing.ts';
import { type ServerCommand, withServer } from '../server-access.ts';

type MessageOptions = { interrupt?: boolean; id?: string };

export function registerMessages(program: Command, cli: Cli): void {
  const steer = addMessage(program, 'steer', 'send a message that the agent reads between turns')
    .option('--interrupt', 'stop the model call or tools in flight and read it at once')
    .action(async (sessionId: string, words: string[], options: MessageOptions, command: Command) => {
      const text = await readWords(cli, words, 'The steering message');
      await withServer(cli, command, (frame) => sendSteering(frame, sessionId, text, options), {
        config: 'keys',
      });
    });
  addExamples(steer, [
    'steer checkout-is-slow-k3v9x look at the connection pool first',
    'steer checkout-is-slow-k3v9x --interrupt "stop: the database is being restored"',
  ]);
  const followUp = addMessage(program, 'follow-up', 'send a message that the agent reads when it would stop');
  followUp.action(async (sessionId: string, words: string[], options: MessageOptions, command: Command) => {
    const text = await readWords(cli, words, 'The follow-up');
    await withServer(cli, command, (frame) => sendFollowUp(frame, sessionId, text, options), {
      config: 'keys',
    });
  });
  addExamples(followUp, ['follow-up checkout-is-slow-k3v9x "then check the cache as well"']);
}

function addMessage(program: Command, command: string, description: string): Command {
  return program
    .command(command)
    .description(description)
    .argument('<session>', 'session id', anySession)
    .argument('<words...>', 'the message; "-" reads standard input')
    .option('--id <id>', 'message id; sending the same id again changes nothing', name);
}

async function sendSteering(
  frame: ServerCommand,
  sessionId: string,
  text: string,
  { id, interrupt }: MessageOptions,
): Promise<void> {
  const session = frame.access.client.session(sessionId);
  const sent = await session.steer(text, { id, mode: interrupt ? 'interrupt' : undefined });
  frame.output.emit({ sessionId, id: sent.id, queue: 'steering' });
  const when = interrupt ? 'at once' : 'before its next turn';
  frame.output.print(`Sent (id ${sent.id}). The agent reads it ${when}.`);
  await warnWithoutWorker(frame, session);
}

async function sendFollowUp(
  frame: ServerCommand,
  sessionId: string,
  text: string,
  { id }: MessageOptions,
): Promise<void> {
  const session = frame.access.client.session(sessionId);
  const sent = await session.followUp(text, { id });
  frame.output.emit({ sessionId, id: sent.id, queue: 'followUp' });
  frame.output.print(`Sent (id ${sent.id}). The agent reads it when it would stop.`);
  await warnWithoutWorker(frame, session);
}
