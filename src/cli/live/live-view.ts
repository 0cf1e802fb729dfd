// The live view of run, watch and the demo on a terminal: the history above, the pinned rows below, the input line,
// questions, and the title of the window. The terminal is restored on every exit.
import { setTimeout as pause } from 'node:timers/promises';
import type { Heard, SessionHandle } from '../../client.ts';
import type { Cli, Output } from '../cli.ts';
import type { ReadLine } from '../approvals/read-line.ts';
import { holdsCommand } from '../../config/command-line.ts';
import { toLine, toPlain } from '../render/plain-text.ts';
import { stopGroup } from '../suspend.ts';
import { fitLine } from '../render/fit.ts';
import type { CallsLook } from './calls-in-flight.ts';
import {
  type Canvas,
  describeActivity,
  describeInput,
  describeQuestionRows,
  describeNow,
} from './describe-live.ts';
import { createHeldLines, type LiveView } from './view.ts';
import { LineEditor, pasteMode } from './line-editor.ts';
import { beginTask, createLiveState, hear, know } from './live-state.ts';
import { type Pinned, PinnedScreen } from './screen.ts';
import { type SpendWatch, createSpendWatch } from './spend-watch.ts';
import {
  describeCommands,
  isUnknownCommand,
  matchingCommands,
  parseCommand,
  type TypedContext,
  createSender,
} from './typed-words.ts';

export type LiveOptions = {
  cli: Cli;
  output: Output;
  session: SessionHandle;
  /** True if the person can type here. */
  input: boolean;
  times?: boolean | undefined;
};

/** Words typed this shortly before a question are not its answer. */
const settleMs = 300;
/** As long, where a line was begun; nobody reads a question faster, either. */
const begunMs = 1_500;
const tickMs = 1_000;

export function openLiveView(options: LiveOptions): LiveView {
  return new TerminalView(options);
}

class TerminalView implements LiveView {
  readonly #options: LiveOptions;
  readonly #state = createLiveState();
  readonly #screen: PinnedScreen;
  readonly #lines = createHeldLines((text) => this.#screen.write(text));
  readonly #editor: LineEditor | undefined;
  readonly #spending: SpendWatch;
  readonly #title: ReturnType<typeof createTitle>;
  readonly #undivert: () => void;
  readonly #tick: NodeJS.Timeout;
  #question: { text: string; done(answer: string | undefined): void } | undefined;
  #isSettling = false;
  /** Keys before it are no answer: somebody was typing when the question came. */
  #readAt = -Infinity;
  #send: ReturnType<typeof createSender> | undefined;
  #keyedAt = -Infinity;
  #wasAsking = false;
  #closed = false;
  times: boolean;
  readonly pins = true;
  readonly readLine: ReadLine | undefined;

  constructor(options: LiveOptions) {
    const { cli, output, session } = options;
    this.#options = options;
    this.times = options.times ?? false;
    this.#title = createTitle(session.sessionId, cli.environment.TERM);
    this.#screen = new PinnedScreen({
      stream: cli.stdout,
      pinned: (size) => this.#pinned(size),
      isPasted: holdsCommand,
    });
    this.#spending = createSpendWatch(session, (snapshot) => {
      know(this.#state, snapshot, performance.now());
      this.#screen.touch();
    });
    if (options.input) {
      this.#editor = this.#createEditor();
      this.readLine = this.#lines.around((lines, text, signal) => this.#ask(lines, text, signal));
    }
    this.#undivert = output.divert((text) => this.#screen.insert(text));
    this.#tick = setInterval(() => this.#screen.touch(), tickMs);
    cli.stdout.write(`${this.#title.begin}${this.#editor ? pasteMode.on : ''}`);
    this.#screen.touch();
    // without an editor the terminal itself sends it
    process.on('SIGTSTP', this.#suspend);
    // an uncaught error is printed on a restored terminal
    process.on('exit', this.close);
    process.on('uncaughtExceptionMonitor', this.close);
  }

  get asks(): boolean {
    return this.#editor !== undefined;
  }

  get width(): number {
    return this.#options.cli.stdout.columns;
  }

  readonly write = (text: string): void => this.#lines.write(text);

  readonly ring = (): void => {
    this.#screen.signal(bell);
    this.#screen.touch();
  };

  readonly hear = (heard: Heard): void => {
    hear(this.#state, heard, { now: performance.now(), at: Date.now() });
    this.#spending.hear(heard);
    this.#screen.touch();
  };

  readonly look = (look: CallsLook): void => {
    this.#state.look = look;
    this.#screen.touch();
  };

  readonly close = (): void => {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#tick);
    this.#spending.close();
    // of a session that is left
    const { colors } = this.#options.output;
    for (const { summary } of this.#state.calls.values())
      this.#screen.insert(colors.cyan(`  → ${toLine(summary, 200)}`));
    this.#undivert();
    this.#editor?.close();
    this.#screen.close();
    this.#options.cli.stdout.write(`${this.#editor ? pasteMode.off : ''}${this.#title.end}`);
    process.off('SIGTSTP', this.#suspend);
    process.off('exit', this.close);
    process.off('uncaughtExceptionMonitor', this.close);
  };

  #createEditor(): LineEditor {
    return new LineEditor({
      stdin: this.#options.cli.stdin,
      onChange: () => {
        this.#keyedAt = performance.now();
        this.#screen.touch();
      },
      onLine: (line) => this.#take(line),
      onCancel: () => void process.emit('SIGINT'),
      onEnd: () => this.#question?.done(undefined),
      onSuspend: this.#suspend,
      complete: (line) => matchingCommands(line).map(({ name }) => `/${name} `),
    });
  }

  /** The target of typed commands. */
  #typing(): TypedContext {
    const state = this.#state;
    const { session } = this.#options;
    return {
      session,
      say: (text) => this.#screen.insert(text),
      sent: (id, words) => {
        state.sent.set(id, words);
        this.#screen.touch();
      },
      notSent: (id) => void state.sent.delete(id),
      isIdle: () => state.phase === 'ended',
      async prompt(words) {
        beginTask(state);
        await session.prompt(words).catch((error: unknown) => {
          state.phase = 'ended';
          throw error;
        });
      },
      toggleTimes: () => (this.times = !this.times),
      quit: () => void process.emit('SIGINT'),
    };
  }

  #take(line: string): void {
    // the line may be meant for the new question, or not: it goes back to the person
    if (this.#isSettling || performance.now() < this.#readAt) return this.#editor?.put(line);
    const isAnswer = !parseCommand(line) && !isUnknownCommand(line.trimEnd());
    if (this.#question && isAnswer) return this.#question.done(line);
    if (line.trim() !== '') void (this.#send ??= createSender(this.#typing()))(line);
  }

  /** Ctrl-Z: the shell gets the terminal in its original state. */
  readonly #suspend = (): void => {
    this.#screen.suspend();
    if (this.#editor) this.#options.cli.stdout.write(pasteMode.off);
    this.#editor?.setRaw(false);
    process.off('SIGTSTP', this.#suspend);
    stopGroup(() => this.#resume());
  };

  #resume(): void {
    if (this.#closed) return;
    process.on('SIGTSTP', this.#suspend);
    this.#editor?.setRaw(true);
    if (this.#editor) this.#options.cli.stdout.write(pasteMode.on);
    this.#screen.touch();
  }

  async #ask(lines: string, text: string, signal: AbortSignal): Promise<string | undefined> {
    this.#screen.insert(lines);
    // words that were begun before the question are no answer to it
    this.#isSettling = true;
    const quietMs = () => (this.#editor?.line ? begunMs : settleMs);
    while (!signal.aborted && performance.now() - this.#keyedAt < quietMs()) await pause(settleMs);
    this.#isSettling = false;
    if (signal.aborted) return undefined;
    const draft = this.#editor?.take() ?? '';
    if (draft !== '') this.#readAt = performance.now() + begunMs;
    const answer = await new Promise<string | undefined>((resolve) => {
      this.#question = { text, done: resolve };
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
      this.#screen.touch();
    });
    this.#question = undefined;
    // what was begun as its answer is no message, and no task
    if (signal.aborted && !this.#closed && /^[^/]/.test(this.#editor?.line ?? ''))
      this.#screen.insert(`  ! It waits no more. Not sent: ${toPlain(this.#editor?.take() ?? '')}`);
    if (draft !== '') this.#editor?.put(draft);
    if (answer !== undefined)
      this.#screen.insert(this.#options.output.colors.dim(`  > ${toLine(answer, 300)}`));
    return answer;
  }

  #pinned({ columns: width, rows: height }: { columns: number; rows: number }): Pinned {
    this.#signalWaits();
    const moment = { now: performance.now(), at: Date.now() };
    const place = { width, colors: this.#options.output.colors };
    const input = this.#editor && describeInput(this.#editor.line, this.#editor.cursor, place);
    const rows = [
      place.colors.dim('─'.repeat(width)),
      ...describeActivity(this.#state, moment, place),
      ...describeNow(this.#state, { ...moment, isAsking: this.#question !== undefined }, place),
      ...(this.#question ? describeQuestionRows(this.#question.text, place) : []),
      ...this.#commandRows(place),
      ...this.#inputRows(input?.rows ?? [], place),
    ];
    // half a screen at most, and of it the lowest
    const most = Math.max(3, Math.floor(height / 2));
    const shown = rows.length <= most ? rows : [...rows.slice(0, 1), ...rows.slice(1 - most)];
    const row = input ? shown.length - input.rows.length + input.row : -1;
    return { rows: shown, cursor: input && row >= 0 ? { row, column: input.column } : undefined };
  }

  /** Rings, and marks the window's title, when a request begins to wait. */
  #signalWaits(): void {
    const asks = this.#state.waits.size > 0;
    if (asks !== this.#wasAsking) this.#screen.signal(`${asks ? bell : ''}${this.#title.of(asks)}`);
    this.#wasAsking = asks;
  }

  #commandRows({ width, colors }: Canvas): string[] {
    const line = this.#editor?.line ?? '';
    if (matchingCommands(line).length === 0) return [];
    return describeCommands(line)
      .split('\n')
      .map((row) => fitLine(colors.dim(row), width));
  }

  /** The typed line, or a hint while it is empty. */
  #inputRows(rows: string[], { width, colors }: Canvas): string[] {
    if (this.#editor?.line !== '' || this.#question) return rows;
    const hint = this.#state.phase === 'ended' ? 'the next task' : 'words for the agent';
    return [`${rows[0] ?? ''}${colors.dim(fitLine(`${hint} · / for commands`, width - 3))}`];
  }
}

const bell = '\u0007';

/** The title of the window: pushed, set, and restored at the end. */
function createTitle(sessionId: string, term = '') {
  // the console of Linux has no title, and prints unknown sequences
  if (term === 'linux') return { begin: '', end: '', of: () => '' };
  const name = toLine(sessionId, 80);
  const of = (asks: boolean): string =>
    `\u001b]2;${asks ? `? holdfast asks: ${name}` : `holdfast: ${name}`}\u0007`;
  return { begin: `\u001b[22;2t${of(false)}`, end: '\u001b]2;\u0007\u001b[23;2t', of };
}
