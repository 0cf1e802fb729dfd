// The live view of run, watch and the demo on a terminal: the history above, the pinned rows below, the line that a person
// types, the questions that are asked there, and the title of the window. The terminal is given back on every way out.
import { setTimeout as pause } from 'node:timers/promises';
import type { SessionHandle } from '../../client.ts';
import type { Cli, Output } from '../cli.ts';
import type { ReadLine } from '../approvals/read-line.ts';
import { holdsCommand } from '../command-line.ts';
import { toLine } from '../render/plain-text.ts';
import { stopGroup } from '../suspend.ts';
import { fitLine } from '../render/fit.ts';
import { describeActivity, describeInput, describeQuestionRows, describeStatus } from './describe-live.ts';
import { createLineEditor, pasteMode } from './line-editor.ts';
import { begin, createLiveState, hear, know } from './live-state.ts';
import { type Pinned, createScreen } from './screen.ts';
import type { LiveView } from './view.ts';
import { createSpendWatch } from './spend-watch.ts';
import {
  describeCommands,
  isUnknownCommand,
  matchingCommands,
  parseCommand,
  sendTyped,
} from './typed-words.ts';

export type LiveOptions = {
  cli: Cli;
  output: Output;
  session: SessionHandle;
  /** Whether words are typed here. */
  input: boolean;
  times?: boolean | undefined;
};

/** Typed words that came this shortly before a question are none of its answer. */
const settleMs = 300;
const tickMs = 1_000;

export function openLiveView(options: LiveOptions): LiveView {
  const { cli, output, session } = options;
  const { stdin, stdout } = cli;
  const { colors } = output;
  const state = createLiveState();
  const now = (): number => performance.now();
  const title = createTitle(session.sessionId, cli.environment.TERM);
  let times = options.times ?? false;
  let question: { text: string; done(answer: string | undefined): void } | undefined;
  let isSettling = false;
  let keyedAt = -Infinity;
  let wasAsking = false;
  let closed = false;

  const screen = createScreen({ stream: stdout, pinned, isPasted: holdsCommand });
  const say = (text: string): void => screen.insert(text);
  const spending = createSpendWatch(session, (snapshot) => {
    know(state, snapshot, now());
    screen.touch();
  });
  const typing = {
    ...{ session, say },
    sent: (id: string, words: string) => {
      state.sent.set(id, words);
      screen.touch();
    },
    notSent: (id: string) => void state.sent.delete(id),
    isIdle: () => state.phase === 'ended',
    async prompt(words: string) {
      begin(state);
      await session.prompt(words).catch((error: unknown) => {
        state.phase = 'ended';
        throw error;
      });
    },
    toggleTimes: () => (times = !times),
    quit: () => void process.emit('SIGINT'),
  };
  const editor = options.input
    ? createLineEditor({
        stdin,
        onChange: () => {
          keyedAt = now();
          screen.touch();
        },
        onLine: take,
        onCancel: () => void process.emit('SIGINT'),
        onEnd: () => question?.done(undefined),
        onSuspend: suspend,
        complete: (line) => matchingCommands(line).map(({ name }) => `/${name} `),
      })
    : undefined;

  /** Ctrl-Z: the shell gets the terminal as it was. */
  function suspend(): void {
    screen.suspend();
    if (editor) stdout.write(pasteMode.off);
    editor?.setRaw(false);
    process.off('SIGTSTP', suspend);
    stopGroup(resume);
  }

  function resume(): void {
    if (closed) return;
    process.on('SIGTSTP', suspend);
    editor?.setRaw(true);
    if (editor) stdout.write(pasteMode.on);
    screen.touch();
  }

  function take(line: string): void {
    // it may be meant as the answer to what has just come up, or not: the person decides when it is seen
    if (isSettling) return editor?.put(line);
    if (question && !parseCommand(line) && !isUnknownCommand(line.trimEnd())) return question.done(line);
    if (line.trim() !== '') void sendTyped(typing, line);
  }

  function pinned({ columns: width, rows: height }: { columns: number; rows: number }): Pinned {
    const asks = state.waits.size > 0;
    if (asks !== wasAsking) screen.signal(`${asks ? bell : ''}${title.of(asks)}`);
    wasAsking = asks;
    const moment = { now: now(), at: Date.now() };
    const place = { width, colors };
    const input = editor && describeInput(editor.line, editor.cursor, place);
    const isEmpty = editor?.line === '';
    const hint = question ? '' : state.phase === 'ended' ? 'the next task' : 'words for the agent';
    const below = [
      ...describeStatus(state, { ...moment, isAsking: question !== undefined }, place),
      ...(question ? describeQuestionRows(question.text, place) : []),
      ...(matchingCommands(editor?.line ?? '').length > 0
        ? describeCommands(editor?.line ?? '')
            .split('\n')
            .map((row) => fitLine(colors.dim(row), width))
        : []),
      ...(isEmpty && hint !== ''
        ? [`${input?.rows[0] ?? ''}${colors.dim(fitLine(`${hint} · / for commands`, width - 3))}`]
        : (input?.rows ?? [])),
    ];
    // half a screen at most, and of it the lowest
    const most = Math.max(3, Math.floor(height / 2));
    const activity = describeActivity(state, moment, place);
    const rows = [colors.dim('─'.repeat(width)), ...activity, ...below];
    const shown = rows.length <= most ? rows : [...rows.slice(0, 1), ...rows.slice(1 - most)];
    const cursor = input && { row: shown.length - input.rows.length + input.row, column: input.column };
    return { rows: shown, ...(cursor && cursor.row >= 0 ? { cursor } : {}) };
  }

  const readLine: ReadLine = async (lines, text, signal) => {
    say(lines);
    // a person in the middle of words ends them first: they are no answer
    isSettling = true;
    while (!signal.aborted && now() - keyedAt < settleMs) await pause(settleMs);
    isSettling = false;
    if (signal.aborted) return undefined;
    const draft = editor?.take() ?? '';
    const answer = await new Promise<string | undefined>((resolve) => {
      question = { text, done: resolve };
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
      screen.touch();
    });
    question = undefined;
    if (draft !== '') editor?.put(draft);
    if (answer !== undefined) say(colors.dim(`  > ${toLine(answer, 300)}`));
    return answer;
  };

  const undivert = output.divert(say);
  const tick = setInterval(() => screen.touch(), tickMs);
  stdout.write(`${title.begin}${editor ? pasteMode.on : ''}`);
  screen.touch();

  function close(): void {
    if (closed) return;
    closed = true;
    clearInterval(tick);
    spending.close();
    // of a session that is left
    for (const { summary } of state.calls.values()) say(colors.cyan(`  → ${toLine(summary, 200)}`));
    undivert();
    editor?.close();
    screen.close();
    stdout.write(`${editor ? pasteMode.off : ''}${title.end}`);
    process.off('SIGTSTP', suspend);
    process.off('exit', close);
    process.off('uncaughtExceptionMonitor', close);
  }
  // without an editor the terminal itself sends it
  process.on('SIGTSTP', suspend);
  // an error that nobody caught is printed on a terminal that is whole
  process.on('exit', close);
  process.on('uncaughtExceptionMonitor', close);

  return {
    write: (text) => screen.write(text),
    ring: () => {
      screen.signal(bell);
      screen.touch();
    },
    hear(heard) {
      hear(state, heard, { now: now(), at: Date.now() });
      spending.hear(heard);
      screen.touch();
    },
    look(look) {
      state.look = look;
      screen.touch();
    },
    ...(editor ? { readLine } : {}),
    ...{ asks: editor !== undefined, pins: true },
    get width() {
      return stdout.columns;
    },
    get times() {
      return times;
    },
    close,
  };
}

const bell = '\u0007';

/** The title of the window: pushed, set, and taken back at the end. */
function createTitle(sessionId: string, term = '') {
  // the console of Linux has none, and prints what it does not know
  if (term === 'linux') return { begin: '', end: '', of: () => '' };
  const name = toLine(sessionId, 80);
  const of = (asks: boolean): string =>
    `\u001b]2;${asks ? `? holdfast asks: ${name}` : `holdfast: ${name}`}\u0007`;
  return { begin: `\u001b[22;2t${of(false)}`, end: '\u001b]2;\u0007\u001b[23;2t', of };
}
