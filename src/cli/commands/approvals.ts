// holdfast approve and deny: answer a call that waits for a person.
import type { Command } from 'commander';
import { currentActor } from '../approvals/ask-approval.ts';
import { anySession, someWords } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import type { PendingApproval } from '../../core/model/snapshot.ts';
import { describeCall } from '../render/describe-approval.ts';
import { UserError, exitCodes } from '../user-error.ts';
import { withServer } from '../with-server.ts';

type Options = { reason?: string; actor: string };

export function registerApprovals(program: Command, cli: Cli): void {
  register(program, cli, 'approve', 'allow a call that waits for approval');
  register(program, cli, 'deny', 'refuse a call that waits for approval');
}

function register(program: Command, cli: Cli, name: 'approve' | 'deny', description: string): void {
  program
    .command(name)
    .description(description)
    .argument('<session>', 'session id', anySession)
    .argument('[call]', 'call id; needed where more than one waits')
    .option('--reason <words>', 'kept with the answer, and told to the agent', someWords)
    .option('--actor <name>', 'who answers', currentActor())
    .action(async (sessionId: string, callId: string | undefined, options: Options, command: Command) => {
      await withServer(
        cli,
        command,
        async ({ output, access: { client } }) => {
          const pending = await client.pendingApprovals(sessionId);
          const call =
            callId === undefined ? only(sessionId, pending) : pending.find(({ id }) => id === callId);
          // one that does not wait is sent as well: the session knows what became of it
          const bound = call === undefined ? options : { ...options, argsDigest: call.argsDigest };
          const id = call?.id ?? callId ?? '';
          await client[name](sessionId, id, bound);
          const said = { sessionId, callId: id, approved: name === 'approve', actor: options.actor };
          output.emit({ ...said, ...(call && { tool: call.tool, args: call.args }) });
          output.print(
            `${name === 'approve' ? 'Approved' : 'Denied'} ${id}${call ? `: ${describeCall(call)}` : ''}`,
          );
        },
        { config: 'nothing' },
      );
    });
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
