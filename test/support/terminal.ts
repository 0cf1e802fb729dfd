// Runs the command line on a real terminal: a pseudo terminal of a chosen size, whose bytes a terminal emulator draws. What
// a person sees is in its rows, and what scrolled away in its history.
import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import headless from '@xterm/headless';
import { onTestFinished } from 'vitest';
import { type CliSetting, entry, environmentOf } from './cli.ts';
import { type Size, openPty } from './pty.ts';

/** The screen says more than a test that has run out of time. */
const patienceMs = 30_000;

export type TerminalSetting = CliSetting & Partial<Size>;

export type RunningTerminal = {
  type(text: string): void;
  resize(size: Size): void;
  /** The rows that are seen, without blanks at their ends. */
  screen(): string[];
  /** All rows, with those that have scrolled away. */
  history(): string[];
  /** The same, with what the terminal itself has broken into rows as one line, as it is copied. */
  lines(): string[];
  /** Of the window. */
  title(): string;
  bells(): number;
  /** Everything that was written. */
  bytes(): string;
  /** Where the cursor is: a row of the screen and a column, from 0. */
  cursor(): { row: number; column: number; hidden: boolean };
  /** Resolves with the screen once one of its rows, or the rows together, match. */
  until(pattern: RegExp, withinMs?: number): Promise<string>;
  ended: Promise<number>;
  child: ChildProcess;
};

/** The command line; `command` is another program. */
export function startTerminal(
  args: string[],
  setting: TerminalSetting,
  command = [process.execPath, entry],
): RunningTerminal {
  const { cwd, columns = 80, rows = 24 } = setting;
  const env = environmentOf(setting);
  const { child, stdin, stdout, resize } = openPty([...command, ...args], { cwd, env, columns, rows });
  const terminal = new headless.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  const news = new EventEmitter();
  news.setMaxListeners(0);
  const seen = { title: '', bells: 0, bytes: '' };
  terminal.onTitleChange((title) => (seen.title = title));
  terminal.onBell(() => (seen.bells += 1));
  stdout.setEncoding('utf8').on('data', (text: string) => {
    seen.bytes += text;
    terminal.write(text, () => news.emit('news'));
  });
  let code: number | undefined;
  const ended = once(child, 'close').then(async ([status]) => {
    await new Promise<void>((resolve) => terminal.write('', resolve));
    code = Number(status);
    news.emit('news');
    return code;
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const { buffer } = terminal;
  const rowsFrom = (first: number, count: number): string[] =>
    Array.from(
      { length: count },
      (_, index) => buffer.active.getLine(first + index)?.translateToString(true) ?? '',
    );
  const screen = (): string[] => rowsFrom(buffer.active.baseY, terminal.rows);
  return {
    type: (text) => void stdin.write(text),
    resize(size) {
      terminal.resize(size.columns, size.rows);
      resize(size);
    },
    screen,
    history: () => rowsFrom(0, buffer.active.baseY + terminal.rows),
    lines: () =>
      rowsFrom(0, buffer.active.baseY + terminal.rows).reduce<string[]>((lines, row, index) => {
        if (buffer.active.getLine(index)?.isWrapped) lines[lines.length - 1] += row;
        else lines.push(row);
        return lines;
      }, []),
    title: () => seen.title,
    bells: () => seen.bells,
    bytes: () => seen.bytes,
    cursor: () => ({
      row: buffer.active.cursorY,
      column: buffer.active.cursorX,
      hidden: seen.bytes.lastIndexOf('\u001b[?25l') > seen.bytes.lastIndexOf('\u001b[?25h'),
    }),
    async until(pattern, withinMs = patienceMs) {
      const late = setTimeout(() => news.emit('news'), withinMs);
      const giveUpAt = performance.now() + withinMs - 10;
      for (;;) {
        const text = screen().join('\n');
        if (pattern.test(text)) {
          clearTimeout(late);
          return text;
        }
        if (performance.now() > giveUpAt) throw new Error(`Waited in vain for ${pattern}:\n${text}`);
        if (code !== undefined) throw new Error(`Ended with ${code} without ${pattern}:\n${text}`);
        await once(news, 'news');
      }
    },
    ended,
    child,
  };
}
