// The line that a person types below the live view: the editing, the keys and the history of Node's readline, drawn by the
// screen. A paste of several lines is one message.
import { type Interface, createInterface } from 'node:readline';
import { Writable } from 'node:stream';

export type LineEditorOptions = {
  stdin: NodeJS.ReadStream;
  /** Something to draw has changed. */
  onChange(): void;
  onLine(text: string): void;
  onCancel(): void;
  /** Ctrl-D on an empty line. */
  onEnd(): void;
  /** Ctrl-Z. */
  onSuspend(): void;
  /** Names that Tab completes. */
  complete(line: string): string[];
};

export type LineEditor = {
  readonly line: string;
  readonly cursor: number;
  /** Takes the line away and gives what it was. */
  take(): string;
  /** Puts the words at the cursor. */
  put(text: string): void;
  /** The terminal sends keys as they are typed, or, for a shell that takes it, lines. */
  setRaw(isRaw: boolean): void;
  close(): void;
};

/** What a terminal sends around a paste, and what ends it where a process is killed before. */
export const pasteMode = { on: '\u001b[?2004h', off: '\u001b[?2004l' };

export function createLineEditor(options: LineEditorOptions): LineEditor {
  const { stdin, onChange, onLine, onCancel, onEnd, onSuspend, complete } = options;
  // readline draws for itself: the screen does that here
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  let pasting = false;
  let pasted: string[] = [];
  let history: string[] = [];
  let closed = false;
  let terminal = open();

  function open(): Interface {
    const opened = createInterface({
      ...{ input: stdin, output: nowhere, terminal: true, history, removeHistoryDuplicates: true },
      completer: (line: string) => [complete(line), line],
    });
    opened.on('line', (line) => {
      // at the end of the input readline gives what nobody has sent: it is no answer
      if (stdin.readableEnded) return;
      if (pasting) return void pasted.push(line);
      const text = [...pasted.splice(0), line].join('\n');
      onLine(text);
      onChange();
    });
    opened.on('history', (lines) => (history = lines));
    opened.on('SIGINT', onCancel);
    opened.on('SIGTSTP', onSuspend);
    opened.on('close', () => {
      if (closed) return;
      terminal = open();
      onEnd();
    });
    return opened;
  }

  function heed(_text: string | undefined, key: { name?: string; ctrl?: boolean } | undefined): void {
    // readline knows nothing of the lines above its own
    if (key?.ctrl && key.name === 'u') pasted = [];
    if (key?.name === 'paste-start') pasting = true;
    if (key?.name === 'paste-end') pasting = false;
    onChange();
  }
  stdin.on('keypress', heed);

  return {
    get line() {
      return [...pasted, terminal.line].join('\n');
    },
    get cursor() {
      return pasted.reduce((sum, line) => sum + line.length + 1, 0) + terminal.cursor;
    },
    take() {
      const text = this.line;
      pasted = [];
      terminal.write(null, { ctrl: true, name: 'e' });
      terminal.write(null, { ctrl: true, name: 'u' });
      return text;
    },
    put(text) {
      const lines = text.split('\n');
      const last = lines.pop() ?? '';
      pasted.push(...lines);
      terminal.write(last);
    },
    setRaw: (isRaw) => void stdin.setRawMode(isRaw),
    close() {
      closed = true;
      stdin.off('keypress', heed);
      terminal.close();
    },
  };
}
