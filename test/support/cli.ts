// Runs the command line as a person does: a real process of bin/holdfast.js in a folder of its own. `callCli` runs one
// command in the test's process, for tests of its words and not of its process.
import { type ChildProcess, type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Cli } from '../../src/cli/cli.ts';
import { rememberPlace } from '../../src/config/command-line.ts';
import { runCommand } from '../../src/cli/main.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { workerLog } from './worker-log.ts';

const file = fileURLToPath(new URL('../../bin/holdfast.js', import.meta.url));
const linkFolder = mkdtempSync(join(tmpdir(), 'holdfast-bin-'));
export const entry = join(linkFolder, 'holdfast');
symlinkSync(file, entry);
process.once('exit', () => rmSync(linkFolder, { recursive: true, force: true }));

/** What this machine's owner may have set must not reach the tests. */
const foreign =
  /^(HOLDFAST_|TEMPORAL_|AWS_|OPENAI_|ANTHROPIC_|NO_COLOR|FORCE_COLOR|NODE_OPTIONS|VITEST|npm_)/;

/** What a failed test leaves behind ends with the test process. */
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

export type CliSetting = { cwd: string; environment?: Record<string, string> };

/** Whether `script` is here, which gives a command a terminal. That of util-linux: others take other options. */
export const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes(
  'util-linux',
);
export type CliResult = { code: number | null; stdout: string; stderr: string; lines: CliLine[] };
/** One object of --json output. */
export type CliLine = { type?: string; [key: string]: unknown };

export type RunningCli = {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves with the first match in either output, also one that has been there for long. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  ended: Promise<CliResult>;
};

/** Ctrl-C and SIGTERM are one. */
export type RunningCall = Pick<RunningCli, 'until' | 'ended'> & { interrupt(): void };

export function startCli(args: string[], setting: CliSetting, input = ''): RunningCli {
  const cli = follow([process.execPath, entry, ...args], setting);
  cli.child.stdin.end(input);
  return cli;
}

/** The same on a terminal of its own: what is written to `child.stdin` is typed there, and both outputs are its screen. */
export function startOnTerminal(args: string[], setting: CliSetting): RunningCli {
  const command = [process.execPath, entry, ...args].map((word) => `'${word}'`).join(' ');
  return follow(['script', '--quiet', '--flush', '--return', '--command', command, '/dev/null'], setting);
}

export function environmentOf({ environment = {} }: CliSetting): Record<string, string | undefined> {
  const kept = Object.entries(readEnvironment()).filter(([name]) => !foreign.test(name));
  // found there, as npm links it, so that the commands that it prints begin with `holdfast`
  const PATH = [linkFolder, readEnvironment().PATH].join(delimiter);
  return { ...Object.fromEntries(kept), PATH, ...environment };
}

/** A command names the server of its test; most tests are about what follows (test/cli/command-line.test.ts is about all). */
function withoutPlace(text: string): string {
  return text.replaceAll(/(?:(?:TEMPORAL|HOLDFAST)_\w+=\S+ )+(?=holdfast )/g, '');
}

function follow([command = '', ...args]: string[], setting: CliSetting): RunningCli {
  const child = spawn(command, args, {
    cwd: setting.cwd,
    env: environmentOf(setting),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  const heard = new Heard();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => heard.add(name, text));
  }
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(() => heard.end(child.exitCode));
  return { child, until: (pattern) => heard.until(pattern), ended };
}

/** The output of one command, up to now. */
class Heard {
  readonly #output = { stdout: '', stderr: '' };
  readonly #news = new EventEmitter().setMaxListeners(0);
  #end: CliResult | undefined;

  add(name: 'stdout' | 'stderr', text: string): void {
    this.#output[name] += text;
    this.#news.emit('news');
  }

  end(code: number | null): CliResult {
    const [stdout, stderr] = [withoutPlace(this.#output.stdout), withoutPlace(this.#output.stderr)];
    this.#end = { stdout, stderr, code, lines: toLines(stdout) };
    this.#news.emit('news');
    return this.#end;
  }

  async until(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const { stdout, stderr } = this.#output;
      const found = pattern.exec(withoutPlace(`${stdout}\n${stderr}`));
      if (found) return found;
      if (this.#end)
        throw new Error(`Ended with ${this.#end.code} without ${pattern}:\n${stdout}\n${stderr}`);
      await once(this.#news, 'news');
    }
  }
}

export function runCli(args: string[], setting: CliSetting, input = ''): Promise<CliResult> {
  return startCli(args, setting, input).ended;
}

/**
 * The command without a process of its own: its output and its exit code, a second of CPU earlier, also with a worker. Not for
 * a config in TypeScript that changes, which is loaded once.
 */
export function callCli(args: string[], setting: CliSetting, input = ''): Promise<CliResult> {
  return beginCall(args, setting, input).ended;
}

/** The same while it runs. */
export function beginCall(args: string[], setting: CliSetting, input = ''): RunningCall {
  const [heard, signals] = [new Heard(), new EventEmitter()];
  const capture = (name: 'stdout' | 'stderr') =>
    new Writable({
      write(chunk, _encoding, done) {
        heard.add(name, String(chunk));
        done();
      },
    });
  const streams = { stdin: Readable.from([input]), stdout: capture('stdout'), stderr: capture('stderr') };
  // pipes, of which the command asks no more than of any stream
  const process = streams as unknown as Pick<Cli, keyof typeof streams>;
  const environment = environmentOf(setting);
  const ended = call({ ...process, signals, cwd: setting.cwd, environment, exitCode: 0 }, args).then((code) =>
    heard.end(code),
  );
  return { until: (pattern) => heard.until(pattern), ended, interrupt: () => void signals.emit('SIGINT') };
}

async function call(cli: Cli, args: string[]): Promise<number> {
  // the first log of a process is that of all its workers, and this folder will be gone
  if (args.some((word) => ['run', 'worker', '--worker'].includes(word))) {
    const { installRuntime } = await import('../../src/worker/telemetry/install-runtime.ts');
    installRuntime(workerLog());
  }
  const code = await runCommand(cli, args);
  // of this command; the process has others
  rememberPlace({});
  return code;
}

/** As somebody runs it who has cloned the repository, without a link to it. */
export function runEntry(args: string[], setting: CliSetting): Promise<CliResult> {
  const cli = follow([process.execPath, file, ...args], setting);
  cli.child.stdin.end();
  return cli.ended;
}

function toLines(stdout: string): CliLine[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}
