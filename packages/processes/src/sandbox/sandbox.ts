// Runs a program that can read the host and change nothing: bubblewrap around `runProcess`. docs/sandbox.md describes the
// view inside. Runs in Node, on Linux.
import { gitEnvironment } from '@holdfast/shell-judge';
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess, type ProcessOutcome, type ProcessRun } from '../run-process.ts';
import { bubblewrapArguments, type View } from './bubblewrap-arguments.ts';
import { sandboxIdentity } from './identity.ts';
import { limitArguments, type SandboxLimits } from './limits.ts';
import { syscallFilter } from './syscall-filter.ts';
import { writtenTotal } from './written-total.ts';

export type SandboxOptions = Pick<
  View,
  'network' | 'writable' | 'hidden' | 'open' | 'shown' | 'isProtected'
> & {
  /** `dangerously-off` runs programs like any other of this user, with the limits only. */
  kind: 'bubblewrap' | 'dangerously-off';
  /** Sockets in the file system, through which daemons are reached; their folders must be opened too. Default: none. */
  unixSockets?: boolean;
  /** Added to PATH, LANG, TZ, HOME and TERM. */
  environment?: Readonly<Record<string, string>>;
  limits?: Partial<SandboxLimits>;
};

export type SandboxRun = {
  /** The function receives the number of a descriptor to which the program may write; the outcome counts the bytes. */
  argv: readonly string[] | ((marks: number) => readonly string[]);
} & Pick<
  ProcessRun,
  'cwd' | 'signal' | 'timeoutMs' | 'separate' | 'onOutput' | 'onLongOutput' | 'keepBytes' | 'endAtBytes'
>;

export type Sandbox = {
  readonly kind: SandboxOptions['kind'];
  /** Like `runProcess`. Rejects if the sandbox cannot be set up; then nothing was run. */
  run(run: SandboxRun): Promise<ProcessOutcome>;
};

const defaultLimits: SandboxLimits = {
  memoryBytes: 1024 ** 3,
  processes: 256,
  fileBytes: 1024 ** 3,
  openFiles: 1_024,
  temporaryBytes: 256 * 1024 ** 2,
  writableBytes: 1024 ** 3,
};

/** The home folder inside: empty, private, removed with the program. */
const home = '/tmp/home';

export function createSandbox(options: SandboxOptions): Sandbox {
  const limits = { ...defaultLimits, ...options.limits };
  return options.kind === 'bubblewrap' ? bubblewrap(options, limits) : unsandboxed(options, limits);
}

function unsandboxed({ kind, environment }: SandboxOptions, limits: SandboxLimits): Sandbox {
  return {
    kind,
    async run(run) {
      // private and empty: in a folder that others may write, a planted .gitconfig or .curlrc would be obeyed
      const own = await mkdtemp(join(tmpdir(), 'holdfast-home-'));
      try {
        const outcome = await runProcess({
          ...run,
          treeLimits: limits,
          argv: [
            ...lowPriority,
            ...(await limitArguments(limits, false)),
            ...behindGate(3),
            ...wordsOf(run, 4),
          ],
          environment: { ...plainEnvironment(own), ...environment },
          descriptors: ['gate', ...marksOf(run)],
        });
        return begun(outcome, 'The limits of the program');
      } finally {
        await rm(own, { recursive: true, force: true });
      }
    },
  };
}

function bubblewrap(options: SandboxOptions, limits: SandboxLimits): Sandbox {
  const { kind, writable = [], unixSockets = false } = options;
  const environment = { ...plainEnvironment(home), ...options.environment };
  return {
    kind,
    async run(run) {
      const identity = await sandboxIdentity();
      const filter = syscallFilter(process.arch, { unixSockets });
      const filtered = filter !== undefined;
      const outer = await bubblewrapArguments({ ...options, limits, home, cwd: run.cwd, filtered, identity });
      const given = Buffer.from(outer.map((word) => `${word}\0`).join(''));
      const descriptors = present([given, filter, 'gate' as const]);
      const gate = behindGate(2 + descriptors.length, untilArmed);
      const words = wordsOf(run, 3 + descriptors.length);
      const inner = [...(await limitArguments(limits, true)), ...gate, ...words];
      const total =
        writable.length === 0 ? undefined : writtenTotal(writable, limits.writableBytes, environment);
      const writing = await total?.begin();
      try {
        const outcome = await runProcess({
          ...run,
          treeLimits: limits,
          // by descriptor: the list of hidden paths is private, and long in a process list
          argv: [...lowPriority, ...identity.arguments, 'bwrap', '--args', '3', '--', ...inner],
          cwd: '/',
          environment,
          supervisor: true,
          descriptors: [...descriptors, ...marksOf(run)],
          ...defined({ hasWrittenTooMuch: writing?.isOver }),
        });
        return begun(outcome, 'The sandbox');
      } finally {
        await writing?.end();
      }
    },
  };
}

function wordsOf({ argv }: SandboxRun, marks: number): readonly string[] {
  return typeof argv === 'function' ? argv(marks) : argv;
}

function marksOf({ argv }: SandboxRun): 'marks'[] {
  return typeof argv === 'function' ? ['marks'] : [];
}

/** The search path of programs, including bubblewrap. */
export const searchedPaths = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The variables of every command; a judge of commands relies on no others. */
export function plainEnvironment(homeFolder: string): Record<string, string> {
  return {
    PATH: searchedPaths,
    HOME: homeFolder,
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    PAGER: 'cat',
    SYSTEMD_PAGER: 'cat',
    ...gitEnvironment,
  };
}

// short of memory, the kernel ends these first; short of processors, the host's own programs run first
// oxfmt-ignore
const lowPriority = [
  '/bin/sh', '-c', '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$@"', 'sh',
  'nice', '-n', '10',
];

/**
 * The last step of the set-up, so that only the program itself can fail after the gate. The worker opens the gate with a
 * word and not only by closing its end: when a process dies, its files are closed last, after some of its threads have
 * ended.
 */
function behindGate(gate: number, before: readonly string[] = []): string[] {
  const script = [
    ...before,
    `echo ready >&${gate} && read -r _ <&${gate} || exit 1`,
    `exec ${gate}<&-`,
    'exec "$@"',
  ];
  return ['/bin/sh', '-c', script.join('; '), 'sh'];
}

/**
 * Bubblewrap's process 1 dies with its parent only from the moment when it begins to wait for children, some milliseconds
 * after the first of them runs; it does not notice a parent that died before. So the program begins after that moment,
 * which an orphan reveals: process 1 reaps it only then.
 */
const untilArmed = [
  'is_orphan() { read -r _ _ _ parent _ < /proc/self/stat && [ "$parent" = 1 ]; }',
  'orphan=$( { until is_orphan; do :; done; } > /dev/null 2>&1 & echo $! )',
  'while [ -e "/proc/$orphan" ]; do :; done',
];

/** Only the gate decides, never an exit code or a message: the program can produce both. */
function begun(outcome: ProcessOutcome, what: string): ProcessOutcome {
  if (outcome.begun || outcome.ended !== 'exited') return outcome;
  const said = (outcome.errorText || outcome.text).trim() || `exit code ${outcome.exitCode ?? 'none'}`;
  throw new Error(`${what} could not be set up, nothing was run: ${said}`);
}
