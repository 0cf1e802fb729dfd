// The question of one approval on the terminal: exactly the call that would run, and an answer only from words that are
// typed after it and can mean nothing else.
import { once } from 'node:events';
import { type Interface, createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PendingApproval } from '../../core/model/snapshot.ts';
import type { Cli } from '../cli.ts';
import { describeCall, describeWait, describeWhole } from '../render/describe-event.ts';
import { toLine } from '../render/plain-text.ts';

/** Asks until the reply is clear. Undefined: later, Ctrl-D, or the question was taken away. */
export async function askHere(
  cli: Cli,
  pending: PendingApproval,
  signal: AbortSignal,
): Promise<{ approve: boolean; reason?: string } | undefined> {
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

export type ApprovalReply =
  | { type: 'yes' }
  | { type: 'no'; reason?: string }
  | { type: 'details' }
  | { type: 'later' }
  | { type: 'unclear' };

export function parseReply(text: string): ApprovalReply {
  const words = text.trim();
  if (/^y(es)?$/i.test(words)) return { type: 'yes' };
  if (/^no?$/i.test(words)) return { type: 'no' };
  if (/^(d|details|\?)$/i.test(words)) return { type: 'details' };
  if (/^l(ater)?$/i.test(words)) return { type: 'later' };
  // "no problem" and "no, go ahead" are no denials
  const reason = /^no?(?:,?\s+because|:)\s+(\S.*)$/i.exec(words)?.[1];
  return reason === undefined ? { type: 'unclear' } : { type: 'no', reason };
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

/** Long enough for a paste or a held key, too short to be waited for. */
const settleMs = 200;

/** Reads what was typed before the question, which is no answer to it. Rejects when `signal` aborts. Ctrl-C stays Ctrl-C. */
async function discardTyped(stdin: Cli['stdin'], signal: AbortSignal): Promise<void> {
  const discard = (typed: Buffer | string): void => {
    if (typed.includes('\u0003')) process.emit('SIGINT');
  };
  // raw: also the beginning of a line, which the terminal would keep until its Enter
  stdin.setRawMode(true);
  stdin.on('data', discard);
  try {
    await sleep(settleMs, undefined, { signal });
  } finally {
    stdin.off('data', discard);
    stdin.pause();
    stdin.setRawMode(false);
  }
}
