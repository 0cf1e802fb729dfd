// Runs a program where it can read the host and change nothing: bubblewrap around `runProcess`. docs/sandbox.md says what is
// seen inside. Runs in Node, on Linux.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess, type ProcessOutcome, type ProcessRun } from '../process/run-process.ts';
import { bubblewrapArguments } from './bubblewrap-arguments.ts';
import { sandboxIdentity } from './identity.ts';
import { limitArguments, type SandboxLimits } from './limits.ts';
import { syscallFilter } from './syscall-filter.ts';
import { writtenTotal } from './written-total.ts';

export type SandboxOptions = {
  /** `dangerously-off` runs programs as any other of this user, with the limits only. */
  kind: 'bubblewrap' | 'dangerously-off';
  /** The network of the host. Default: none, not even its loopback. */
  network?: boolean;
  /** Sockets in the file system, through which daemons are reached; their folders must be opened too. Default: none. */
  unixSockets?: boolean;
  /** Folders that may be written. Everything else is read-only. */
  writable?: readonly string[];
  /** Further paths that are not there, such as the agent's own folder. */
  hidden?: readonly string[];
  /** Paths of the hidden ones that are there all the same. */
  open?: readonly string[];
  /** Folders below /tmp, /var/tmp or /run that are there all the same, read-only, where they exist and can be entered. */
  shown?: readonly string[];
  /** Beside PATH, LANG, TZ, HOME and TERM. */
  environment?: Readonly<Record<string, string>>;
  limits?: Partial<SandboxLimits>;
};

export type SandboxRun = {
  /** With the number of a descriptor to which the program may write: its outcome counts the bytes. */
  argv: readonly string[] | ((marks: number) => readonly string[]);
} & Pick<
  ProcessRun,
  'cwd' | 'signal' | 'timeoutMs' | 'separate' | 'onOutput' | 'onLongOutput' | 'keepBytes' | 'endAtBytes'
>;

export type Sandbox = {
  readonly kind: SandboxOptions['kind'];
  /** As `runProcess`. Rejects where the sandbox cannot be set up; then nothing was run. */
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

/** The home folder inside: empty, private, gone with the program. */
const home = '/tmp/home';

export function createSandbox(options: SandboxOptions): Sandbox {
  const limits = { ...defaultLimits, ...options.limits };
  const { memoryBytes, processes } = limits;
  const common = { treeLimits: { memoryBytes, processes } };
  if (options.kind === 'dangerously-off') {
    return {
      kind: options.kind,
      async run(run) {
        // private and empty: in a folder that others may write, a planted .gitconfig or .curlrc would be obeyed
        const own = await mkdtemp(join(tmpdir(), 'holdfast-home-'));
        try {
          const environment = { ...plainEnvironment(own), ...options.environment };
          const argv = [
            ...lowPriority,
            ...(await limitArguments(limits, false)),
            ...behindGate(3),
            ...wordsOf(run, 4),
          ];
          const descriptors = ['gate' as const, ...marksOf(run)];
          const outcome = await runProcess({ ...run, ...common, argv, environment, descriptors });
          return begun(outcome, 'The limits of the program');
        } finally {
          await rm(own, { recursive: true, force: true });
        }
      },
    };
  }
  const { writable = [] } = options;
  const environment = { ...plainEnvironment(home), ...options.environment };
  return {
    kind: options.kind,
    async run(run) {
      const identity = await sandboxIdentity();
      const filter = syscallFilter(process.arch, { unixSockets: options.unixSockets ?? false });
      const filtered = filter !== undefined;
      const outer = await bubblewrapArguments({ ...options, limits, home, cwd: run.cwd, filtered, identity });
      const descriptors = [toBytes(outer), ...(filter ? [filter] : []), 'gate' as const];
      const gate = behindGate(2 + descriptors.length, untilArmed);
      const inner = [
        ...(await limitArguments(limits, true)),
        ...gate,
        ...wordsOf(run, 3 + descriptors.length),
      ];
      const total =
        writable.length === 0 ? undefined : writtenTotal(writable, limits.writableBytes, environment);
      const writing = await total?.begin();
      try {
        const outcome = await runProcess({
          ...run,
          ...common,
          // by descriptor: the list of hidden paths is nobody's business, and long in a list of processes
          argv: [...lowPriority, ...identity.arguments, 'bwrap', '--args', '3', '--', ...inner],
          cwd: '/',
          environment,
          supervisor: true,
          descriptors: [...descriptors, ...marksOf(run)],
          ...(writing && { hasWrittenTooMuch: writing.isOver }),
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

/** Where programs are looked for, bubblewrap among them. */
export const searchedPaths = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The variables that each command has; a judge of commands counts on no others. */
export function plainEnvironment(homeFolder: string): Record<string, string> {
  return {
    ...{ PATH: searchedPaths, HOME: homeFolder, TERM: 'dumb', LANG: 'C.UTF-8', TZ: 'UTC' },
    ...{ PAGER: 'cat', GIT_PAGER: 'cat', SYSTEMD_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' },
    GIT_OPTIONAL_LOCKS: '0', // else git status writes its index
  };
}

// Short of memory, the kernel ends these first; short of processors, the host's own programs run first.
const lowPriority = [
  ...['/bin/sh', '-c', '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$@"', 'sh'],
  ...['nice', '-n', '10'],
];

/**
 * The last of what sets a program up: nothing but the program itself can fail after the gate. The worker opens it by a word,
 * and not merely by having its end open: while a process dies, its threads end one after the other, and its files last of
 * all.
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
 * Bubblewrap's process 1 dies with its parent only from the moment in which it begins to wait for children, some milliseconds
 * after the first of them runs; a parent that is gone by then is not missed. So the program begins after that moment, which is
 * known by an orphan: process 1 takes it away only then.
 */
const untilArmed = [
  'is_orphan() { read -r _ _ _ parent _ < /proc/self/stat && [ "$parent" = 1 ]; }',
  'orphan=$( { until is_orphan; do :; done; } > /dev/null 2>&1 & echo $! )',
  'while [ -e "/proc/$orphan" ]; do :; done',
];

function toBytes(words: readonly string[]): Buffer {
  return Buffer.from(words.map((word) => `${word}\0`).join(''));
}

/** Known by the gate alone, never by an exit code or by words: the program can have both. */
function begun(outcome: ProcessOutcome, what: string): ProcessOutcome {
  if (outcome.begun || outcome.ended !== 'exited') return outcome;
  const said = (outcome.errorText || outcome.text).trim() || `exit code ${outcome.exitCode ?? 'none'}`;
  throw new Error(`${what} could not be set up, nothing was run: ${said}`);
}
