// The input line below the live view: the editing, the keys and the history of Node's readline, drawn by the screen. A
// paste of several lines is one message.
import { type Interface, createInterface } from 'node:readline';
import { Writable } from 'node:stream';

export type LineEditorOptions = {
  stdin: NodeJS.ReadStream;
  /** Called when the drawing must change. */
  onChange(): void;
  onLine(text: string): void;
  onCancel(): void;
  /** Called for Ctrl-D on an empty line. */
  onEnd(): void;
  /** Called for Ctrl-Z. */
  onSuspend(): void;
  /** Names that Tab completes. */
  complete(line: string): string[];
};

/** Bracketed paste of terminals; `off` also resets a terminal after a kill. */
export const pasteMode = { on: '\u001b[?2004h', off: '\u001b[?2004l' };

export class LineEditor {
  readonly #options: LineEditorOptions;
  #pasting = false;
  #pasted: string[] = [];
  #history: string[] = [];
  #closed = false;
  #terminal: Interface;

  constructor(options: LineEditorOptions) {
    this.#options = options;
    this.#terminal = this.#openTerminal();
    options.stdin.on('keypress', this.#heed);
  }

  get line(): string {
    return [...this.#pasted, this.#terminal.line].join('\n');
  }

  get cursor(): number {
    return this.#pasted.reduce((sum, line) => sum + line.length + 1, 0) + this.#terminal.cursor;
  }

  /** Empties the line and returns its text. */
  take(): string {
    const text = this.line;
    this.#pasted = [];
    this.#terminal.write(null, { ctrl: true, name: 'e' });
    this.#terminal.write(null, { ctrl: true, name: 'u' });
    return text;
  }

  put(text: string): void {
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    this.#pasted.push(...lines);
    this.#terminal.write(last);
  }

  /** True sends keys as they are typed; false sends lines, for a shell that takes the terminal. */
  setRaw(isRaw: boolean): void {
    this.#options.stdin.setRawMode(isRaw);
  }

  close(): void {
    this.#closed = true;
    this.#options.stdin.off('keypress', this.#heed);
    this.#terminal.close();
  }

  #openTerminal(): Interface {
    const { stdin, onChange, onLine, onCancel, onEnd, onSuspend, complete } = this.#options;
    const opened = createInterface({
      input: stdin,
      // readline draws for itself: the screen does that here
      output: new Writable({ write: (_chunk, _encoding, done) => done() }),
      terminal: true,
      history: this.#history,
      removeHistoryDuplicates: true,
      completer: (line: string) => [complete(line), line],
    });
    opened.on('line', (line) => {
      // at the end of the input readline passes on unsent text, which is no answer
      if (stdin.readableEnded) return;
      if (this.#pasting) return void this.#pasted.push(line);
      onLine([...this.#pasted.splice(0), line].join('\n'));
      onChange();
    });
    opened.on('history', (lines) => (this.#history = lines));
    opened.on('SIGINT', onCancel);
    opened.on('SIGTSTP', onSuspend);
    opened.on('close', () => {
      if (this.#closed) return;
      this.#terminal = this.#openTerminal();
      onEnd();
    });
    return opened;
  }

  readonly #heed = (_text: string | undefined, key: { name?: string; ctrl?: boolean } | undefined): void => {
    // readline knows nothing of the lines above its own
    if (key?.ctrl && key.name === 'u') this.#pasted = [];
    if (key?.name === 'paste-start') this.#pasting = true;
    if (key?.name === 'paste-end') this.#pasting = false;
    this.#options.onChange();
  };
}
