// Asks for approvals on the terminal, one at a time, showing exactly what would run. An answer given elsewhere
// takes the question away.
import { once } from 'node:events';
import { type Interface, createInterface } from 'node:readline/promises';
import { userInfo } from 'node:os';
import type { HoldfastClient, WatchItem } from '../../client.ts';
import type { PendingApproval } from '../../core/model/snapshot.ts';
import { describeDeadline } from '../../core/base/words.ts';
import { cutShownJson } from '../../core/base/shown-json.ts';
import { eventTextBytes } from '../../core/base/sizes.ts';
import { parseReply } from './approval-reply.ts';
import type { Cli, Output } from '../cli.ts';
import { quote, typed } from '../command-line.ts';
import { discardTyped } from './discard-typed.ts';
import { describeCall, describeWait, describeWhole } from '../render/describe-approval.ts';
import { toLine, toPlain } from '../render/plain-text.ts';
import { messageOf } from '../user-error.ts';

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
  mode: 'ask' | 'tell' | 'approve' | 'deny';
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
    const answer = answers[mode] ?? (await ask(options, callId, signal));
    if (answer === undefined || signal.aborted) return;
    const { approve, ...shown } = answer;
    const decision = { actor: currentActor(), ...shown };
    await (approve ? client.approve(sessionId, callId, decision) : client.deny(sessionId, callId, decision));
  } catch (error) {
    if (!signal.aborted) output.say(`  ! ${messageOf(error)}`);
  }
}

/** For the arguments that were shown, where any were. */
type Answer = { approve: boolean; reason?: string; argsDigest?: string };

/** Given for every call, whatever its arguments. */
const answers: Partial<Record<DeskOptions['mode'], Answer>> = {
  approve: { approve: true },
  deny: { approve: false, reason: 'Every call that asks is denied here (--approval deny).' },
};

/** Undefined: nobody to ask here, it was put off, or the question was taken away. */
async function ask(options: DeskOptions, callId: string, signal: AbortSignal): Promise<Answer | undefined> {
  const { cli, client, sessionId, output, mode } = options;
  const pending = (await client.pendingApprovals(sessionId)).find(({ id }) => id === callId);
  if (!pending) return undefined;
  const asked = mode !== 'tell' && output.terminal && cli.stdin.isTTY;
  const answer = asked ? await askHere(cli, pending, signal) : undefined;
  if (answer) return { ...answer, argsDigest: pending.argsDigest };
  if (!signal.aborted) output.say(describeElsewhere(pending, sessionId, output.json));
  return undefined;
}

/** `bare`: no line before it shows the arguments. */
function describeElsewhere(pending: PendingApproval, sessionId: string, bare: boolean): string {
  const { id, tool, args } = pending;
  // a provider made it: it may hold anything
  const word = quote(toPlain(id));
  const call = bare ? describeCall({ tool, args: cutShownJson(args, eventTextBytes) }) : toPlain(tool);
  return [
    `  ${call} waits for an answer; denied without one ${describeDeadline(pending.deadline, Date.now())}`,
    `  Answer with: ${typed(`approve ${sessionId} ${word}`)}   or: ${typed(`deny ${sessionId} ${word} --reason "why"`)}`,
  ].join('\n');
}

/** Asks until the reply is clear. Undefined: later, Ctrl-D, or the question was taken away. */
async function askHere(
  cli: Cli,
  pending: PendingApproval,
  signal: AbortSignal,
): Promise<Omit<Answer, 'argsDigest'> | undefined> {
  let before = '';
  for (;;) {
    const lines = [before, `  ${describeCall(pending)}`, `  ${describeWait(pending, Date.now())}`];
    const text = await readLine(cli, lines.join('\n'), signal);
    const reply = text === undefined ? { type: 'later' as const } : parseReply(text);
    switch (reply.type) {
      case 'yes':
        return { approve: true };
      case 'no':
        return { approve: false, ...(reply.reason === undefined ? {} : { reason: reply.reason }) };
      case 'later':
        return undefined;
      case 'details':
        before = `\n${describeWhole(pending, Date.now())}\n`;
        break;
      case 'unclear':
        before = `\n  ${JSON.stringify(toLine(text ?? '', 60))} decides nothing: yes, no, details or later.`;
    }
  }
}

const question = '  Run exactly this? [y/n] (n because <reason>, d: details, l: later) ';

/** Undefined: Ctrl-D ended it, or the question was taken away. */
async function readLine(cli: Cli, lines: string, signal: AbortSignal): Promise<string | undefined> {
  let terminal: Interface | undefined;
  try {
    await discardTyped(cli.stdin, signal);
    cli.stderr.write(`${lines}\n`);
    terminal = createInterface({ input: cli.stdin, output: cli.stderr });
    terminal.on('SIGINT', () => process.emit('SIGINT'));
    const closed = once(terminal, 'close').then(() => undefined);
    return await Promise.race([terminal.question(question, { signal }), closed]);
  } catch {
    return undefined;
  } finally {
    terminal?.close();
  }
}
