// A question on a terminal, with the lines of the calls beside it: both views, with what a person sees drawn by an emulator.
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import headless from '@xterm/headless';
import { noColors } from '../../../src/cli/colors.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createApprovalDesk } from '../../../src/cli/approvals/ask-approval.ts';
import type { Cli, Output } from '../../../src/cli/cli.ts';
import { openView } from '../../../src/cli/live/follow-session.ts';
import { createSessionRenderer } from '../../../src/cli/render/session-renderer.ts';
import type { Heard, SessionHandle } from '../../../src/client.ts';
import type { PendingApproval } from '@holdfast/vocabulary/snapshot';
import { until } from '../../support/until.ts';

const deadline = Date.now() + 3_600_000;
const args = '{"deploy":"d-5"}';
const pendingOf = (id: string): PendingApproval => ({
  id,
  tool: 'rollback',
  args,
  argsDigest: 'digest',
  summary: `rollback ${id}`,
  effect: 'once',
  turn: 1,
  requestedAt: 0,
  deadline,
  rememberable: [],
});

let seq = 0;
const event = (of: object) => ({ seq: (seq += 1), at: 0, turn: 1, ...of }) as Heard;
const begins = (callId: string, summary: string) =>
  event({ type: 'tool_execution_start', callId, tool: summary.split(' ')[0], rawArgs: '{}', summary });
const asks = (callId: string) =>
  event({
    type: 'approval_requested',
    callId,
    tool: 'rollback',
    args,
    summary: `rollback ${callId}`,
    deadline,
  });
const ends = (callId: string, text: string) =>
  event({ type: 'tool_execution_end', callId, tool: 'read', text, isError: false });

/** A followed session on a terminal of 80 columns, `pinned` or line by line. */
async function follow(pinned: boolean) {
  const terminal = new headless.Terminal({
    cols: 80,
    rows: 40,
    scrollback: 1_000,
    allowProposedApi: true,
    convertEol: true,
  });
  const write = (text: string) => terminal.write(text);
  const stdout = Object.assign(new EventEmitter(), { columns: 80, rows: 40, isTTY: true, write });
  const keyboard = new PassThrough();
  const stdin = Object.assign(keyboard, { isTTY: true, setRawMode: () => undefined });
  let insert = (text: string): void => write(`${text}\n`);
  const output = {
    json: false,
    terminal: true,
    width: pinned ? 80 : undefined,
    height: pinned ? 40 : undefined,
    colors: noColors,
    print: (text: string) => insert(text),
    say: (text: string) => insert(text),
    emit: () => undefined,
    divert: (to: (text: string) => void) => {
      insert = to;
      return () => undefined;
    },
  } satisfies Output;
  const cli = { stdin, stdout, stderr: stdout, environment: {}, signals: process } as unknown as Cli;
  const approved: string[] = [];
  const session = {
    sessionId: 's',
    pendingApprovals: async () => ['a', 'b'].map(pendingOf),
    approve: async (id: string) => void approved.push(id),
    snapshot: () => new Promise(() => undefined),
    describe: () => new Promise(() => undefined),
  } as unknown as SessionHandle;
  const view = await openView({ cli, output, session, mode: 'ask' });
  const renderer = createSessionRenderer(output, 's', view);
  const desk = createApprovalDesk({ cli, output, session, mode: 'ask', readLine: view.readLine });
  const close = (): void => {
    desk.close();
    view.close();
  };
  onTestFinished(close);
  const { buffer } = terminal;
  const rows = (): string[] =>
    Array.from(
      { length: buffer.active.length },
      (_, row) => buffer.active.getLine(row)?.translateToString(true).trim() ?? '',
    ).filter((row) => row !== '');
  const places = (...words: string[]): number[] =>
    words.map((word) => rows().findLastIndex((row) => row.includes(word)));
  return {
    close,
    approved,
    type: (text: string) => void keyboard.write(text),
    /** As a subscription delivers them: one after the other, each in a turn of the event loop. */
    async hear(...heard: Heard[]) {
      for (const one of heard) {
        await setImmediate();
        renderer.show(one);
        view.hear(one);
        desk.hear(one);
      }
    },
    rows,
    /** Resolves with the rows when they have this text. */
    shown: (pattern: RegExp) => until(String(pattern), () => pattern.test(rows().join('\n')) && rows()),
    inOrder: (...words: string[]) =>
      expect([words, places(...words)]).toEqual([
        words,
        places(...words).toSorted((one, other) => one - other),
      ]),
  };
}

const batch = [
  begins('a', 'rollback a'),
  asks('a'),
  begins('r1', 'read one.log'),
  begins('r2', 'read two.log'),
  begins('b', 'rollback b'),
  asks('b'),
];

test.each([
  ['the live view', true],
  ['--plain', false],
])(
  '[CLI-28abc] %s: a question follows the lines of its batch, and what comes meanwhile follows the answer',
  async (_, pinned) => {
    const { hear, type, shown, inOrder, rows, approved } = await follow(pinned);
    await hear(...batch);
    await shown(/Run exactly this\?/);
    inOrder('approval needed: rollback a', 'approval needed: rollback b', 'Run exactly this?');
    await hear(ends('r1', 'first output'), ends('r2', 'second output'));
    // what is typed is drawn with all that was written before it
    type('d');
    await shown(/(?:later\)|>) d$/m);
    expect(rows().join('\n')).not.toContain('output');
    type('\r');
    // the details ask once more, below what has come
    await shown(/first output[^]*second output[^]*call +a, turn 1[^]*Run exactly this\?/);
    type('y\r');
    await until('the approval', () => approved.length > 0);
  },
);

test.each([
  ['the live view', true],
  ['--plain', false],
])('[CLI-28c] %s: what came during a question is not lost when the view is left', async (_, pinned) => {
  const { hear, type, shown, close, rows } = await follow(pinned);
  await hear(...batch);
  await shown(/Run exactly this\?/);
  await hear(ends('r1', 'first output'));
  type('d');
  await shown(/(?:later\)|>) d$/m);
  expect(rows().join('\n')).not.toContain('first output');
  close();
  await shown(/first output/);
});

test('[CLI-28d] who was typing when a question came has not answered it with the next keys: they stay in the line', async () => {
  const { hear, type, shown, approved } = await follow(true);
  await hear(begins('a', 'rollback a'));
  type('look at all of the log');
  await shown(/> look at all of the log$/m);
  await hear(asks('a'));
  await shown(/Run exactly this\?/);
  // the end of a word and an Enter that were on their way
  type('y\r');
  await shown(/> y$/m);
  expect(approved).toEqual([]);
  await setTimeout(1_500);
  type('\r');
  await until('the approval', () => approved.length > 0);
  await shown(/> look at all of the log$/m);
});
