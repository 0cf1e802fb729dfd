// The approvals of a session that is followed here: each call that asks is answered as the options say, or by a person
// at the terminal, one at a time. An answer given elsewhere takes the question away.
import { userInfo } from 'node:os';
import type { Heard, SessionHandle } from '../../client.ts';
import type { PendingApproval } from '../../core/model/snapshot.ts';
import { describeDeadline } from '../../core/base/words.ts';
import { cutShownJson } from '../../core/base/shown-json.ts';
import { eventTextBytes } from '../../core/base/sizes.ts';
import type { Cli, Output } from '../cli.ts';
import { quote, typed } from '../command-line.ts';
import { describeCall } from '../render/describe-event.ts';
import { toPlain } from '../render/plain-text.ts';
import { messageOf } from '../user-error.ts';
import { askHere } from './ask-here.ts';

export type ApprovalDesk = {
  /** Feed it all that is heard of the session. */
  hear(heard: Heard): void;
  /** Takes the open question away. */
  close(): void;
};

export type DeskOptions = {
  cli: Cli;
  output: Output;
  session: Pick<SessionHandle, 'sessionId' | 'pendingApprovals' | 'approve' | 'deny'>;
  /** `ask` needs a terminal, and without one says how to answer elsewhere, as `tell` does. */
  mode: 'ask' | 'tell' | 'approve' | 'deny';
};

/** The person who approves, for the audit line: the account on this machine. */
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
  const close = (): void => open.forEach((controller) => controller.abort());
  return {
    hear(heard) {
      // requested by an event that is no longer kept
      if (heard.type === 'gap') heard.snapshot.approvals.forEach(({ id }) => request(id));
      else if (heard.type === 'approval_requested') request(heard.callId);
      else if (heard.type === 'approval_resolved') {
        open.get(heard.callId)?.abort();
        open.delete(heard.callId);
      } else if (heard.type === 'agent_end') close();
    },
    close,
  };
}

async function handle(options: DeskOptions, callId: string, signal: AbortSignal): Promise<void> {
  const { session, output, mode } = options;
  try {
    // the events of a session that is joined late tell also of calls that were answered long ago
    const pending = signal.aborted ? [] : await session.pendingApprovals();
    const call = pending.find(({ id }) => id === callId);
    const answer = call && (answers[mode] ?? (await ask(options, call, signal)));
    if (answer === undefined || signal.aborted) return;
    const { approve, ...shown } = answer;
    await session[approve ? 'approve' : 'deny'](callId, { actor: currentActor(), ...shown });
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
async function ask(
  { cli, session, output, mode }: DeskOptions,
  pending: PendingApproval,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const asked = mode !== 'tell' && output.terminal && cli.stdin.isTTY;
  const answer = asked ? await askHere(cli, pending, signal) : undefined;
  if (answer) return { ...answer, argsDigest: pending.argsDigest };
  if (!signal.aborted) output.say(describeElsewhere(pending, session.sessionId, output.json));
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
