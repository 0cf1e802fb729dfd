// A process on a pseudo terminal of its own. Node has none; Python has one in its standard library.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { type Readable, Writable } from 'node:stream';

/** Typed words come from 0, sizes from 3; what is shown goes to 1. */
const program = `
import fcntl, os, pty, select, signal, struct, sys, termios
columns, rows = int(sys.argv[1]), int(sys.argv[2])
def resize(fd, columns, rows): fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
child, fd = pty.fork()
if child == 0:
    resize(0, columns, rows)
    os.execvp(sys.argv[3], sys.argv[3:])
sources = [fd, 0, 3]
while True:
    ready = select.select(sources, [], [])[0]
    if 0 in ready:
        typed = os.read(0, 65536)
        if typed: os.write(fd, typed)
        else: sources.remove(0)
    if 3 in ready:
        words = os.read(3, 64).split()
        if len(words) == 2: resize(fd, int(words[0]), int(words[1]))
        else: sources.remove(3)
    if fd in ready:
        try: shown = os.read(fd, 65536)
        except OSError: break
        if not shown: break
        os.write(1, shown)
status = os.waitpid(child, 0)[1]
sys.exit(os.waitstatus_to_exitcode(status) % 256)
`;

export const hasPty = spawnSync('python3', ['-c', 'import pty, fcntl, termios']).status === 0;

export type Size = { columns: number; rows: number };

export type Pty = {
  child: ChildProcess;
  /** What is typed. */
  stdin: Writable;
  /** What is shown. */
  stdout: Readable;
  resize(size: Size): void;
};

export function openPty(
  command: string[],
  { columns, rows, cwd, env }: Size & { cwd: string; env: Record<string, string | undefined> },
): Pty {
  const child = spawn('python3', ['-c', program, String(columns), String(rows), ...command], {
    cwd,
    env: { ...env, TERM: 'xterm-256color', CI: '' },
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  });
  const { stdin, stdout } = child;
  const sizes = child.stdio[3];
  if (!stdin || !stdout || !(sizes instanceof Writable)) throw new Error('No pipes to the pseudo terminal.');
  for (const stream of [stdin, sizes]) stream.on('error', () => undefined);
  return { child, stdin, stdout, resize: (size) => void sizes.write(`${size.columns} ${size.rows}\n`) };
}
