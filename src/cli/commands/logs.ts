// holdfast logs and thoughts: the messages and calls of a session, line by line for a pager, a pipe or grep, and as it
// grows; and what its model has thought.
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError, type MissingRecords, type SessionHandle } from '../../client.ts';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { name, wholeNumber } from '../arguments.ts';
import type { Output } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { withTyped } from '../../config/command-line.ts';
import { describeRecord, describeThought } from '../render/describe-record.ts';

type Options = { follow?: boolean; tail?: number };

const pollMs = 1_000;

const notes = `These are the messages of the session: prompts, words of the agent, calls and their outputs. What a worker says about the
session is in the log of that worker (docs/observability.md), and "holdfast watch" shows it live.`;

export function registerLogs(program: CliCommand): void {
  program
    .sessionCommand('logs')
    .option('-f, --follow', 'print what comes, until the session has ended')
    .option('--tail <count>', 'only so many messages from the end', wholeNumber)
    .examples(
      [
        'logs checkout-is-slow-k3v9x',
        'logs checkout-is-slow-k3v9x --follow --tail 5',
        'logs checkout-is-slow-k3v9x | grep -i timeout',
      ],
      notes,
    )
    .onSession(async ({ output }, session, options: Options) => {
      const { entries, isRunning } = await readLog(session);
      const last = print(output, entries, options.tail);
      if (options.follow && isRunning) await follow(output, session, last);
    });
}

const thoughtNotes = `A model thinks in words only if it is told to ("holdfast set <session> thinking high", model.thinkingLevel of an agent), and some
vendors keep the words to themselves.`;

export function registerThoughts(program: CliCommand): void {
  program
    .sessionCommand('thoughts')
    .option('--run <run>', 'only of this run, e.g. run-2', name)
    .examples(['thoughts checkout-is-slow-k3v9x --run run-1'], thoughtNotes)
    .onSession(async ({ output }, session, { run }: { run?: string }) => {
      const { entries } = await readLog(session);
      const missing = entries.filter((entry) => 'type' in entry);
      print(output, missing);
      const thoughts = entries.flatMap((entry) =>
        'type' in entry || (run ?? entry.runId) !== entry.runId ? [] : thoughtsIn(entry),
      );
      for (const { record, text } of thoughts) {
        const { seq, runId, turn, at } = record;
        output.emit({ type: 'thought', seq, runId, turn, at, text });
        output.print(describeThought(record, text, output.colors));
      }
      if (thoughts.length + missing.length === 0)
        output.print(`No thoughts are in ${run ?? 'the log of this session'}.`);
    });
}

function thoughtsIn(record: LogRecord): { record: LogRecord; text: string }[] {
  if (record.role !== 'assistant') return [];
  return record.content.flatMap((part) =>
    part.type === 'thinking' && part.text.trim() !== '' ? [{ record, text: part.text }] : [],
  );
}

type Entry = LogRecord | MissingRecords;

/** For an ended session, the stored log: it needs no worker, and no history. */
async function readLog(session: SessionHandle): Promise<{ entries: Entry[]; isRunning: boolean }> {
  const stored = await session.storedMessages();
  // the history may be gone, and the store has the log
  const listing = await session.describe().catch((error: unknown) => {
    if (stored === undefined) throw error;
  });
  const isRunning = listing?.status === 'RUNNING';
  const entries = stored === undefined || isRunning ? await Array.fromAsync(session.messages()) : stored;
  return { entries, isRunning };
}

export function printEntry(output: Output, entry: Entry): void {
  if ('type' in entry) {
    output.emit(entry);
    output.print(`… messages ${entry.fromSeq} to ${entry.toSeq} are stored elsewhere`);
  } else {
    output.emit({ type: 'message', record: entry });
    output.print(describeRecord(entry, output.colors));
  }
}

/** Returns the number of the last message. */
function print(output: Output, entries: readonly Entry[], tail = entries.length, last = 0): number {
  for (const entry of tail === 0 ? [] : entries.slice(-tail)) printEntry(output, entry);
  const newest = entries.at(-1);
  if (newest === undefined) return last;
  return 'type' in newest ? newest.toSeq : newest.seq;
}

async function follow(output: Output, session: SessionHandle, from: number): Promise<void> {
  let last = from;
  let said = false;
  for (;;) {
    // before the messages, so that those in between are printed, too
    const { status } = await session.describe();
    try {
      last = print(output, await Array.fromAsync(session.messages(last)), undefined, last);
    } catch (error) {
      if (!(error instanceof ClientError) || error.code !== 'NoWorker') throw error;
      if (!said) output.say(`${withTyped(error.message)} Waiting for one; Ctrl-C stops waiting.`);
      said = true;
    }
    if (status !== 'RUNNING') return;
    await sleep(pollMs);
  }
}
