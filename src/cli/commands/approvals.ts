// holdfast approve and deny: answer a call that waits for a person.
import type { Command } from 'commander';
import { currentActor } from '../ask-approval.ts';
import type { Cli } from '../cli.ts';
import type { HoldfastClient } from '../../client.ts';
import { toPlain } from '../render/plain-text.ts';
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
    .argument('<session>', 'session id')
    .argument('[call]', 'call id; needed where more than one waits')
    .option('--reason <words>', 'kept with the answer, and told to the agent')
    .option('--actor <name>', 'who answers', currentActor())
    .action(async (sessionId: string, callId: string | undefined, options: Options, command: Command) => {
      await withServer(cli, command, async ({ output, access: { client } }) => {
        const call = callId ?? (await onlyPending(client, sessionId));
        await client[name](sessionId, call, options);
        output.emit({ sessionId, callId: call, approved: name === 'approve', actor: options.actor });
        output.print(`${name === 'approve' ? 'Approved' : 'Denied'} ${call}.`);
      });
    });
}

async function onlyPending(client: HoldfastClient, sessionId: string): Promise<string> {
  const pending = await client.pendingApprovals(sessionId);
  const [only, ...others] = pending;
  if (only && others.length === 0) return only.id;
  if (!only) throw new UserError(`Session ${sessionId} waits for no approval.`, exitCodes.refused);
  const lines = pending.map(({ id, tool, args }) => `  ${id}  ${tool} ${toPlain(args)}`);
  throw new UserError(
    `Session ${sessionId} waits for ${pending.length} approvals: name one.\n${lines.join('\n')}`,
  );
}
