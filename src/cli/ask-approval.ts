// Asks for approvals on the terminal, one at a time, showing exactly what would run. An answer given elsewhere
// takes the question away.
import { once } from 'node:events';
import { type Interface, createInterface } from 'node:readline/promises';
import { userInfo } from 'node:os';
import type { HoldfastClient, WatchItem } from '../client.ts';
import type { PendingApproval } from '../core/snapshot.ts';
import type { Cli, Output } from './cli.ts';
import { discardTyped } from './discard-typed.ts';
import { toPlain } from './render/plain-text.ts';
import { messageOf } from './user-error.ts';

export type ApprovalDesk = {
  /** Feed it every item of the session. */
  onItem(item: WatchItem): void;
  /** Takes the open question away. */
  close(): void;
};

export type DeskOptions = {
  cli: Cli;
  output: Output;
  client: HoldfastClient;
  sessionId: string;
  /** `ask` needs a terminal, and without one tells how to answer elsewhere, as `tell` does. */
  mode: 'ask' | 'tell' | 'approve';
};

/** Who approves, for the audit line: the account on this machine. */
export function currentActor(): string {
  try {
    return userInfo().username;
  } catch {
    return 'cli';
  }
}

export function createApprovalDesk(options: DeskOptions): ApprovalDesk {
  const open = new Map<string, AbortController>();
  let last: Promise<void> = Promise.resolve();
  const request = (callId: string): void => {
    if (open.has(callId)) return;
    const controller = new AbortController();
    open.set(callId, controller);
    last = last.then(() => handle(options, callId, controller.signal));
  };
  return {
    onItem(item) {
      // requested by an event that cannot be read, or is not
      if (item.type === 'gap') item.snapshot.approvals.forEach(({ id }) => request(id));
      if (item.type !== 'event') return;
      const { event } = item;
      if (event.type === 'approval_requested') request(event.callId);
      else if (event.type === 'approval_resolved') {
        open.get(event.callId)?.abort();
        open.delete(event.callId);
      } else if (event.type === 'agent_end') for (const controller of open.values()) controller.abort();
    },
    close: () => open.forEach((controller) => controller.abort()),
  };
}

async function handle(options: DeskOptions, callId: string, signal: AbortSignal): Promise<void> {
  const { client, sessionId, output, mode } = options;
  try {
    if (signal.aborted) return;
    const answer = mode === 'approve' ? { approve: true } : await ask(options, callId, signal);
    if (answer === undefined || signal.aborted) return;
    const { approve, ...shown } = answer;
    const decision = { actor: currentActor(), ...shown };
    await (approve ? client.approve(sessionId, callId, decision) : client.deny(sessionId, callId, decision));
  } catch (error) {
    if (!signal.aborted) output.say(`  ! ${messageOf(error)}`);
  }
}

/** For the arguments that were shown, where any were. */
type Answer = { approve: boolean; argsDigest?: string };

/** Undefined: nobody to ask here, or the question was taken away. */
async function ask(options: DeskOptions, callId: string, signal: AbortSignal): Promise<Answer | undefined> {
  const { cli, client, sessionId, output, mode } = options;
  const pending = (await client.pendingApprovals(sessionId)).find(({ id }) => id === callId);
  if (!pending) return undefined;
  const elsewhere = `  Answer with: holdfast approve ${sessionId} ${callId}   or: holdfast deny ${sessionId} ${callId}`;
  const asked = mode !== 'tell' && output.terminal && cli.stdin.isTTY;
  const answer = asked ? await askHere(cli, pending, signal) : undefined;
  if (answer === undefined && !signal.aborted) output.say(elsewhere);
  if (answer === undefined) return undefined;
  return { approve: /^y(es)?$/i.test(answer.trim()), argsDigest: pending.argsDigest };
}

/** Undefined: the question was taken away, or Ctrl-D ended it. */
async function askHere(cli: Cli, pending: PendingApproval, signal: AbortSignal): Promise<string | undefined> {
  let terminal: Interface | undefined;
  try {
    await discardTyped(cli.stdin, signal);
    terminal = createInterface({ input: cli.stdin, output: cli.stderr });
    terminal.on('SIGINT', () => process.emit('SIGINT'));
    const closed = once(terminal, 'close').then(() => undefined);
    return await Promise.race([terminal.question(questionText(pending), { signal }), closed]);
  } catch {
    return undefined;
  } finally {
    terminal?.close();
  }
}

function questionText(pending: PendingApproval): string {
  return `\n  ${pending.tool} ${toPlain(pending.args)}\n  Run exactly this? [y/N] `;
}
