// holdfast steer, follow-up, approve and deny: a message for a session that works, or the answer that it waits for.
import type { Command } from 'commander';
import { currentActor } from '../approvals/ask-approval.ts';
import { anySession, name, readWords, someWords } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { addExamples } from '../command-line.ts';
import { warnWithoutWorker } from '../live/session-standing.ts';
import { describeCall } from '../render/describe-event.ts';
import { type ServerCommand, withServer } from '../server-access.ts';
import { UserError, exitCodes } from '../user-error.ts';
import type { PendingApproval } from '../../core/model/snapshot.ts';

type MessageOptions = { interrupt?: boolean; id?: string };

export function registerMessages(program: Command, cli: Cli): void {
  const steer = addMessage(program, 'steer', 'send a message that the agent reads between turns')
    .option('--interrupt', 'stop the model call or tools in flight and read it at once')
    .action(async (sessionId: string, words: string[], options: MessageOptions, command: Command) => {
      const text = await readWords(cli, words, 'The steering message');
      await withServer(cli, command, (frame) => sendSteering(frame, sessionId, text, options), {
        config: 'nothing',
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
      config: 'nothing',
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

type AnswerOptions = { reason?: string; actor: string };
type Answer = 'approve' | 'deny';

export function registerApprovals(program: Command, cli: Cli): void {
  addExamples(register(program, cli, 'approve', 'allow a call that waits for approval'), [
    'approve checkout-is-slow-k3v9x',
    'approve checkout-is-slow-k3v9x call_7_1 --reason "agreed with the shop team"',
  ]);
  addExamples(register(program, cli, 'deny', 'refuse a call that waits for approval'), [
    'deny checkout-is-slow-k3v9x --reason "not before 22:00"',
  ]);
}

function register(program: Command, cli: Cli, answer: Answer, description: string): Command {
  return program
    .command(answer)
    .description(description)
    .argument('<session>', 'session id', anySession)
    .argument('[call]', 'call id; needed when several calls wait')
    .option('--reason <words>', 'kept with the answer, and read by the agent', someWords)
    .option('--actor <name>', 'who answers', currentActor())
    .action((sessionId: string, callId: string | undefined, options: AnswerOptions, command: Command) =>
      withServer(cli, command, (frame) => resolve(frame, answer, { sessionId, callId }, options), {
        config: 'nothing',
      }),
    );
}

async function resolve(
  { output, access }: ServerCommand,
  answer: Answer,
  { sessionId, callId }: { sessionId: string; callId: string | undefined },
  options: AnswerOptions,
): Promise<void> {
  const session = access.client.session(sessionId);
  const pending = await session.pendingApprovals();
  const call = callId === undefined ? only(sessionId, pending) : pending.find(({ id }) => id === callId);
  // one that does not wait is sent as well: the session knows its outcome
  const bound = call === undefined ? options : { ...options, argsDigest: call.argsDigest };
  const id = call?.id ?? callId ?? '';
  await session[answer](id, bound);
  const said = { sessionId, callId: id, approved: answer === 'approve', actor: options.actor };
  output.emit({ ...said, ...(call && { tool: call.tool, args: call.args }) });
  output.print(
    `${answer === 'approve' ? 'Approved' : 'Denied'} ${id}${call ? `: ${describeCall(call)}` : ''}`,
  );
}

function only(sessionId: string, pending: PendingApproval[]): PendingApproval {
  const [call, ...others] = pending;
  if (!call) throw new UserError(`Session ${sessionId} waits for no approval.`, exitCodes.refused);
  if (others.length === 0) return call;
  const lines = pending.map((other) => `  ${other.id}  ${describeCall(other)}`);
  throw new UserError(
    `Session ${sessionId} waits for ${pending.length} approvals: name one.\n${lines.join('\n')}`,
  );
}
