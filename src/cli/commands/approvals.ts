// holdfast approve and deny: answer a call that waits for a person.
import type { Command } from 'commander';
import type { PendingApproval } from '../../core/model/snapshot.ts';
import { currentActor } from '../approvals/ask-approval.ts';
import { anySession, someWords } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { addExamples } from '../command-line.ts';
import { describeCall } from '../render/describe-approval.ts';
import { type ServerCommand, withServer } from '../server-access.ts';
import { UserError, exitCodes } from '../user-error.ts';

type Options = { reason?: string; actor: string };
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
    .action((sessionId: string, callId: string | undefined, options: Options, command: Command) =>
      withServer(cli, command, (frame) => resolve(frame, answer, { sessionId, callId }, options), {
        config: 'nothing',
      }),
    );
}

async function resolve(
  { output, access }: ServerCommand,
  answer: Answer,
  { sessionId, callId }: { sessionId: string; callId: string | undefined },
  options: Options,
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
